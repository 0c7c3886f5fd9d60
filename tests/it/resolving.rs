//! What one side deleted and the other put elsewhere is for a person, and `resolve` writes only what it settles.

use std::process::Command;

use crate::merging::{BASE, branches, in_conflict, merge};
use crate::support::Sandbox;

/// Two branches: `main` has these decisions, `other` those.
fn with_driver(ours: &str, theirs: &str) -> Sandbox {
    let sandbox = branches(ours, theirs);
    sandbox.run(&["install", "git"]).expect_code(0);
    sandbox
}

#[test]
fn a_deleted_section_does_not_come_back_from_another_place() {
    let (first, second) = BASE.split_at(BASE.find("## Two").unwrap());
    let words = "The second.\n";
    for moved in [
        format!("{first}```\n{second}```\n"),
        format!("{first}{words}"),
        format!("{first}## New\n<!-- @id: new -->\n\n- {words}"),
        BASE.replace("# Decisions\n\n", &format!("# Decisions\n\n> {words}\n")).replace(second, ""),
    ] {
        for [ours, theirs] in [[first, &moved], [&moved, first]] {
            let sandbox = with_driver(ours, theirs);
            assert!(!merge(&sandbox, "other"), "{}", sandbox.file("decisions.md"));
            sandbox.run(&["check"]).expect_code(1);
            sandbox.run(&["resolve"]).expect_code(1);
        }
    }
}

#[test]
fn what_settles_nothing_writes_nothing() {
    let sandbox = in_conflict();
    sandbox.git(&["merge", "--abort"]);
    let before = (sandbox.tree(), sandbox.git(&["status", "--short"]));
    sandbox.run(&["resolve"]).expect_code(0);
    sandbox.run(&["resolve", "decisions.md"]).expect_code(1);
    assert_eq!((sandbox.tree(), sandbox.git(&["status", "--short"])), before);
}

#[test]
fn after_a_merge_is_given_up_nothing_of_resolve_is_left_in_the_work_tree() {
    let ours = BASE.replace("The second", "Our second");
    let sandbox = branches(&ours, &BASE.replace("The second", "Their second"));
    let before = (sandbox.tree(), sandbox.git(&["status", "--short"]));
    assert!(!merge(&sandbox, "other"));
    sandbox.run(&["resolve"]).expect_code(1);
    let marked = (sandbox.tree(), sandbox.git(&["status", "--short"]));
    sandbox.run(&["resolve"]).expect_code(1);
    assert_eq!((sandbox.tree(), sandbox.git(&["status", "--short"])), marked);
    sandbox.git(&["merge", "--abort"]);
    assert_eq!((sandbox.tree(), sandbox.git(&["status", "--short"])), before);
    sandbox.git(&["rebase", "--quiet", "HEAD~1"]);
}

/// Runs a command of git that stops at a conflict, and adds the file with its markers.
#[track_caller]
fn add_conflict(sandbox: &Sandbox, arguments: &[&str]) {
    let mut git = Command::new("git");
    git.args(arguments).current_dir(sandbox.project()).env_clear().envs(sandbox.variables());
    git.env("PATH", std::env::var_os("PATH").unwrap());
    assert!(!git.output().unwrap().status.success(), "{arguments:?}");
    assert!(sandbox.file("decisions.md").contains("<<<<<<<"));
    sandbox.git(&["add", ".agent-memory/decisions.md"]);
}

/// Two branches that both changed one line, and each another one.
fn contradiction() -> Sandbox {
    let ours = BASE.replace("The second", "Our second");
    branches(&ours, &BASE.replace("The second", "Their second").replace("The first", "A first"))
}

const CONFLICT: &str = "<<<<<<< ours\nOur second.\n=======\nTheir second.\n>>>>>>> theirs\n";

/// Each way in which git meets a conflict, made ready.
fn stops() -> Vec<(Sandbox, Vec<&'static str>)> {
    let stash = contradiction();
    let theirs = stash.git(&["show", "other:.agent-memory/decisions.md"]);
    let ours = stash.file("decisions.md");
    stash.git(&["checkout", "--quiet", "HEAD~1"]);
    stash.write("decisions.md", theirs);
    stash.git(&["stash", "--quiet"]);
    stash.git(&["checkout", "--quiet", "main"]);
    assert_eq!(stash.file("decisions.md"), ours);
    vec![
        (contradiction(), vec!["merge", "--quiet", "other"]),
        (contradiction(), vec!["cherry-pick", "other"]),
        (contradiction(), vec!["rebase", "--quiet", "other"]),
        (stash, vec!["stash", "pop", "--quiet"]),
    ]
}

#[test]
fn a_conflict_that_was_added_with_its_markers_is_one_until_it_is_settled() {
    for (sandbox, stop) in stops() {
        add_conflict(&sandbox, &stop);
        let status = sandbox.run(&["status"]).expect_code(0).stderr;
        assert!(status.contains("git conflict in `decisions.md`"), "{stop:?} {status}");
        let reply = sandbox.run(&["resolve"]).expect_code(1);
        assert_eq!(reply.stdout, "conflict decisions.md#two\n", "{stop:?} {}", reply.stderr);
        // To a rebase, ours is what the other branch has.
        let text = sandbox.file("decisions.md");
        let swapped =
            CONFLICT.replace("Our ", "x ").replace("Their", "Our").replace("x ", "Their ");
        assert!(text.contains(CONFLICT) || text.contains(&swapped), "{stop:?} {text}");
        assert!(text.contains("A first."), "{stop:?} {text}");
        sandbox.run(&["resolve", "decisions.md"]).expect_code(1);
        assert_eq!(sandbox.file("decisions.md"), text);
        let settled = text.replace(CONFLICT, "Both.\n").replace(&swapped, "Both.\n");
        sandbox.write("decisions.md", &settled);
        let reply = sandbox.run(&["resolve"]).expect_code(0);
        assert!(reply.stderr.contains("no memory file is in conflict"), "{}", reply.stderr);
        assert_eq!(sandbox.file("decisions.md"), settled);
    }
}

#[test]
fn what_needs_no_person_is_merged_also_after_it_was_added() {
    let sandbox = in_conflict();
    let without_add = in_conflict();
    without_add.run(&["resolve"]).expect_code(0);
    sandbox.git(&["add", ".agent-memory"]);
    let reply = sandbox.run(&["resolve"]).expect_code(0);
    assert_eq!(reply.stdout, "resolved decisions.md\n");
    assert_eq!(sandbox.file("decisions.md"), without_add.file("decisions.md"));
    assert!(!sandbox.git(&["show", ":.agent-memory/decisions.md"]).contains("<<<<<<<"));
    sandbox.run(&["check"]).expect_code(0);
}

#[test]
fn markers_that_were_committed_are_a_conflict() {
    let sandbox = contradiction();
    add_conflict(&sandbox, &["merge", "--quiet", "other"]);
    sandbox.git(&["commit", "--quiet", "--no-edit"]);
    // A clone knows nothing of the merge.
    sandbox.git(&["read-tree", "HEAD"]);
    let before = (sandbox.tree(), sandbox.git(&["status", "--short"]));
    for arguments in [&["resolve"][..], &["resolve", "decisions.md"]] {
        let reply = sandbox.run(arguments).expect_code(1);
        assert_eq!(reply.stdout, "conflict decisions.md\n");
        assert!(reply.stderr.contains("from line 19 on"), "{}", reply.stderr);
    }
    assert_eq!((sandbox.tree(), sandbox.git(&["status", "--short"])), before);
    let by_json = sandbox.run(&["resolve", "--json"]).expect_code(1).json();
    assert_eq!(by_json["conflicts"], serde_json::json!(["decisions.md"]));
}
