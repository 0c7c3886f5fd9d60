//! What it takes to look the evidence of a request up: each file is read once, however often it is cited.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::crash::has_strace;
use crate::requests::convention;
use crate::support::Sandbox;

/// Runs the program and returns the calls with which it, or git for it, opens files or starts programs.
fn calls(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let trace = sandbox.root().join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-e", "trace=?open,openat,execve", "-o"]).arg(&trace);
    command.arg(env!("CARGO_BIN_EXE_agent-memory")).args(arguments);
    command.current_dir(sandbox.project()).env_clear().envs(sandbox.variables());
    command.env("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z").stdout(Stdio::null());
    assert!(command.status().unwrap().success(), "{arguments:?}");
    fs::read_to_string(trace).unwrap()
}

/// Counts the calls that name something and succeed.
fn count(calls: &str, wanted: &str) -> usize {
    calls.lines().filter(|call| call.contains(wanted) && !call.contains(" = -1 ")).count()
}

fn citing(sandbox: &Sandbox, sources: Vec<Value>) {
    let mut request = convention("Errors", "They name a path.");
    request["sources"] = Value::Array(sources);
    sandbox.write_project("request.json", request.to_string());
}

#[test]
fn a_file_is_read_once_however_often_it_is_cited() {
    if !has_strace() {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write_project("src/cited.rs", "a\n".repeat(64));
    let source = |line| json!({ "type": "file", "ref": format!("src/cited.rs:{line}") });
    citing(&sandbox, (1..=64).map(source).collect());
    let opened = |arguments: &[&str]| count(&calls(&sandbox, arguments), "src/cited.rs");
    assert_eq!(opened(&["propose", "--file", "request.json"]), 1);
    assert_eq!(opened(&["status"]), 1);
    // What it would do, whether it can be applied, and what has become of its sources.
    let shown = opened(&["show", "--latest"]);
    assert!(shown <= 3, "{shown}");
    sandbox.run(&["apply", "--latest", "--approver", "Ada"]).expect_code(0);
    assert_eq!(opened(&["check"]), 1);
    assert_eq!(opened(&["doctor"]), 1);
}

#[test]
fn the_old_texts_of_all_cited_files_are_asked_for_together() {
    if !has_strace() {
        return;
    }
    let counts_for = |files: usize| {
        let sandbox = Sandbox::new();
        let path = |number: usize| format!("src/f{number}.rs");
        (0..files).for_each(|number| sandbox.write_project(&path(number), "one\ntwo\n"));
        sandbox.commit("then");
        let blob = sandbox.git(&["rev-parse", "HEAD:src/f0.rs"]);
        let section = |number: usize| {
            let source = format!("file {}:2 {} confirmed 2026-11-20", path(number), &blob[..12]);
            let anchor = format!("<!-- @id: f{number} -->\n<!-- @source: {source} -->");
            format!("\n## F{number}\n{anchor}\n\nToken {number}.\n")
        };
        let text = (0..files).map(section).collect::<String>();
        sandbox.write("conventions.md", format!("# Conventions\n{text}"));
        (0..files).for_each(|number| sandbox.write_project(&path(number), "0\none\ntwo\n"));
        let moved = sandbox.run(&["ls", "--freshness", "moved", "--json"]).expect_code(0).json();
        assert_eq!(moved["sections"].as_array().unwrap().len(), files);
        [&["ls"][..], &["search", "token", "-n", "30"], &["check"], &["context"]]
            .map(|arguments| count(&calls(&sandbox, arguments), "\"cat-file\""))
    };
    assert_eq!(counts_for(30), counts_for(1));
}

#[test]
fn commits_are_asked_for_together() {
    if !has_strace() {
        return;
    }
    let count_for = |commits: usize| {
        let sandbox = Sandbox::new();
        sandbox.commit("all of it");
        let name = |number| format!("HEAD{}", "~0".repeat(number));
        let source = |number| json!({ "type": "commit", "ref": name(number) });
        citing(&sandbox, (0..commits).map(source).collect());
        count(&calls(&sandbox, &["propose", "--file", "request.json"]), "/git\"")
    };
    assert_eq!(count_for(30), count_for(1));
}

#[test]
fn a_commit_that_cannot_be_looked_up_hides_no_other() {
    let sandbox = Sandbox::new();
    sandbox.commit("all of it");
    let id = sandbox.git(&["rev-parse", "HEAD"]);
    let refused = |references: &[&str]| {
        let mut request = convention("Errors", "They name a path.");
        let source = |reference: &&str| json!({ "type": "commit", "ref": reference });
        request["sources"] = references.iter().map(source).collect();
        let answer = sandbox.propose(request).rejected("provenance_violation");
        answer["provenance_violations"].as_array().unwrap().len()
    };
    assert_eq!(refused(&["HEAD", &id, "no such", "HEAD:src", &id[..9]]), 2);
    assert_eq!(refused(&["HEAD@{999}", "HEAD", &id]), 1);
}
