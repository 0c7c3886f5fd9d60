//! `log`: who decided what.
#![allow(clippy::print_stdout, reason = "a test that is left out says so")]

use std::process::{Command, Stdio};

use serde_json::json;

use crate::requests::{TELLING, convention, session};
use crate::support::{Reply, Sandbox};

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

#[test]
fn a_line_that_somebody_forged_steers_no_terminal() {
    let sandbox = Sandbox::new();
    let evil = "\u{1b}[2J\u{202e}";
    let line = json!({ "time": evil, "id": evil, "decision": evil, "approver": evil });
    sandbox.write(LOG, format!("{line}\n5\n[]\n"));
    let reply = sandbox.run(&["log"]).expect_code(0);
    assert!(!reply.stdout.contains(['\u{1b}', '\u{202e}']), "{}", reply.stdout);
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    assert_eq!(log["decisions"].as_array().unwrap().len(), 1);
}

/// A store that took four decisions.
fn with_decisions() -> Sandbox {
    let sandbox = Sandbox::new();
    for day in ["One", "Two", "Three", "Four"] {
        sandbox.propose(session(day, "Done.")).applied();
    }
    sandbox
}

/// Rewrites the lines of the log.
fn rewrite(sandbox: &Sandbox, change: impl FnOnce(&mut Vec<String>)) {
    let mut lines: Vec<String> = sandbox.file(LOG).lines().map(str::to_owned).collect();
    change(&mut lines);
    sandbox.write(LOG, lines.into_iter().map(|line| line + "\n").collect::<String>());
}

/// Expects findings of `log --verify` and of `doctor`: line and kind.
#[track_caller]
fn expect_findings<const N: usize>(sandbox: &Sandbox, expected: [(u64, &str); N]) {
    let code = i32::from(N > 0);
    let verdict = sandbox.run(&["log", "--verify", "--json"]).expect_code(code).json();
    let found = verdict["findings"].as_array().unwrap().iter();
    let found: Vec<_> = found
        .map(|each| (each["line"].as_u64().unwrap(), each["kind"].as_str().unwrap()))
        .collect();
    assert_eq!(found, expected, "{verdict}");
    let doctor = sandbox.run(&["doctor", "--json"]).json();
    let named = doctor["findings"].as_array().unwrap().iter();
    assert_eq!(named.filter(|each| each["check"] == "log").count(), N, "{doctor}");
}

const LOG: &str = "state/log.jsonl";

#[test]
fn an_untouched_log_is_unbroken() {
    let reply = with_decisions().run(&["log", "--verify"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout, @"4 decisions, chain unbroken");
    let reply = Sandbox::new().run(&["log", "--verify"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout, @"0 decisions, chain unbroken");
}

#[test]
fn a_broken_log_says_where_and_what() {
    let sandbox = with_decisions();
    rewrite(&sandbox, |lines| {
        lines[0] = lines[0].replace("applied", "refused");
        lines.truncate(2);
    });
    let reply = sandbox.run(&["log", "--verify"]).expect_code(1);
    insta::assert_snapshot!(reply.stdout, @r"
    line 1 changed: its hash is not the one that line 2 names
    line 2 cut: 2 decisions behind it are gone
    2 decisions, chain broken
    ");
}

#[test]
fn every_kind_of_tampering_is_found() {
    let hurt = |change: fn(&mut Vec<String>)| {
        let sandbox = with_decisions();
        rewrite(&sandbox, change);
        sandbox
    };
    expect_findings(&hurt(|lines| lines[3] += " "), [(4, "changed")]);
    expect_findings(&hurt(|lines| drop(lines.remove(1))), [(2, "missing")]);
    expect_findings(&hurt(|lines| drop(lines.pop())), [(3, "cut")]);
    expect_findings(&hurt(|lines| lines.insert(2, lines[0].clone())), [(3, "foreign")]);
    expect_findings(
        &hurt(|lines| lines.push("{\"decision\":\"applied\"}".to_owned())),
        [(5, "foreign")],
    );
    expect_findings(&hurt(Vec::clear), [(0, "cut")]);
}

#[test]
fn after_tampering_work_goes_on_and_the_log_still_tells() {
    let sandbox = with_decisions();
    rewrite(&sandbox, |lines| lines.truncate(2));
    sandbox.propose(session("Five", "Done.")).applied();
    expect_findings(&sandbox, [(3, "missing")]);
    sandbox.propose(session("Six", "Done.")).applied();
    expect_findings(&sandbox, [(3, "missing")]);
}

#[test]
fn a_log_that_was_deleted_is_missed() {
    let sandbox = with_decisions();
    std::fs::remove_file(sandbox.store().join(LOG)).unwrap();
    expect_findings(&sandbox, [(0, "cut")]);
    sandbox.propose(session("Five", "Done.")).applied();
    expect_findings(&sandbox, [(1, "missing")]);
}

#[test]
fn a_torn_line_is_a_finding_until_the_next_decision_cuts_it() {
    let sandbox = with_decisions();
    sandbox.append(LOG, "{\"time\":\"2026-");
    expect_findings(&sandbox, [(5, "torn")]);
    sandbox.propose(session("Five", "Done.")).applied();
    expect_findings(&sandbox, []);
}

#[test]
fn lines_from_before_the_chain_are_read_and_held_by_the_first_chained_one() {
    let sandbox =
        Sandbox::given(&[(LOG, "{\"decision\":\"applied\"}\n{\"decision\":\"rejected\"}\n")]);
    sandbox.propose(session("One", "Done.")).applied();
    sandbox.propose(session("Two", "Done.")).applied();
    let reply = sandbox.run(&["log", "--verify"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout, @"4 decisions, chain unbroken; 2 of them older than the chain");
    rewrite(&sandbox, |lines| lines[1] = lines[1].replace("rejected", "applied"));
    expect_findings(&sandbox, [(2, "changed")]);
}

#[test]
fn the_end_that_was_kept_apart_may_be_lost() {
    let sandbox = with_decisions();
    std::fs::remove_file(sandbox.store().join("state/log.end")).unwrap();
    expect_findings(&sandbox, [(4, "cut")]);
    sandbox.propose(session("Five", "Done.")).applied();
    expect_findings(&sandbox, []);
}

#[test]
fn two_clones_have_a_chain_each() {
    let (one, other) = (with_decisions(), Sandbox::new());
    other.propose(session("One", "Done.")).applied();
    let first = |sandbox: &Sandbox| sandbox.file(LOG).lines().next().unwrap().to_owned();
    assert_eq!(first(&one), first(&other), "the first line names no other");
    expect_findings(&one, []);
    expect_findings(&other, []);
}

#[test]
fn a_decision_reads_no_more_of_a_long_log_than_of_a_short_one() {
    if Command::new("strace").arg("-V").stdout(Stdio::null()).status().is_err() {
        println!("skipped: there is no `strace` (Debian package `strace`)");
        return;
    }
    let sandbox = with_decisions();
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    sandbox.append(LOG, &"{\"decision\":\"applied\"}\n".repeat(400_000));
    sandbox.write_project("request.json", convention("Names", "They are long.").to_string());
    let apply = ["apply", &id, "--approver", "Ada"];
    for arguments in [&["propose", "--file", "request.json"][..], &apply] {
        let mut command = Command::new("strace");
        command.args(["-qq", "-o", "trace", "-s", "0", "-e", "trace=read,pread64"]);
        command.arg(env!("CARGO_BIN_EXE_agent-memory")).args(arguments);
        command.current_dir(sandbox.project()).env_clear();
        command.env("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z");
        Reply::of(command.output().unwrap()).expect_code(0);
        let trace = std::fs::read_to_string(sandbox.project().join("trace")).unwrap();
        let read = |line: &str| line.rsplit("= ").next()?.parse::<usize>().ok();
        let bytes: usize = trace.lines().filter_map(read).sum();
        let log = sandbox.bytes(LOG).len();
        assert!(0 < bytes && bytes < log / 10, "{bytes} bytes are read while the log has {log}");
    }
}
