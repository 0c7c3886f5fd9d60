//! What a person writes by hand is welcome, and what was applied without a person's look is listed.

use serde_json::{Value, json};

use crate::requests::{convention, session};
use crate::support::{Sandbox, Terminal};

fn count(sandbox: &Sandbox) -> Value {
    sandbox.run(&["status", "--json"]).expect_code(0).json()["unreviewed"]["changes"].clone()
}

fn listed(sandbox: &Sandbox) -> usize {
    let log = sandbox.run(&["log", "--unreviewed", "--json"]).expect_code(0).json();
    log["decisions"].as_array().unwrap().len()
}

#[test]
fn what_was_applied_at_once_is_listed_until_a_person_has_looked() {
    let sandbox = Sandbox::new();
    assert_eq!((count(&sandbox), listed(&sandbox)), (Value::Null, 0));
    sandbox.propose(session("One", "First.")).applied();
    sandbox.propose(session("Two", "Second.")).applied();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.apply(&id).applied();
    let told = sandbox.run(&["status"]).expect_code(0).stdout;
    let line = "2 changes were applied without review: `agent-memory log --unreviewed`\n";
    assert!(told.contains(line), "{told}");
    // A program that asks is no person.
    assert_eq!((listed(&sandbox), listed(&sandbox)), (2, 2));
    let (shown, _) = Terminal::run(&sandbox, "log --unreviewed", 80, &[("CLAUDECODE", "1")]).end();
    assert!(shown.contains("#two"), "{shown}");
    assert_eq!(count(&sandbox), 2);
    let (shown, code) = Terminal::run(&sandbox, "log --unreviewed --patch", 80, &[]).end();
    assert!(shown.contains("+First.") && shown.contains("#two") && code == 0, "{shown}");
    assert!(!shown.contains("#errors"), "{shown}");
    assert_eq!((count(&sandbox), listed(&sandbox)), (Value::Null, 0));
    sandbox.propose(session("Three", "Third.")).applied();
    let told = sandbox.run(&["status"]).expect_code(0).stdout;
    let line = "1 change was applied without review since 2026-11-20T10:00:00Z:";
    assert!(told.contains(line), "{told}");
    assert_eq!(listed(&sandbox), 1);
}

#[test]
fn what_was_taken_back_needs_no_look() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("One", "First.")).applied();
    sandbox.run(&["undo", "--latest", "--approver", "Ada"]).expect_code(0);
    assert_eq!((count(&sandbox), listed(&sandbox)), (Value::Null, 0));
    let reply = sandbox.run(&["log", "--unreviewed"]).expect_code(0);
    assert!(reply.stderr.contains("nothing was applied without review"), "{}", reply.stderr);
}

#[test]
fn a_broken_mark_hides_nothing() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("One", "First.")).applied();
    for mark in ["", "x\n", "00000000000000999999 2026-11-20T10:00:00Z\n"] {
        sandbox.write("state/looked", mark);
        assert_eq!(listed(&sandbox), 1, "{mark}");
    }
}

const BY_HAND: &str = "# Conventions\n\n## Errors\n<!-- @id: errors -->\n\nThey name a path.\n";

#[test]
fn a_missing_source_is_a_warning_unless_the_team_denies_it() {
    let sandbox = Sandbox::given(&[("conventions.md", BY_HAND)]);
    let told = sandbox.run(&["check"]).expect_code(0).stdout;
    assert!(
        told.contains("conventions.md:3 warning") && told.contains("[provenance-missing]"),
        "{told}"
    );
    let config = sandbox.file("config.toml");
    sandbox.write("config.toml", config.replace("deny = [] ", "deny = [\"provenance-missing\"] "));
    let told = sandbox.run(&["check"]).expect_code(1).stdout;
    assert!(told.contains("conventions.md:3 error"), "{told}");
    // What is said at the command line counts more.
    sandbox.run(&["check", "--warn", "provenance-missing"]).expect_code(0);
    sandbox.write("config.toml", config.replace("deny = [] ", "deny = [\"provenance\"] "));
    let told = sandbox.run(&["check"]).expect_code(1).stdout;
    assert!(told.contains("there is no rule `provenance`"), "{told}");
}

#[test]
fn blame_says_that_a_section_was_written_by_hand_and_who_committed_it() {
    let sandbox = Sandbox::given(&[("conventions.md", BY_HAND)]);
    let told = sandbox.run(&["blame", "conventions.md#errors"]).expect_code(0).stdout;
    assert!(told.contains("by hand; in no commit yet"), "{told}");
    sandbox.git(&["config", "user.name", "Grace"]);
    sandbox.commit("conventions by hand");
    let told = sandbox.run(&["blame", "conventions.md#errors"]).expect_code(0).stdout;
    // Another clone's proposals are not known here, and leave no other mark.
    assert!(told.contains("by hand, or by a proposal that is not known here"), "{told}");
    let blamed = sandbox.run(&["blame", "conventions.md#errors", "--json"]).expect_code(0).json();
    assert_eq!(blamed["sections"][0]["written"], json!("by_hand"));
}
