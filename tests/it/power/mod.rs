//! The power goes at any moment, and the disk holds any part of what was not synced.
//!
//! A run of the program is recorded with `strace`; a model of a disk says what may be left of it after
//! each operation; each of these states is laid out in a folder, and the next commands have to find all
//! of the change there or nothing. `CRASH=full cargo test --test it power` tries all states that the model
//! gives; a plain run takes a sample. `STATES=1150-1183` besides tries only these of each play, by the numbers
//! in a report.

#![allow(clippy::print_stdout, reason = "a person who asks for all states wants to see the count")]

mod choices;
mod crash;
mod disk;
mod journal;
mod kind;
mod personal;
mod play;
mod record;

use serde_json::json;

use crate::crash::{has_strace, used_store};
use crate::requests::{convention, four_files, shared};
use crate::support::{Sandbox, plant_foreign_state};
pub(crate) use journal::{date_back, progress_files};
pub(crate) use kind::PROJECT;
pub(crate) use play::Loss;

use play::Play;

const INIT: (&[&str], &str) = (&["init"], "");
const APPLY: (&[&str], &str) = (&["apply", "--latest", "--approver", "Ada", "--json"], "");
const REJECT: (&[&str], &str) = (&["reject", "--latest", "--reason", "not so", "--json"], "");
const REST: (&[&str], &str) = (&[], "");
const PROPOSE: &[&str] = &["propose"];

#[test]
fn apply_survives_a_power_cut() {
    let sandbox = used_store();
    sandbox.propose(four_files()).staged();
    check(&sandbox, &[], &[APPLY]);
}

#[test]
fn reject_survives_a_power_cut() {
    let sandbox = used_store();
    sandbox.propose(four_files()).staged();
    check(&sandbox, &[], &[REJECT]);
}

#[test]
fn a_proposal_that_lands_survives_a_power_cut() {
    let note = shared("Beta", "The second text of all.").to_string();
    check(&used_store(), &[], &[(PROPOSE, &note)]);
}

#[test]
fn a_proposal_beside_foreign_state_survives_a_power_cut() {
    let note = shared("Beta", "The second text of all.").to_string();
    let sandbox = used_store();
    plant_foreign_state(&sandbox);
    check(&sandbox, &[], &[(PROPOSE, &note)]);
}

#[test]
fn a_proposal_that_waits_survives_a_power_cut() {
    let request = convention("Errors", "Name the path.").to_string();
    check(&used_store(), &[], &[(PROPOSE, &request)]);
}

#[test]
fn commands_that_follow_each_other_survive_a_power_cut() {
    let (first, second) = (long(four_files()).to_string(), convention("A", "B.").to_string());
    let commands = [(PROPOSE, first.as_str()), APPLY, (PROPOSE, &second), REJECT];
    let sandbox = used_store();
    // The lines of the commands come to lie in two pages of the log.
    let mut talkative = shared("Gamma", "The third text of all.");
    talkative["rationale"] = json!("a word ".repeat(280));
    sandbox.propose(talkative).applied();
    check(&sandbox, &[], &commands);
}

#[test]
fn a_decided_proposal_survives_the_end_of_the_journal() {
    let (request, note) = (four_files().to_string(), shared("Beta", "Second.").to_string());
    let commands = [(PROPOSE, note.as_str())];
    check(&used_store(), &[(PROPOSE, &request), REJECT, REST], &commands);
}

#[test]
fn a_store_that_was_just_made_survives_a_power_cut() {
    let (note, request) = (shared("Alpha", "First.").to_string(), four_files().to_string());
    let commands = [(PROPOSE, note.as_str()), (PROPOSE, &request), APPLY];
    check(&Sandbox::without_git(), &[INIT], &commands);
}

#[test]
fn a_recovery_survives_another_power_cut() {
    let (first, second) = (four_files().to_string(), four_files().to_string());
    // Another section of the same files.
    let second = second.replace("Retries", "Limits").replace("What is retried", "What is too much");
    let commands = [(PROPOSE, first.as_str()), APPLY, (PROPOSE, second.as_str()), APPLY];
    let sandbox = used_store();
    if has_strace() {
        let play = Play::record(&PROJECT, &sandbox, &[], &commands);
        for loss in [Loss::Names, Loss::NamesAndMark, Loss::Bytes] {
            play.record_recovery(loss).check();
        }
    }
}

/// Lands the proposal that waits in a sandbox, and lays out what a power cut leaves of that.
pub(crate) fn lose_apply(sandbox: &Sandbox, loss: Loss) {
    Play::record(&PROJECT, sandbox, &[], &[APPLY]).lose(loss, &sandbox.project());
}

/// Records commands and cuts the power at each moment of all but the first ones.
fn check(sandbox: &Sandbox, first: &[(&[&str], &str)], commands: &[(&[&str], &str)]) {
    if has_strace() {
        Play::record(&PROJECT, sandbox, first, commands).check();
    }
}

/// Makes the first text of a request longer than a page of the disk.
fn long(mut request: serde_json::Value) -> serde_json::Value {
    let text = "A line that says little but takes its room.\n".repeat(240);
    request["operations"][0]["content"] = json!(text);
    request
}
