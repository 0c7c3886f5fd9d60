//! A command that reads stdin says on stderr what it waits for, and goes on when it comes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use serde_json::json;

use crate::requests::session;
use crate::support::Sandbox;

/// Starts a command with an open pipe, reads a line from stderr, then sends a text; returns the line and stdout.
#[track_caller]
fn wait_then_send(sandbox: &Sandbox, command: &[&str], text: &str) -> (String, String) {
    let mut process = sandbox.process(command);
    process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = process.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(text.as_bytes()).unwrap();
    drop(stdin);
    let mut stdout = String::new();
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    child.wait().unwrap();
    (line, stdout)
}

#[cfg(unix)]
#[test]
fn a_silent_pipe_is_told_what_is_waited_for() {
    let sandbox = Sandbox::new();
    let request = session("Today", "Done.").to_string();
    let (line, answer) = wait_then_send(&sandbox, &["propose"], &request);
    assert!(line.starts_with("waiting for a request"), "{line}");
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["status"], "applied");

    let (line, _) = wait_then_send(&sandbox, &["secrets", "scan", "-"], "plain words\n");
    assert_eq!(line, "waiting for a text on standard input\n");
    let call = json!({"action": "list"}).to_string();
    let (line, answer) = wait_then_send(&sandbox, &["user", "call"], &call);
    assert!(line.starts_with("waiting for a request") && answer.starts_with('{'), "{line}{answer}");
}

#[test]
fn what_is_there_at_once_is_waited_for_without_a_word() {
    let sandbox = Sandbox::new();
    let mut process = sandbox.process(&["propose"]);
    process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = process.spawn().unwrap();
    child.stdin.take().unwrap().write_all(session("A", "B.").to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
