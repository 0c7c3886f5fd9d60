//! The program dies, or the disk fails it, at each system call that changes something.
//!
//! `CRASH=full cargo test --test it crash` goes through all of them; a plain run takes a sample. What a
//! power cut leaves behind is another matter: see `power`.

#![allow(clippy::print_stdout, reason = "a person who asks for all points wants to see the count")]

mod clients;
mod git;
mod longterm;
pub(crate) mod personal;
mod scene;
mod server;
mod strace;
mod view;

use std::fs;
use std::path::Path;

use crate::merging::in_conflict;
use crate::power::Loss;
use crate::requests::{convention, four_files, new_body, session, shared};
use crate::secrets_leak::{Leaks, planted, secrets};
use crate::support::Reply;

pub(crate) use scene::{call, finish, used_store};
pub(crate) use strace::{has_strace, is_full};
pub(crate) use view::View;

use scene::Scene;

/// The process ends at once, as by `kill -9`.
const KILL: &str = "signal=KILL:when=N";

/// The disk is full at one call and has room again at the next.
const FULL_ONCE: &str = "error=ENOSPC:when=N";

/// The disk fails at one call.
const FAILING_ONCE: &str = "error=EIO:when=N";

/// The disk is full from one call on.
const STAYS_FULL: &str = "error=ENOSPC:when=N+";

/// For each scene, a test of every injury, which a function looks at.
macro_rules! scenes {
    ($survives:path; $($name:ident: $scene:expr;)+) => {$(
        mod $name {
            use super::*;

            #[test]
            fn survives_a_kill() {
                $survives(&$scene, KILL);
            }

            #[test]
            fn survives_a_disk_that_is_full_once() {
                $survives(&$scene, FULL_ONCE);
            }

            #[test]
            fn survives_a_disk_that_fails_once() {
                $survives(&$scene, FAILING_ONCE);
            }

            #[test]
            fn survives_a_disk_that_stays_full() {
                $survives(&$scene, STAYS_FULL);
            }
        }
    )+};
}

scenes! {
    survives;
    apply: Scene::deciding(four_files(), &["apply", "ID", "--approver", "Ada", "--json"]);
    reject: Scene::deciding(four_files(), &["reject", "ID", "--reason", "not like this", "--json"]);
    undo: Scene::after(&["apply", "ID", "--approver", "Ada"], &["undo", "ID", "--approver", "Ada", "--json"]);
    restore: Scene::after(&["reject", "ID"], &["restore", "ID", "--approver", "Ada", "--json"]);
    restore_of_what_another_clone_rejected: git::rejected_elsewhere();
    reject_in_a_queue_that_git_keeps: git::tracked_decision();
    sweep: Scene::expired(&["sweep", "--json"]);
    a_proposal_that_lands: Scene::proposing(shared("Beta", "The second text of all."));
    a_proposal_beside_foreign_state: Scene::proposing_beside_foreign_state(shared("Beta", "The second text of all."));
    a_proposal_that_waits: Scene::proposing(convention("Errors", "Name the path."));
    a_recovery: Scene::recovery();
    a_recovery_of_lost_names: Scene::recovery_from(Loss::Names);
    a_recovery_of_lost_bytes: Scene::recovery_from(Loss::Bytes);
    an_edited_text: Scene::edited();
    an_upgrade_of_one_file: Scene::without_a_version();
    an_upgrade_that_moves_files: Scene::with_former_files();
    fmt_ids: Scene::without_ids(&["fmt-ids", "--json"]);
    secrets_allow: Scene::of(used_store(), &["secrets", "allow", "0123456789abcdef", "--reason", "harmless", "--approver", "Ada", "--json"]);
}

scenes! {
    clients::survives;
    install_with_hooks: clients::before_install();
    uninstall: clients::before_uninstall();
}

scenes! {
    git::survives_in_two_worktrees;
    apply_from_a_worktree: git::two_worktrees();
}

scenes! {
    git::survives_a_conflict;
    resolve: Scene::of(in_conflict(), &["resolve", "--json"]);
}

scenes! {
    personal::survives;
    personal_upsert_of_the_first_entry: personal::first_entry();
    personal_upsert_of_a_new_entry: personal::new_entry();
    personal_upsert_over_an_entry: personal::replaced_entry();
    personal_upsert_over_what_cannot_be_read: personal::unreadable_entry();
    personal_delete: personal::deleted_entry();
    personal_restore: personal::restored_entry();
    personal_undo_of_an_update: personal::undone_update();
    personal_undo_of_a_delete: personal::undone_delete();
    personal_undo_of_a_restore: personal::undone_restore();
    personal_recovery_of_a_restore: personal::recovered_restore();
}

scenes! {
    personal::survives_in_parts;
    personal_import: personal::imported_folder();
}

scenes! {
    personal::forgets;
    personal_purge: personal::purged_entry();
}

#[test]
fn a_kill_leaves_nothing_of_a_secret_in_another_section() {
    leaves_nothing_of_a_secret(KILL);
}

#[test]
fn a_full_disk_leaves_nothing_of_a_secret_in_another_section() {
    leaves_nothing_of_a_secret(FULL_ONCE);
}

/// Decides on one section of a file; a person put a secret into the other one, and there it stays.
fn leaves_nothing_of_a_secret(injury: &str) {
    if !has_strace() {
        return;
    }
    let secret = secrets().remove(0);
    let apply = ["apply", "ID", "--approver", "Ada", "--json"];
    let request = new_body("errors", "They name a line.");
    let scene = Scene::deciding_in(planted(&secret), request, &apply);
    scene.run_traced(&scene.copy("whole"), None);
    let mut leaks = Leaks::default();
    for (call_, number) in strace::sample(strace::points(&scene.trace())) {
        let folder = scene.copy("case");
        let injury = injury.replace("=N", &format!("={number}"));
        scene.run_traced(&folder, Some(&format!("{call_}:{injury}")));
        let reply = call(&folder, &["status", "--json"], "").expect_code(0);
        leaks.look(&format!("{call_} number {number}"), &reply, &secret);
        let file = folder.join(".agent-memory/conventions.md");
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(&secret.text), "{call_} number {number}: {text}");
        fs::remove_file(file).unwrap();
        leaks.look_through(&folder, std::slice::from_ref(&secret));
    }
    leaks.none();
}

/// Looks whether the store holds all of a command or nothing, whatever happens to it.
fn survives(scene: &Scene, injury: &str) {
    if !has_strace() {
        return;
    }
    let old = View::of(&scene.project());
    let whole = scene.run_whole("whole");
    let new = View::of(&whole);
    assert!(old.files != new.files && old.log != new.log, "the command changes something");
    hurt(scene, injury, |folder, reply| check(scene, folder, reply, (&old, &new)));
}

/// Goes through the points of the last run of a scene; all that is wrong comes in one report.
fn hurt(scene: &Scene, injury: &str, check: impl Fn(&Path, &Reply) -> Result<(), String>) {
    let mut problems = Vec::new();
    let points = strace::sample(strace::points(&scene.trace()));
    for (call, number) in &points {
        let point = format!("{call} number {number} with {injury}");
        let folder = scene.copy("case");
        let injury = injury.replace("=N", &format!("={number}"));
        let reply = scene.run_traced(&folder, Some(&format!("{call}:{injury}")));
        assert!(reply.code == -1 || scene.trace().contains("INJECTED"), "{point}: no injury");
        if let Err(problem) = is_an_answer(&reply).and_then(|()| check(&folder, &reply)) {
            problems.push(format!("{point}: {problem}"));
        }
    }
    let (bad, all) = (problems.len(), points.len());
    assert!(problems.is_empty(), "{bad} of {all} points:\n{}", problems.join("\n"));
    println!("{} survived {all} points with {injury}", scene.name());
}

fn is_an_answer(reply: &Reply) -> Result<(), String> {
    let said = said(reply);
    ensure(!said.contains("a bug in agent-memory"), || format!("panic: {said}"))?;
    ensure([-1, 0, 2].contains(&reply.code), || format!("a strange answer: {said}"))
}

fn said(reply: &Reply) -> String {
    format!("exit {}, {}{}", reply.code, reply.stdout, reply.stderr)
}

/// Tells whether something was printed that is no error.
fn is_promised(reply: &Reply) -> bool {
    !reply.stdout.is_empty() && reply.json().get("error").is_none()
}

/// Looks at what a run left behind, and goes on working with it.
fn check(
    scene: &Scene,
    folder: &Path,
    reply: &Reply,
    (old, new): (&View, &View),
) -> Result<(), String> {
    let said = said(reply);
    let view = go_on(folder)?;
    let (is_old, is_new) = (view == *old, view == *new);
    ensure(is_old || is_new, || {
        format!("neither old nor new ({said}): {}", view.compare(old, new))
    })?;
    let promised = is_promised(reply) && !scene.is_decided();
    ensure(is_new || !promised, || format!("promised and not kept: {said}"))?;
    ensure(is_new || reply.code != 0, || format!("exit 0 and nothing done: {said}"))?;
    if is_old {
        try_again(&scene.call(folder), folder, new)?;
    }
    is_healthy(folder)
}

/// Looks whether the log is whole, and whether `doctor` has nothing to say.
pub(crate) fn is_healthy(folder: &Path) -> Result<(), String> {
    let verdict = call(folder, &["log", "--verify"], "");
    ensure(verdict.code == 0, || format!("the log: {}{}", verdict.stdout, verdict.stderr))?;
    let doctor = call(folder, &["doctor"], "");
    ensure(doctor.code == 0, || format!("doctor: {}", doctor.stdout))
}

/// Runs the next command and a next write; returns what the store holds besides that write.
pub(crate) fn go_on(folder: &Path) -> Result<View, String> {
    let status = call(folder, &["status", "--json"], "");
    let said = || format!("{}{}", status.stdout, status.stderr);
    ensure(status.code == 0, || format!("the next command: {}", said()))?;
    has_no_leftovers(folder)?;
    let note = session("Marker", "After the accident.").to_string();
    let next = call(folder, &["propose"], &note);
    ensure(next.code == 0, || format!("the next write: {}{}", next.stdout, next.stderr))?;
    has_no_leftovers(folder)?;
    Ok(View::of(folder).without_last_line())
}

fn has_no_leftovers(folder: &Path) -> Result<(), String> {
    let left = fs::read_dir(folder.join(".agent-memory/state/tmp")).map_or(0, Iterator::count);
    ensure(left == 0, || format!("{left} temporary files are left"))
}

/// Looks at what a second attempt at the command brought about.
pub(crate) fn try_again(again: &Reply, folder: &Path, new: &View) -> Result<(), String> {
    ensure(again.code == 0, || format!("the second attempt: {}{}", again.stdout, again.stderr))?;
    let same = View::of(folder).memory() == new.memory();
    ensure(same, || "the second attempt does something else".to_owned())
}

/// Gives a problem where something does not hold.
pub(crate) fn ensure(good: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if good { Ok(()) } else { Err(what()) }
}
