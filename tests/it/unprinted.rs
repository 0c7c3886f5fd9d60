//! An answer that cannot be printed: what was changed is told on stderr, so that no one runs the command again.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;

use crate::requests::{convention, session};
use crate::support::{Reply, Sandbox};

/// Runs a command whose stdout is a full disk, or a pipe without a reader.
fn run(sandbox: &Sandbox, arguments: &[&str], stdin: &str, stdout: impl Into<Stdio>) -> Reply {
    let mut command = sandbox.process(arguments);
    command.stdin(Stdio::piped()).stdout(stdout).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    Reply::of(child.wait_with_output().unwrap())
}

fn full() -> File {
    fs::File::options().write(true).open("/dev/full").unwrap()
}

fn without_reader() -> std::io::PipeWriter {
    std::io::pipe().unwrap().1
}

/// Checks that stderr has the answer, and that stdout's failure is an error.
fn tells(reply: Reply, words: &[&str]) -> String {
    let said = reply.expect_code(2).stderr;
    assert!(said.contains("could not print the answer"), "{said}");
    assert!(said.contains("stays changed"), "{said}");
    words.iter().for_each(|word| assert!(said.contains(word), "{word}: {said}"));
    said
}

/// Returns the JSON document that stands on a line of stderr.
fn document(said: &str) -> Value {
    let line = said.lines().find(|line| line.starts_with('{'));
    serde_json::from_str(line.unwrap_or_else(|| panic!("no document: {said}"))).unwrap()
}

#[test]
fn a_proposal_whose_answer_is_lost_is_told_with_its_id() {
    let sandbox = Sandbox::new();
    let request = convention("Errors", "They name a path.").to_string();
    let said = tells(run(&sandbox, &["propose"], &request, full()), &["staged"]);
    let id = document(&said)["staging_id"].as_str().unwrap().to_owned();
    assert!(sandbox.has(&format!("staging/{id}")), "{id}");
    let direct = session("Work", "It works.").to_string();
    let said = tells(run(&sandbox, &["propose"], &direct, full()), &[]);
    assert_eq!(document(&said)["status"], "applied");
    let said = tells(run(&sandbox, &["propose"], "{}", full()), &[]);
    assert_eq!(document(&said)["status"], "rejected");
}

#[test]
fn every_decision_is_made_and_told() {
    let sandbox = Sandbox::new();
    let ids = ["Errors", "Paths", "Names"]
        .map(|title| sandbox.propose(convention(title, "They name a path.")).staged());
    let [first, second, third] = ids.each_ref().map(String::as_str);
    let apply = ["apply", first, second, "--approver", "Ada"];
    tells(
        run(&sandbox, &apply, "", full()),
        &[&format!("applied {first}"), &format!("applied {second}")],
    );
    let reject = run(&sandbox, &["reject", third, "--json"], "", full());
    assert_eq!(document(&tells(reject, &[]))["status"], "rejected");
    tells(
        run(&sandbox, &["restore", third, "--approver", "Ada"], "", full()),
        &[&format!("restored {third}")],
    );
    tells(
        run(&sandbox, &["undo", second, "--approver", "Ada"], "", full()),
        &[&format!("undone {second}")],
    );
    assert!(!sandbox.file("conventions.md").contains("Paths"));
}

#[test]
fn what_is_made_in_other_memories_and_files_is_told() {
    let sandbox = Sandbox::without_store();
    tells(run(&sandbox, &["init"], "", full()), &["made"]);
    tells(run(&sandbox, &["install", "cursor"], "", full()), &["created AGENTS.md"]);
    let user = ["user", "upsert", "tone", "--type", "user", "--description", "How to write"];
    tells(run(&sandbox, &user, "Short.", full()), &["tone"]);
    let stored = run(&sandbox, &["service", "store", "Ada likes tea", "--json"], "", full());
    assert_ne!(document(&tells(stored, &[]))["memory_id"], Value::Null);
}

#[test]
fn a_token_is_not_repeated_on_stderr() {
    let sandbox = Sandbox::new();
    let add = ["serve", "--data", "data", "token", "add", "ada"];
    for arguments in [add.to_vec(), [&add[..], &["--json"]].concat()] {
        tells(run(&sandbox, &arguments, "", full()), &["can be revoked"]);
    }
}

#[test]
fn a_reader_that_is_gone_is_told_on_stderr_only_if_it_read_nothing() {
    let sandbox = Sandbox::new();
    let request = convention("Errors", "They name a path.").to_string();
    let reply = run(&sandbox, &["propose"], &request, without_reader()).expect_code(0);
    let id = document(&reply.stderr)["staging_id"].as_str().unwrap().to_owned();
    let read = run(&sandbox, &["status"], "", without_reader()).expect_code(0);
    assert!(!read.stderr.contains("could not"), "{}", read.stderr);
    let read = run(&sandbox, &["show", &id], "", full()).expect_code(2).stderr;
    assert!(read.contains("ulimit -f") && !read.contains("stays changed"), "{read}");
}
