//! `log`: who decided what.

use serde_json::json;

use crate::requests::{TELLING, convention, session};
use crate::support::Sandbox;

#[test]
fn the_youngest_decision_stands_first() {
    let mut sandbox = Sandbox::new();
    let mut request = convention("Errors", TELLING);
    request["rationale"] = json!("Errors that help");
    request["owner"] = json!("claude");
    let id = sandbox.propose(request).staged();
    sandbox.advance_days(1);
    sandbox.apply(&id).applied();
    let reply = sandbox.run(&["log"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout.replace(&id, "[id]"), @r"
    2026-11-21T10:00:00Z applied  [id] by Ada from claude
        Errors that help
    2026-11-20T10:00:00Z staged   [id] from claude
        Errors that help
    ");
}

#[test]
fn a_decision_names_files_sections_and_hashes() {
    let sandbox = Sandbox::new();
    let answer = sandbox.propose(session("Today", "Done.")).applied();
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    let line = &log["decisions"][0];
    assert_eq!(line["id"], answer["proposal_id"]);
    assert_eq!(line["sections"], answer["affected_sections"]);
    assert_eq!(line["files"][0]["path"], "sessions/2026-11-20.md");
    assert_eq!(line["files"][0]["after"].as_str().unwrap().len(), 64);
}

#[test]
fn the_log_has_one_line_for_each_decision() {
    let sandbox = Sandbox::new();
    let first = sandbox.propose(convention("One", "The first.")).staged();
    let second = sandbox.propose(convention("Two", "The second.")).staged();
    sandbox.apply(&first).applied();
    sandbox.run(&["reject", &second]).expect_code(0);
    assert_eq!(sandbox.file("state/log.jsonl").lines().count(), 4);
}

#[test]
fn a_limit_keeps_the_youngest() {
    let sandbox = Sandbox::new();
    for day in ["One", "Two", "Three"] {
        sandbox.propose(session(day, "Done.")).applied();
    }
    let log = sandbox.run(&["log", "--limit", "1", "--json"]).expect_code(0).json();
    let decisions = log["decisions"].as_array().unwrap();
    assert_eq!(decisions.len(), 1);
    assert_eq!(decisions[0]["sections"][0]["section_id"], "three");
}

#[test]
fn a_new_store_has_decided_nothing() {
    let sandbox = Sandbox::new();
    let reply = sandbox.run(&["log"]).expect_code(0);
    assert_eq!(reply.stderr, "nothing was decided yet\n");
}

#[test]
fn a_torn_last_line_is_passed_over_and_the_next_decision_is_whole() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("One", "Done.")).applied();
    sandbox.append("state/log.jsonl", "{\"time\":\"2026-");
    sandbox.propose(session("Two", "Done.")).applied();
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    assert_eq!(log["decisions"].as_array().unwrap().len(), 2);
    assert_eq!(sandbox.file("state/log.jsonl").lines().count(), 2);
}

#[test]
fn hidden_characters_of_an_approver_reach_no_terminal() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("One", "The first.")).staged();
    sandbox.run(&["apply", &id, "--approver", "A\u{202e}da\u{1b}[31m"]);
    let reply = sandbox.run(&["log"]).expect_code(0);
    assert!(!reply.stdout.contains('\u{202e}') && !reply.stdout.contains('\u{1b}'));
}
