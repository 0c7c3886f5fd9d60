//! The power goes while a person's own memory changes.

use std::path::Path;

use super::REST;
use super::kind::{PERSON, Verdict};
use super::play::{Loss, Play};
use crate::crash::personal::{Memory, go_on, run, upsert, used};
use crate::crash::{View, ensure, has_strace};
use crate::support::{Reply, Sandbox};

/// A command: its words and what it reads.
type Words<'w> = (&'w [&'w str], &'w str);

const CALL: &[&str] = &["call"];
const DELETE: Words<'_> = (&["delete", "x", "--json"], "");
const RESTORE: Words<'_> = (&["restore", "x", "--json"], "");
const UNDO: Words<'_> = (&["undo", "--json"], "");

#[test]
fn the_first_entry_survives_a_power_cut() {
    check(&Sandbox::without_git(), &[], &[(CALL, &upsert("x"))]);
}

#[test]
fn the_entries_after_the_first_survive_a_power_cut() {
    let commands = [(CALL, &*upsert("a")), (CALL, &*upsert("x")), DELETE];
    check(&Sandbox::without_git(), &[], &commands);
}

#[test]
fn an_entry_in_an_empty_index_survives_a_power_cut() {
    let sandbox = Sandbox::without_git();
    check(&sandbox, &[(CALL, &upsert("x")), DELETE], &[(CALL, &upsert("new"))]);
}

#[test]
fn a_new_entry_survives_a_power_cut() {
    check(&used(), &[], &[(CALL, &upsert("new"))]);
}

#[test]
fn a_replaced_entry_survives_a_power_cut() {
    check(&used(), &[], &[(CALL, &replacing())]);
}

#[test]
fn a_replaced_entry_that_could_not_be_read_survives_a_power_cut() {
    let sandbox = used();
    sandbox.write_project("data/users/ada/memory/x.md", "---\nname: [\n---\n\nOld.\n");
    check(&sandbox, &[], &[(CALL, &replacing())]);
}

#[test]
fn a_deleted_entry_survives_a_power_cut() {
    check(&used(), &[], &[DELETE]);
}

#[test]
fn a_restored_entry_survives_a_power_cut() {
    check(&used(), &[DELETE], &[RESTORE]);
}

#[test]
fn an_imported_entry_survives_a_power_cut() {
    let sandbox = used();
    sandbox.write_project("notes/y.md", "---\ndescription: y\ntype: user\n---\n\nText of y.\n");
    check(&sandbox, &[], &[(&["import", "notes", "--json"], "")]);
}

#[test]
fn changes_of_a_person_that_follow_each_other_survive_a_power_cut() {
    check(&used(), &[], &[(CALL, &replacing()), DELETE, RESTORE, UNDO]);
}

#[test]
fn an_entry_after_a_deleted_one_survives_a_power_cut() {
    check(&used(), &[], &[DELETE, (CALL, &upsert("new"))]);
}

#[test]
fn an_entry_that_is_replaced_after_it_was_restored_survives_a_power_cut() {
    check(&used(), &[(CALL, &replacing()), DELETE], &[RESTORE, (CALL, &upsert("x"))]);
}

#[test]
fn a_deleted_entry_survives_the_end_of_the_journal() {
    check(&used(), &[DELETE, REST], &[(CALL, &upsert("new")), RESTORE]);
}

#[test]
fn a_recovery_of_a_persons_memory_survives_another_power_cut() {
    if !has_strace() {
        return;
    }
    let (first, new, other) = (replacing(), upsert("new"), upsert("x"));
    let plays = [vec![DELETE, (CALL, &new)], vec![(CALL, &first), DELETE, RESTORE, (CALL, &other)]];
    for commands in plays {
        let sandbox = used();
        let play = Play::record(&PERSON, &sandbox, &[], &commands);
        for loss in [Loss::Names, Loss::NamesAndMark, Loss::Bytes] {
            play.record_recovery(loss).check();
        }
    }
}

/// Replaces the file and the line of an entry; the text is longer than a page of the disk.
fn replacing() -> String {
    let body = "A line that says little.\\n".repeat(240);
    upsert("x")
        .replace(r#""body":"x""#, &format!(r#""body":"{body}""#))
        .replace(r#""description":"x""#, r#""description":"Another description.""#)
}

/// Records commands and cuts the power at each moment of all but the first ones.
fn check(sandbox: &Sandbox, first: &[Words<'_>], commands: &[Words<'_>]) {
    if has_strace() {
        Play::record(&PERSON, sandbox, first, commands).check();
    }
}

/// Runs a command that only reads; returns what is stored.
pub(super) fn read_on(folder: &Path) -> Result<View, String> {
    let list = run(folder, &["list", "--json"], "");
    ensure(list.code == 0, || format!("the next command: {}{}", list.stdout, list.stderr))?;
    let warnings = list.json()["warnings"].to_string();
    ensure(!warnings.contains("the index"), || format!("entries and index disagree: {warnings}"))?;
    Ok(Memory::of(folder).view())
}

/// Looks whether a second attempt brought about the same.
pub(super) fn try_again(again: &Reply, folder: &Path, new: &View) -> Verdict {
    ensure(again.code == 0, || format!("the second attempt: {}{}", again.stdout, again.stderr))?;
    let view = Memory::of(folder).view();
    ensure(view == *new, || format!("the second attempt: {}", view.compare(new, new)))
}

/// Looks whether the next change is made beside all that is stored, and the log is whole.
pub(super) fn is_healthy(folder: &Path) -> Verdict {
    let before = Memory::of(folder).view();
    let view = go_on(folder)?.view();
    ensure(view == before, || format!("after the next change: {}", view.compare(&before, &before)))
}
