//! `sweep`: what has waited too long leaves the queue, and nothing is lost.

use std::process::Command;

use serde_json::json;

use crate::crash::has_strace;
use crate::requests::{TELLING, convention};
use crate::support::{Reply, Sandbox};

/// A queue of which one proposal has expired; its id, and that of the other.
fn queue() -> (Sandbox, String, String) {
    let mut sandbox = Sandbox::new();
    let old = sandbox.propose(convention("Errors", TELLING)).staged();
    sandbox.advance_days(6);
    let young = sandbox.propose(convention("Names", "Names are long.")).staged();
    sandbox.advance_days(2);
    (sandbox, old, young)
}

#[test]
fn what_expired_moves_to_the_trash_and_the_rest_waits() {
    let (sandbox, old, young) = queue();
    let proposal = sandbox.file(&format!("staging/{old}/proposal.json"));
    let reply = sandbox.run(&["sweep"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout.replace(&old, "[id]"), @"swept [id], expired at 2026-11-27T10:00:00Z, kept in state/trash/[id]");
    assert_eq!(reply.stderr, "1 proposal is pending\n");
    assert_eq!(sandbox.file(&format!("state/trash/{old}/proposal.json")), proposal);
    assert!(sandbox.has(&format!("staging/{young}")));
    let decision = &sandbox.run(&["log", "--json"]).expect_code(0).json()["decisions"][0];
    assert_eq!((&decision["decision"], &decision["id"]), (&json!("swept"), &json!(old)));
}

#[test]
fn a_swept_text_may_be_proposed_again() {
    let (sandbox, old, _) = queue();
    sandbox.run(&["sweep"]).expect_code(0);
    assert_ne!(sandbox.propose(convention("Errors", TELLING)).staged(), old);
}

#[test]
fn a_dry_run_says_what_would_be_swept_and_moves_nothing() {
    let (sandbox, old, _) = queue();
    let before = sandbox.tree();
    let swept = sandbox.run(&["sweep", "--dry-run", "--json"]).expect_code(0).json();
    assert_eq!((&swept["swept"][0]["id"], &swept["left"]), (&json!(old), &json!(2)));
    assert_eq!((&swept["dry_run"], swept["swept"][0].get("kept_in")), (&json!(true), None));
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn nothing_to_sweep_is_said() {
    let reply = Sandbox::new().run(&["sweep"]).expect_code(0);
    assert_eq!(
        (&*reply.stdout, &*reply.stderr),
        ("", "nothing has expired, 0 proposals are pending\n")
    );
}

#[test]
fn a_sweep_that_fails_midway_says_what_it_has_moved() {
    if !has_strace() {
        return;
    }
    let (mut sandbox, old, young) = queue();
    sandbox.advance_days(7);
    // The record of the second decision cannot be made durable.
    let mut command = Command::new("strace");
    command.args(["-qq", "-o", "/dev/null", "-e", "trace=fdatasync", "-e"]);
    command.args(["inject=fdatasync:error=EIO:when=2"]).arg(env!("CARGO_BIN_EXE_agent-memory"));
    command.args(["sweep", "--json"]).current_dir(sandbox.project()).env_clear();
    command.env("AGENT_MEMORY_NOW", "2026-12-20T10:00:00Z");
    let reply = Reply::of(command.output().unwrap()).expect_code(2);
    let hint = reply.json()["error"]["hint"].as_str().unwrap().to_owned();
    assert!(hint.ends_with(&format!("swept before that, and kept in state/trash/{old}")), "{hint}");
    assert!(sandbox.has(&format!("state/trash/{old}")) && sandbox.has(&format!("staging/{young}")));
}
