//! What the check of a change says of the queue, and of decisions that two branches made.

use serde_json::{Value, json};

use crate::requests::convention;
use crate::support::Sandbox;

/// Makes a store whose queue is in git, with a pending proposal; returns its id.
fn tracked() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    let config = sandbox.file("config.toml").replace("track = false", "track = true");
    sandbox.write("config.toml", config);
    sandbox.run(&["doctor", "--fix"]);
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    commit(&sandbox, "a proposal");
    (sandbox, id)
}

fn commit(sandbox: &Sandbox, message: &str) {
    sandbox.git(&["add", "--all"]);
    sandbox.git(&["commit", "--quiet", "--message", message]);
}

fn decide(sandbox: &Sandbox, id: &str, how: &str) {
    let reason: &[&str] = if how == "reject" { &["--reason", "no"] } else { &[] };
    sandbox.run(&[&[how, id, "--approver", "Ada"], reason].concat()).expect_code(0);
    commit(sandbox, how);
}

fn report(sandbox: &Sandbox, more: &[&str]) -> Value {
    let reply = sandbox.run(&[&["check", "--json"], more].concat());
    serde_json::from_str(&reply.stdout).unwrap()
}

#[test]
fn a_change_lists_the_proposals_that_it_added_or_decided() {
    let (sandbox, first) = tracked();
    sandbox.git(&["checkout", "--quiet", "-b", "topic"]);
    let ids = |report: &Value| -> Vec<String> {
        let all = report["pending"].as_array().unwrap().iter();
        all.map(|pending| pending["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&report(&sandbox, &[])), std::slice::from_ref(&first));
    assert!(ids(&report(&sandbox, &["--base", "main"])).is_empty(), "it is of another branch");
    let second = sandbox.propose(convention("Dates", "They are ISO 8601.")).staged();
    commit(&sandbox, "one more");
    let said = report(&sandbox, &["--base", "main"]);
    assert_eq!((ids(&said), &said["decided"]), (vec![second], &Value::Null));
    decide(&sandbox, &first, "reject");
    let said = report(&sandbox, &["--base", "main"]);
    assert_eq!(said["decided"], json!([{"id": first, "decision": "rejected"}]));
    let comment = sandbox.run(&["check", "--base", "main", "--format", "markdown"]).stdout;
    assert!(comment.contains("#### Decided: 1 proposal") && comment.contains(&first), "{comment}");
    let code = sandbox.run(&["check", "--base", "HEAD", "--pending-exit-code", "9"]);
    code.expect_code(0);
}

#[test]
fn two_branches_that_decide_differently_are_told_once_they_are_merged() {
    let (sandbox, id) = tracked();
    sandbox.git(&["checkout", "--quiet", "-b", "topic"]);
    decide(&sandbox, &id, "reject");
    sandbox.git(&["checkout", "--quiet", "main"]);
    decide(&sandbox, &id, "apply");
    sandbox.run(&["check"]).expect_code(0);
    sandbox.git(&["merge", "--quiet", "--no-edit", "topic"]);
    for more in [&[][..], &["--base", "HEAD^1"], &["--staged"]] {
        let said = report(&sandbox, more);
        let found = &said["findings"][0];
        assert_eq!(
            (&found["rule"], &found["level"]),
            (&json!("decision-disputed"), &json!("error"))
        );
        assert_eq!(found["path"], format!(".agent-memory/decided/{id}.rejected"));
    }
    assert_eq!(report(&sandbox, &["--base", "HEAD"])["findings"], json!([]));
    // The command that it names settles it.
    let command = report(&sandbox, &[])["findings"][0]["repair"]["command"].clone();
    let command = command.as_str().unwrap().replace('\'', "");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    sandbox.git(&words);
    commit(&sandbox, "settled");
    sandbox.run(&["check"]).expect_code(0);
    sandbox.run(&["doctor"]).expect_code(0);
}

#[test]
fn each_finding_names_what_repairs_it_in_every_format() {
    let sandbox = Sandbox::new();
    sandbox.write("conventions.md", "# Conventions\n\n## Cache\n\nWarm.\n");
    let repair = "agent-memory fmt-ids conventions.md";
    for format in ["human", "github", "gitlab", "sarif", "markdown", "junit", "json"] {
        let said = sandbox.run(&["check", "--format", format]).expect_code(1).stdout;
        assert!(said.contains(repair), "{format}: {said}");
    }
    let words: Vec<&str> = repair.split(' ').skip(1).collect();
    sandbox.run(&words).expect_code(0);
    let rest = sandbox.run(&["check", "--format", "human"]).stdout;
    assert!(!rest.contains("id-missing"), "{rest}");
}

const FOLDER: &str = "staging/20261120-100000-cache-abcd";

#[test]
fn an_empty_folder_of_the_queue_blocks_no_commit() {
    let sandbox = Sandbox::new();
    commit(&sandbox, "the store");
    std::fs::create_dir_all(sandbox.store().join(FOLDER)).unwrap();
    for more in [&[][..], &["--base", "HEAD"], &["--staged"], &["--staged", "--base", "HEAD"]] {
        let said = sandbox.run(&[&["check"], more].concat()).expect_code(0).stdout;
        assert!(!said.contains("staging"), "{more:?}: {said}");
    }
    // A person is told all the same.
    let said = sandbox.run(&["doctor"]).expect_code(0).stdout;
    assert!(said.contains("is an empty folder") && said.contains("`rmdir`"), "{said}");
}

#[test]
fn a_queue_that_git_ignores_is_no_part_of_a_commit() {
    let mut sandbox = Sandbox::new();
    commit(&sandbox, "the store");
    sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.advance_days(30);
    sandbox.write(&format!("{FOLDER}/proposal.json"), "{");
    let rules = |more: &[&str]| -> Vec<String> {
        let said = report(&sandbox, more);
        let found = said["findings"].as_array().unwrap().iter();
        found.map(|it| it["rule"].as_str().unwrap().to_owned()).collect()
    };
    for more in [&["--staged"][..], &["--staged", "--base", "HEAD"], &["--base", "HEAD"]] {
        assert_eq!(rules(more), [""; 0], "{more:?}");
    }
    let mut all = rules(&[]);
    all.sort();
    assert_eq!(all, ["file-unreadable", "proposal-expired"]);
}

#[test]
fn of_a_queue_in_git_the_staged_text_is_checked() {
    let (sandbox, id) = tracked();
    let path = format!("staging/{id}/proposal.json");
    let good = sandbox.file(&path);
    let code = |more: &[&str]| sandbox.run(&[&["check"], more].concat()).code;
    sandbox.write(&path, "{");
    assert_eq!((code(&["--staged"]), code(&["--base", "HEAD"]), code(&[])), (0, 1, 1));
    sandbox.git(&["add", "--all"]);
    sandbox.write(&path, &good);
    assert_eq!((code(&["--staged"]), code(&["--base", "HEAD"]), code(&[])), (1, 0, 0));
    sandbox.git(&["reset", "--quiet", "--hard"]);
    // Without its request it is no proposal.
    sandbox.write(&format!("staging/{id}/base/conventions.md"), "# Conventions\n");
    sandbox.git(&["add", "--all"]);
    sandbox.git(&["rm", "--quiet", "--cached", &format!(".agent-memory/{path}")]);
    let said = sandbox.run(&["check", "--staged"]).expect_code(1).stdout;
    assert!(said.contains("`proposal.json` is missing"), "{said}");
}
