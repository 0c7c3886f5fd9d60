//! What one side deleted and the other put elsewhere is for a person, and `resolve` writes only what it settles.

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
