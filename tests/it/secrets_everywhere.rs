//! Two hundred kinds of secrets, in every field of a request, stand in no byte that the program wrote.

use std::process::Command;

use agent_memory::secrets::{RULES, Scanner};
use serde_json::{Value, json};

use crate::requests::convention;
use crate::secrets_leak::{Leaks, Secret, put};
use crate::support::{Reply, Sandbox};

/// The fields that hold any text, each of which must have its finding.
const TEXTS: [&str; 2] = ["/operations/0/content", "/operations/1/replacement"];

/// Those that hold one line.
const LINES: [&str; 7] = [
    "/rationale",
    "/owner/id",
    "/sources/0/ref",
    "/sources/0/note",
    "/operations/0/heading",
    "/operations/0/sources/0/ref",
    "/operations/0/sources/0/note",
];

/// The fields that hold one of a few words, or nothing that is known.
const WORDS: [&str; 14] = [
    "/intent",
    "/confidence",
    "/dry_run",
    "/unknown",
    "/owner",
    "/owner/kind",
    "/sources/0/type",
    "/sources/0/unknown",
    "/sources",
    "/operations/0/operation",
    "/operations/0/heading_level",
    "/operations/0/if_exists",
    "/operations/0/if_hash",
    "/operations/1/section_id",
];

#[test]
fn each_text_of_a_request_is_looked_into() {
    let (sandbox, planted) = (Sandbox::new(), planted());
    let mut leaks = Leaks::default();
    for secret in &planted {
        let mut request = good();
        let is_line = secret.text.len() <= 200 && !secret.text.contains('\n');
        let lines = LINES.into_iter().filter(|_| is_line);
        let places: Vec<&str> = TEXTS.into_iter().chain(lines).collect();
        places.iter().for_each(|place| put(&mut request, place, json!(secret.text)));
        let reply = sandbox.call(&["propose"]).stdin(request.to_string()).run();
        leaks.look(secret.kind, &reply, secret);
        let answer = reply.answer().rejected("secret_detected");
        let findings = answer["findings"].as_array().unwrap();
        for place in places {
            let found = findings.iter().any(|each| each["pointer"] == place);
            assert!(found, "{} in {place}", secret.kind);
        }
    }
    leaks.look_through(sandbox.root(), &planted);
    leaks.none();
}

#[test]
fn no_answer_repeats_a_secret_that_stands_for_a_word() {
    let (sandbox, planted) = (Sandbox::new(), planted());
    let mut leaks = Leaks::default();
    for (number, secret) in planted.iter().enumerate() {
        let place = WORDS[number % WORDS.len()];
        let mut request = good();
        put(&mut request, place, json!(secret.text));
        let reply = sandbox.call(&["propose"]).stdin(request.to_string()).run();
        leaks.look(&format!("{} in {place}", secret.kind), &reply, secret);
        assert_ne!(reply.code, 0, "{} in {place}: {}", secret.kind, reply.stdout);
    }
    leaks.look_through(sandbox.root(), &planted);
    leaks.none();
}

#[test]
fn a_scan_and_an_argument_repeat_no_secret() {
    let (sandbox, planted) = (Sandbox::new(), planted());
    let mut leaks = Leaks::default();
    let all: String = planted.iter().map(|secret| format!("{}\n\n", secret.text)).collect();
    for arguments in [&["secrets", "scan", "-"][..], &["secrets", "scan", "-", "--json"]] {
        let reply = sandbox.call(arguments).stdin(all.clone()).run();
        planted.iter().for_each(|secret| leaks.look(secret.kind, &reply, secret));
    }
    leaks.look_through(sandbox.root(), &planted);
    leaks.none();
}

#[test]
fn a_process_that_is_killed_leaves_none_of_them() {
    if !crate::crash::has_strace() {
        return;
    }
    let (sandbox, planted) = (Sandbox::new(), planted());
    let mut request = good();
    let all: String = planted.iter().map(|secret| format!("{}\n\n", secret.text)).collect();
    put(&mut request, "/operations/0/content", json!(all));
    for call in ["openat", "read", "mmap", "write", "brk"] {
        for number in [1, 2, 3, 5, 8, 13, 21, 34] {
            let mut command = Command::new("strace");
            let injury = format!("inject={call}:signal=KILL:when={number}");
            command.args(["-qq", "-o", "/dev/null", "-e", "signal=none", "-e", &injury]);
            command.args([env!("CARGO_BIN_EXE_agent-memory"), "propose"]);
            let reply: Reply =
                crate::crash::finish(command, &sandbox.project(), &request.to_string());
            assert!([-1, 1, 137].contains(&reply.code), "{call} {number}: {}", reply.stderr);
        }
    }
    std::fs::remove_file(sandbox.project().with_extension("stdin")).unwrap();
    sandbox.run(&["status"]).expect_code(0);
    let mut leaks = Leaks::default();
    leaks.look_through(sandbox.root(), &planted);
    leaks.none();
}

/// The examples of all rules, each with a part of its value that stands nowhere else.
fn planted() -> Vec<Secret> {
    let scanner = Scanner::default();
    let examples =
        RULES.iter().flat_map(|rule| rule.examples.iter().map(|e| (rule.id, e.concat())));
    let planted: Vec<Secret> = examples
        .filter_map(|(kind, text)| {
            let value = &text[scanner.scan(&text)[0].range.clone()];
            let runs = value.split(|c: char| !c.is_ascii_alphanumeric());
            let run = runs.max_by_key(|run| run.len()).unwrap();
            // A run begins with a prefix more often than not.
            let core = run[run.len() / 3..].to_owned();
            // A short one may stand anywhere by accident.
            (core.len() >= 7).then_some(Secret { kind, core, text })
        })
        .collect();
    assert!(planted.len() >= 200, "{} examples", planted.len());
    planted
}

/// A request that would wait for review.
fn good() -> Value {
    let mut request = convention("Errors", "Name the path.");
    request["rationale"] = json!("why");
    request["sources"] = json!([{ "type": "user", "ref": "ada", "note": "said so" }]);
    request["operations"][0]["sources"] = request["sources"].clone();
    request["owner"] = json!({ "id": "claude", "kind": "agent" });
    let archive = json!({
        "operation": "archive_section", "path": "conventions.md", "section_id": "errors", "replacement": "gone",
    });
    request["operations"].as_array_mut().unwrap().push(archive);
    request
}
