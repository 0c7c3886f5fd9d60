//! A proposal of which branches applied different parts: `check` tells it once they are merged.

use serde_json::{Value, json};

use crate::merging::merge;
use crate::support::Sandbox;

const NAMES: [&str; 3] = ["queue", "cache", "index"];

fn section(name: &str) -> Value {
    json!({
        "operation": "append_section", "heading": format!("Use the {name}"),
        "content": format!("- **Date:** 2026-11-01\n- **Status:** active\n\nThe {name} holds what may be late."),
    })
}

fn request(names: &[&str]) -> Value {
    json!({
        "intent": "record_decision",
        "operations": names.iter().map(|name| section(name)).collect::<Vec<_>>(),
        "sources": [{ "type": "user", "ref": "ada" }],
    })
}

/// A store whose queue is in git, in which Ada and Ben each decided the same proposal on a branch, and git merged both.
fn decided_by(ada: &[&str], ben: &[&str]) -> (Sandbox, String) {
    decided_on(request(&NAMES), ada, ben)
}

fn decided_on(request: Value, ada: &[&str], ben: &[&str]) -> (Sandbox, String) {
    let sandbox = Sandbox::given(&[]);
    sandbox.run(&["config", "set", "staging.track", "true", "--approver", "Ada"]).expect_code(0);
    let id = sandbox.propose(request).staged();
    sandbox.commit("a proposal");
    sandbox.git(&["branch", "topic"]);
    for (name, words, branch) in [("Ada", ada, "main"), ("Ben", ben, "topic")] {
        sandbox.git(&["checkout", "--quiet", branch]);
        let words = [&[words[0], id.as_str()], &words[1..], &["--approver", name]].concat();
        sandbox.run(&words).expect_code(0);
        sandbox.git(&["add", "--all"]);
        let author = format!("--author={name} <{name}@example.org>");
        // With `--commit` there is nothing left.
        let commit = ["commit", "--quiet", "--allow-empty", &author, "--message", "decided"];
        sandbox.git(&commit);
    }
    sandbox.git(&["checkout", "--quiet", "main"]);
    assert!(merge(&sandbox, "topic"));
    (sandbox, id)
}

/// Returns the only finding, if any.
fn finding(sandbox: &Sandbox) -> Option<Value> {
    let findings = sandbox.run(&["check", "--json"]).json()["findings"].take();
    let mut findings = findings.as_array().unwrap().clone();
    assert!(findings.len() < 2, "{findings:?}");
    findings.pop()
}

fn message(sandbox: &Sandbox) -> String {
    finding(sandbox).unwrap()["message"].as_str().unwrap().to_owned()
}

/// Runs the command of the finding.
fn settle(sandbox: &Sandbox) {
    let found = finding(sandbox).unwrap();
    let command = found["repair"]["command"].as_str().unwrap_or_else(|| panic!("{found}"));
    let mut run = std::process::Command::new("sh");
    assert!(run.args(["-c", command]).current_dir(sandbox.project()).status().unwrap().success());
    assert_eq!(finding(sandbox), None, "{command}");
    sandbox.commit("settled");
    sandbox.run(&["check"]).expect_code(0);
    sandbox.run(&["status"]).expect_code(0);
}

fn take_out(sandbox: &Sandbox, name: &str) {
    sandbox.git(&["rm", "--quiet", &format!(".agent-memory/decisions/use-the-{name}.md")]);
}

/// Tells whether the text of a section counts as rejected, though its section is not there.
fn is_rejected(sandbox: &Sandbox, name: &str) -> bool {
    let again = format!("{name}, once more");
    let mut request = request(&[name]);
    request["operations"][0]["heading"] = json!(again);
    let answer = sandbox.propose(request).value.to_string();
    assert!(answer.contains("previously_rejected") || answer.contains("staged"), "{answer}");
    answer.contains("previously_rejected")
}

const WHOLE: &[&str] = &["apply"];
const PART: &[&str] = &["apply", "--only", "1", "--reason", "not these two"];
const NONE: &[&str] = &["reject", "--reason", "none of it"];

#[test]
fn a_part_that_another_branch_rejected_is_told_with_the_persons_and_the_reason() {
    for (ada, ben) in [(WHOLE, PART), (PART, WHOLE)] {
        let (sandbox, id) = decided_by(ada, ben);
        let said = message(&sandbox);
        let begin = format!(
            "operations 2, 3 of `{id}` were applied on one branch and rejected on another: applied in "
        );
        assert!(said.starts_with(&begin), "{said}");
        let (whole, part) = if ada == WHOLE { ("Ada", "Ben") } else { ("Ben", "Ada") };
        assert!(said.contains(&format!(" by {whole}; rejected in ")), "{said}");
        assert!(said.ends_with(&format!(" by {part}: not these two")), "{said}");
        let status = sandbox.run(&["status"]).expect_code(0);
        let status = format!("{}{}", status.stdout, status.stderr);
        assert!(status.contains("operations 2, 3 of"), "{status}");
    }
}

#[test]
fn what_all_applied_stays_once_the_rejection_of_the_rest_is_taken_out() {
    let (sandbox, _) = decided_by(WHOLE, PART);
    settle(&sandbox);
    assert!(NAMES.iter().all(|name| sandbox.has(&format!("decisions/use-the-{name}.md"))));
    take_out(&sandbox, "cache");
    assert!(!is_rejected(&sandbox, "cache"));
}

#[test]
fn the_rest_stays_rejected_once_its_text_is_out() {
    let (sandbox, _) = decided_by(WHOLE, PART);
    take_out(&sandbox, "cache");
    take_out(&sandbox, "index");
    settle(&sandbox);
    assert!(sandbox.has("decisions/use-the-queue.md"));
    assert!(is_rejected(&sandbox, "cache") && is_rejected(&sandbox, "index"));
}

#[test]
fn a_team_may_keep_some_of_what_is_disputed() {
    let (sandbox, _) = decided_by(WHOLE, PART);
    take_out(&sandbox, "cache");
    settle(&sandbox);
    assert!(is_rejected(&sandbox, "cache"));
    take_out(&sandbox, "index");
    assert!(!is_rejected(&sandbox, "index"));
}

#[test]
fn each_reason_stands_with_the_person_who_gave_it() {
    let (sandbox, id) = decided_by(PART, NONE);
    let said = message(&sandbox);
    assert!(
        said.starts_with(&format!("operation 1 of `{id}` was applied on one branch")),
        "{said}"
    );
    assert!(said.contains(": applied in ") && said.contains(" by Ada; rejected in "), "{said}");
    assert!(said.ends_with(" by Ben: none of it"), "{said}");
    assert!(!said.contains("not these two"), "that is not disputed: {said}");
}

#[test]
fn the_part_stays_and_the_rest_stays_rejected() {
    let (sandbox, _) = decided_by(PART, NONE);
    settle(&sandbox);
    assert!(
        sandbox.has("decisions/use-the-queue.md") && !sandbox.has("decisions/use-the-cache.md")
    );
    assert!(is_rejected(&sandbox, "cache") && is_rejected(&sandbox, "index"));
    take_out(&sandbox, "queue");
    assert!(!is_rejected(&sandbox, "queue"));
}

#[test]
fn a_part_whose_text_is_out_is_rejected_with_the_rest() {
    let (sandbox, _) = decided_by(PART, NONE);
    take_out(&sandbox, "queue");
    settle(&sandbox);
    assert!(NAMES.iter().all(|name| is_rejected(&sandbox, name)));
}

const SECOND: &[&str] = &["apply", "--only", "2", "--reason", "the cache alone"];

#[test]
fn of_two_parts_both_may_stay_and_what_both_rejected_stays_rejected() {
    let (sandbox, id) = decided_by(PART, SECOND);
    let said = message(&sandbox);
    assert!(said.starts_with(&format!("operations 1, 2 of `{id}` were applied on")), "{said}");
    assert!(said.contains(" by Ada: not these two") && said.contains(" by Ben: the cache alone"));
    settle(&sandbox);
    assert!(is_rejected(&sandbox, "index"));
    take_out(&sandbox, "cache");
    assert!(!is_rejected(&sandbox, "cache"));
}

#[test]
fn of_two_parts_a_team_may_keep_one() {
    let (sandbox, _) = decided_by(PART, SECOND);
    take_out(&sandbox, "queue");
    settle(&sandbox);
    assert!(sandbox.has("decisions/use-the-cache.md"));
    assert!(is_rejected(&sandbox, "queue") && is_rejected(&sandbox, "index"));
}

#[test]
fn the_same_part_is_the_same_decision_whatever_the_reasons() {
    let other: &[&str] = &["apply", "--only", "1", "--reason", "too early for the others"];
    let (sandbox, _) = decided_by(PART, other);
    assert_eq!(finding(&sandbox), None);
    sandbox.run(&["doctor"]).expect_code(0);
}

#[test]
fn a_part_that_is_taken_back_is_no_decision_any_more() {
    let (sandbox, id) = decided_by(NONE, PART);
    sandbox.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    assert_eq!(finding(&sandbox), None);
    sandbox.commit("taken back");
    assert_eq!(finding(&sandbox), None);
}

#[test]
fn a_choice_of_all_operations_is_the_whole_and_is_taken_back_as_such() {
    let all: &[&str] = &["apply", "--only", "1-3"];
    let (sandbox, id) = decided_by(WHOLE, all);
    assert_eq!(finding(&sandbox), None);
    assert!(sandbox.has(&format!("decided/{id}.applied")));
    sandbox.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    assert!(!sandbox.has(&format!("decided/{id}.applied")));
    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
}

#[test]
fn who_takes_a_part_back_leaves_the_decision_of_another() {
    let (sandbox, id) = decided_by(WHOLE, PART);
    sandbox.run(&["undo", &id, "--approver", "Ben"]).expect_code(0);
    assert!(sandbox.has("decisions/use-the-cache.md"));
    assert!(message(&sandbox).contains(" of `"), "what Ada applied and Ben rejected is there");
    assert!(sandbox.has(&format!("decided/{id}.applied")));
    assert!(!sandbox.has(&format!("decided/{id}.applied-1")));
}

#[test]
fn a_short_text_without_a_path_is_told_like_any_other() {
    let short =
        |name: &str| json!({ "operation": "append_section", "heading": name, "content": "- No." });
    let names = ["Queues", "Caches"];
    let request = json!({
        "intent": "add_pitfall", "operations": names.iter().map(|it| short(it)).collect::<Vec<_>>(),
    });
    let first: &[&str] = &["apply", "--only", "1", "--reason", "the first"];
    let (sandbox, id) = decided_on(request.clone(), first, SECOND);
    let said = message(&sandbox);
    assert!(said.starts_with(&format!("operations 1, 2 of `{id}` were")), "{said}");
    let (sandbox, _) = decided_on(request, first, NONE);
    let said = message(&sandbox);
    assert!(
        said.contains(" by Ada; rejected in ") && said.ends_with(" by Ben: none of it"),
        "{said}"
    );
}

#[test]
fn a_commit_of_a_part_takes_the_rejection_of_the_rest_along() {
    let commit = |number: &'static str| -> Vec<&'static str> {
        vec!["apply", "--only", number, "--reason", "one alone", "--commit"]
    };
    let (sandbox, id) = decided_by(&commit("1"), &commit("2"));
    assert!(message(&sandbox).starts_with(&format!("operations 1, 2 of `{id}` were")));
    assert_eq!(sandbox.git(&["status", "--short"]), "");
}

#[test]
fn without_the_request_a_person_gets_both_commands() {
    let (sandbox, id) = decided_by(WHOLE, PART);
    sandbox.git(&["rm", "--quiet", &format!(".agent-memory/decided/{id}.json")]);
    sandbox.commit("tidied");
    let by_hand = finding(&sandbox).unwrap()["repair"]["by_hand"].to_string();
    for mark in ["rejected-2 ", "rejected-3 ", "applied`"] {
        assert!(by_hand.contains(&format!("decided/{id}.{mark}")), "{mark}: {by_hand}");
    }
}
