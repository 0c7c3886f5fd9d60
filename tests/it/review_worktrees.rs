//! `review --worktrees`: one loop over what waits in every worktree of the repository.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::requests::{TELLING, convention, new_body, with_founded_conventions};
use crate::support::{Sandbox, Terminal};

/// What stands at the end of the question.
const ASK: &str = "?] ";

/// A committed store, and a worktree of it on the branch `topic`.
fn two_worktrees() -> Sandbox {
    let sandbox = with_founded_conventions();
    sandbox.commit("the store");
    sandbox.git(&["worktree", "add", "--quiet", "-b", "topic", "../topic"]);
    sandbox.git(&["config", "user.name", "Grace"]);
    sandbox
}

fn propose_there(sandbox: &Sandbox, request: Value) -> String {
    sandbox.call(&["propose"]).within("../topic").stdin(request.to_string()).run().answer().staged()
}

fn there(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    sandbox.call(arguments).within("../topic").run().expect_code(0).json()
}

fn waiting_there(sandbox: &Sandbox) -> Value {
    there(sandbox, &["status", "--json"])["pending"].clone()
}

fn last_there(sandbox: &Sandbox) -> Value {
    there(sandbox, &["log", "--json"])["decisions"][0].clone()
}

fn store_there(sandbox: &Sandbox) -> PathBuf {
    sandbox.project().join("../topic/.agent-memory")
}

fn copy(from: &PathBuf, to: &PathBuf) {
    assert!(Command::new("cp").arg("-a").args([from, to]).status().unwrap().success());
}

fn at_review(sandbox: &Sandbox, columns: u16, variables: &[(&str, &str)]) -> Terminal {
    Terminal::run(sandbox, "review --worktrees", columns, variables)
}

#[test]
fn every_proposal_names_its_worktree_and_lands_where_one_stands() {
    for columns in [80, 40] {
        let sandbox = two_worktrees();
        sandbox.propose(convention("Paths", TELLING)).staged();
        let id = propose_there(&sandbox, convention("Dates", "They are ISO 8601."));
        let mut terminal = at_review(&sandbox, columns, &[]);
        let first = terminal.answer(ASK, "k");
        assert!(first.contains("[1/2]") && first.contains("in main at"), "{first}");
        assert!(first.contains("(here)"), "{first}");
        let second = terminal.answer(ASK, "a");
        assert!(second.contains("[2/2]") && second.contains("in topic at"), "{second}");
        assert!(second.lines().all(|line| line.chars().count() <= columns.into()), "{second}");
        assert!(terminal.end().0.contains("1 applied, 0 rejected, 1 proposal left"));
        assert!(sandbox.file("conventions.md").contains("They are ISO 8601."));
        assert_eq!(waiting_there(&sandbox), json!([]));
        let last = last_there(&sandbox);
        assert_eq!(
            (&last["decision"], &last["id"], &last["approver"]),
            (&json!("moved"), &json!(id), &json!("Grace"))
        );
    }
}

#[test]
fn r_rejects_it_where_it_waits_and_u_lets_it_wait_there_again() {
    let sandbox = two_worktrees();
    let id = propose_there(&sandbox, convention("Dates", "They are ISO 8601."));
    let before = sandbox.tree();
    let mut terminal = at_review(&sandbox, 80, &[]);
    terminal.answer(ASK, "r");
    terminal.answer("Why? ", "not ours\r");
    assert!(terminal.end().0.contains("0 applied, 1 rejected, 0 proposals left"));
    assert!(sandbox.tree() == before, "nothing is decided where one stands");
    let last = last_there(&sandbox);
    assert_eq!((&last["decision"], &last["reason"]), (&json!("rejected"), &json!("not ours")));

    let again = sandbox.call(&["restore", &id, "--approver", "Ada"]).within("../topic").run();
    again.expect_code(0);
    propose_there(&sandbox, convention("Logs", TELLING));
    let mut terminal = at_review(&sandbox, 80, &[]);
    terminal.answer(ASK, "a");
    terminal.answer(ASK, "u");
    assert!(terminal.answer(ASK, "q").contains("[1/2]"));
    terminal.end();
    assert_eq!(waiting_there(&sandbox).as_array().unwrap().len(), 2);
    assert!(!sandbox.file("conventions.md").contains("ISO 8601"));
}

#[test]
fn what_does_not_fit_here_is_merged_with_the_files_here() {
    let sandbox = two_worktrees();
    propose_there(&sandbox, new_body("errors", "They name a path.\n\nAnd a line."));
    let by_hand = sandbox
        .file("conventions.md")
        .replace("They name a path.", "By hand.\n\nThey name a path.");
    sandbox.write("conventions.md", by_hand);
    let mut terminal = at_review(&sandbox, 80, &[]);
    assert!(terminal.answer(ASK, "b").contains("stop target_drift"));
    assert!(terminal.answer(ASK, "a").contains("in your words"));
    terminal.end();
    let text = sandbox.file("conventions.md");
    assert!(text.contains("By hand.") && text.contains("And a line."), "{text}");
    assert_eq!(waiting_there(&sandbox), json!([]));
}

/// The worst that a kill between the two changes leaves.
#[test]
fn what_landed_here_and_waits_there_still_is_known_and_lands_once() {
    let sandbox = two_worktrees();
    let id = propose_there(&sandbox, convention("Dates", "They are ISO 8601."));
    let (store, kept) = (store_there(&sandbox), sandbox.root().join("kept"));
    copy(&store, &kept);
    let apply = ["apply", &id, "--from-worktree", "topic", "--approver", "Ada", "--json"];
    sandbox.run(&apply).answer().applied();
    std::fs::remove_dir_all(&store).unwrap();
    copy(&kept, &store);
    let text = sandbox.file("conventions.md");

    let refused = sandbox.run(&apply).answer().rejected("staging_not_found");
    assert!(refused["hint"].as_str().unwrap().contains("review --worktrees"));
    for (key, left, columns) in [("n", 1, 80), ("q", 1, 40), ("y", 0, 40)] {
        let mut terminal = at_review(&sandbox, columns, &[]);
        let shown = terminal.answer("Take it out of the queue there? [y,n,q] ", key);
        assert!(shown.lines().all(|line| line.chars().count() <= columns.into()), "{shown}");
        let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("was applied here at") && words.contains("topic at"), "{shown}");
        let (shown, code) = terminal.end();
        assert!(shown.contains("0 applied, 0 rejected") && code == 0, "{shown}");
        assert_eq!(waiting_there(&sandbox).as_array().unwrap().len(), left);
    }
    assert_eq!(sandbox.file("conventions.md"), text);
    assert_eq!(last_there(&sandbox)["decision"], "moved");
    let verified = sandbox.call(&["log", "--verify"]).within("../topic").run();
    verified.expect_code(0);
}

#[test]
fn an_agent_decides_nothing_in_any_worktree() {
    let sandbox = two_worktrees();
    propose_there(&sandbox, convention("Dates", "They are ISO 8601."));
    let (shown, code) = at_review(&sandbox, 80, &[("CLAUDECODE", "1")]).end();
    assert!(shown.contains("approval_refused") && code == 1, "{shown}");
    assert_eq!(waiting_there(&sandbox).as_array().unwrap().len(), 1);
}

#[test]
fn a_worktree_that_goes_meanwhile_ends_nothing() {
    let sandbox = two_worktrees();
    sandbox.propose(convention("Paths", TELLING)).staged();
    propose_there(&sandbox, convention("Dates", "They are ISO 8601."));
    let mut terminal = at_review(&sandbox, 80, &[]);
    terminal.answer(ASK, "");
    std::fs::remove_dir_all(sandbox.project().join("../topic")).unwrap();
    terminal.press("a");
    let (shown, code) = terminal.end();
    assert!(shown.contains("1 applied, 0 rejected, 1 proposal left"), "{shown}");
    assert_eq!(code, 0);
}

#[test]
fn the_commands_that_are_printed_work_as_they_stand() {
    let sandbox = two_worktrees();
    let dates = propose_there(&sandbox, convention("Dates", "They are ISO 8601."));
    propose_there(&sandbox, convention("Logs", TELLING));
    let commands = || -> Vec<Vec<String>> {
        let json = sandbox.run(&["review", "--worktrees", "--json"]).expect_code(0).json();
        let first = json["worktrees"][1]["proposals"][0]["commands"].as_array().unwrap().clone();
        let words = |line: &Value| {
            let line = line.as_str().unwrap().replace("NAME", "Ada");
            line.split(' ').skip(1).map(str::to_owned).collect()
        };
        first.iter().map(words).collect()
    };
    let run = |words: &[String]| {
        sandbox.run(&words.iter().map(String::as_str).collect::<Vec<_>>()).expect_code(0)
    };
    let [apply_here, apply_there, _] = &commands()[..] else { panic!("{:?}", commands()) };
    assert!(apply_here.contains(&"--from-worktree".to_owned()), "{apply_here:?}");
    assert!(apply_there.contains(&"--root".to_owned()), "{apply_there:?}");
    run(apply_here);
    assert_ne!(waiting_there(&sandbox)[0]["id"], json!(dates));
    run(commands().last().unwrap());
    assert_eq!(waiting_there(&sandbox), json!([]));
}
