//! The version of a store's format: earlier layouts are brought up, and a newer store is read and never written.

use std::path::Path;

use serde_json::{Value, json};

use crate::requests::session;
use crate::support::{Reply, Sandbox, files_in, folder, for_each_case};

const NEWER: &str = "made by a newer agent-memory (2); this one knows 1";

/// Commands that only read, with their exit code where it is not 0.
const READS: [(&[&str], i32); 23] = [
    (&["status"], 0),
    (&["status", "--worktrees"], 0),
    (&["show", "conventions.md"], 0),
    (&["show", "errors"], 0),
    (&["search", "path"], 0),
    (&["ls"], 0),
    (&["log"], 0),
    (&["log", "--unreviewed"], 0),
    (&["log", "--verify"], 0),
    (&["toc"], 0),
    (&["context"], 0),
    (&["context", "how long do tokens live"], 0),
    (&["blame", "conventions.md"], 0),
    (&["diff"], 0),
    (&["review"], 0),
    (&["config", "get"], 0),
    (&["config", "get", "staging.max_open"], 0),
    (&["secrets", "scan", ".agent-memory/conventions.md"], 0),
    (&["ci", "github"], 0),
    (&["install"], 0),
    (&["install", "claude", "--dry-run"], 0),
    (&["check", "--staged"], 0),
    (&["hook", "claude", "stop"], 0),
];

/// Commands that write; some find nothing to write to.
const WRITES: [(&[&str], i32); 20] = [
    (&["fmt-ids"], 0),
    (&["reindex"], 0),
    (&["cite", "conventions.md#errors", "src/auth/refresh.rs", "--approver", "Ada"], 0),
    (&["confirm", "conventions.md#errors", "--approver", "Ada"], 0),
    (&["config", "set", "staging.max_open", "9", "--approver", "Ada"], 0),
    (&["secrets", "allow", "0123456789abcdef", "--reason", "it is none", "--approver", "Ada"], 0),
    (&["apply", "x", "--approver", "Ada"], 1),
    (&["apply", "--all", "--approver", "Ada"], 0),
    (&["reject", "x", "--reason", "no", "--approver", "Ada"], 1),
    (&["rebase", "x", "--approver", "Ada"], 1),
    (&["undo", "x", "--approver", "Ada"], 1),
    (&["restore", "x", "--approver", "Ada"], 1),
    (&["sweep"], 0),
    (&["resolve"], 0),
    (&["init"], 0),
    (&["init", "--from", "src", "--approver", "Ada"], 0),
    (&["doctor", "--fix"], 0),
    (&["doctor", "--split", "--approver", "Ada"], 0),
    (&["doctor", "--adopt-state", "--approver", "Ada"], 1),
    (&["doctor", "--upgrade", "--approver", "Ada"], 0),
];

/// Makes a repository with a store of `fixtures/stores/`.
fn of_layout(name: &str) -> Sandbox {
    let sandbox = Sandbox::without_store();
    for (path, bytes) in files_in(&folder("fixtures/stores").join(name)) {
        sandbox.write(&path, bytes);
    }
    sandbox.commit("the memory");
    sandbox
}

fn answers(reply: &Reply, words: &[&str], expected: i32) -> Result<(), String> {
    let said = format!("{} {}", reply.stdout, reply.stderr);
    match reply.code == expected && !said.contains("a bug in agent-memory") {
        true => Ok(()),
        false => Err(format!("{words:?} is {}, not {expected}: {said}", reply.code)),
    }
}

#[test]
fn every_command_answers_on_every_earlier_layout() {
    for_each_case("fixtures/stores", |case: &Path| {
        let name = case.file_name().unwrap().to_str().unwrap();
        if name == "of-a-newer-version" {
            return Ok(());
        }
        let sandbox = of_layout(name);
        for (words, expected) in READS.iter().chain(&WRITES) {
            answers(&sandbox.call(words).stdin("{}").run(), words, *expected)?;
        }
        let request = session("Today", "Done.").to_string();
        answers(&sandbox.call(&["propose"]).stdin(request).run(), &["propose"], 0)?;
        for words in [&["check"][..], &["doctor"]] {
            answers(&sandbox.run(words), words, 0)?;
        }
        Ok(())
    });
}

#[test]
fn a_newer_store_is_read_with_one_line_and_stays_as_it_is() {
    let sandbox = of_layout("of-a-newer-version");
    let before = files_in(&sandbox.store());
    for (words, expected) in READS {
        let reply = sandbox.call(words).stdin("{}").run().expect_code(expected);
        let opens = !["ci", "install", "hook", "secrets"].contains(&words[0]);
        let lines = reply.stderr.matches(NEWER).count();
        assert!(lines == usize::from(opens), "{words:?}: {}", reply.stderr);
    }
    let found = sandbox.run(&["search", "path", "--json"]).expect_code(0).json();
    assert_eq!(found["results"][0]["id"], "errors");
    let pack = sandbox.call(&["hook", "claude", "session-start"]).stdin("{}").run();
    let text = pack.expect_code(0).json()["hookSpecificOutput"]["additionalContext"].clone();
    let text = text.as_str().unwrap();
    assert!(text.contains(NEWER) && text.contains("They name the path."), "{text}");
    let doctor = sandbox.run(&["doctor"]).expect_code(1).stdout;
    assert!(doctor.contains(NEWER) && doctor.contains("update agent-memory"), "{doctor}");
    assert_eq!(files_in(&sandbox.store()), before);
}

#[test]
fn a_newer_store_is_never_written() {
    let sandbox = of_layout("of-a-newer-version");
    let before = files_in(&sandbox.store());
    let refused = |reply: Reply, words: &[&str]| {
        assert_eq!(reply.code, 2, "{words:?}: {} {}", reply.stdout, reply.stderr);
        let error = reply.json()["error"].clone();
        assert_eq!(error["code"], "store_newer", "{words:?}");
        assert!(error["message"].as_str().unwrap().contains(NEWER), "{error}");
        assert!(error["hint"].as_str().unwrap().contains("update agent-memory"), "{error}");
    };
    for (words, _) in WRITES {
        refused(sandbox.run(&[words, &["--json"]].concat()), words);
    }
    let request = session("Today", "Done.").to_string();
    refused(sandbox.call(&["propose"]).stdin(request).run(), &["propose"]);
    // CI must not take "nothing was checked" for "nothing is wrong".
    refused(sandbox.run(&["check", "--json"]), &["check"]);
    refused(sandbox.run(&["check", "--base", "HEAD", "--json"]), &["check", "--base"]);
    assert_eq!(files_in(&sandbox.store()), before);
}

#[test]
fn a_newer_store_does_not_hold_up_a_merge_and_says_so() {
    let sandbox = of_layout("of-a-newer-version");
    let text = sandbox.file("conventions.md");
    for (name, text) in [("base", &text), ("ours", &text), ("theirs", &(text.clone() + "More.\n"))]
    {
        sandbox.write_project(name, text);
    }
    let words = ["merge-driver", "base", "ours", "theirs", ".agent-memory/conventions.md"];
    let reply = sandbox.run(&words).expect_code(0);
    assert!(reply.stderr.contains(NEWER), "{}", reply.stderr);
    let merged = std::fs::read_to_string(sandbox.project().join("ours")).unwrap();
    assert!(merged.ends_with("More.\n"), "{merged}");
}

#[cfg(feature = "mcp")]
#[test]
fn an_agent_reads_a_newer_store_and_its_proposals_are_refused() {
    use crate::mcp::client::{Client, Era};
    let sandbox = of_layout("of-a-newer-version");
    let before = files_in(&sandbox.store());
    let mut client = Client::start(&sandbox, Era::Stateless);
    for (tool, arguments) in [
        ("memory_search", json!({"query": "path"})),
        ("memory_get", json!({"path": "conventions.md", "section_id": "errors"})),
        ("memory_status", json!({})),
    ] {
        let answer = client.answer(tool, arguments);
        assert!(answer.to_string().contains(NEWER), "{tool}: {answer}");
    }
    let result = client.call("memory_propose_update", session("Today", "Done."));
    assert_eq!(result["isError"], true);
    assert_eq!(result["structuredContent"]["error"]["code"], "store_newer");
    drop(client);
    assert_eq!(files_in(&sandbox.store()), before);
}

fn upgrade(sandbox: &Sandbox) -> Value {
    let reply = sandbox.run(&["doctor", "--upgrade", "--approver", "Ada", "--json"]);
    let answer = reply.expect_code(0).json();
    assert_eq!((&answer["status"], &answer["version"]), (&json!("upgraded"), &json!(1)));
    let files = answer["steps"].as_array().unwrap().iter().map(|step| step["files"].clone());
    files.collect()
}

#[test]
fn an_earlier_layout_is_brought_up_step_by_step_and_logged() {
    for (name, expected) in [
        ("table-of-contents", json!([["index.md", "schemas/index.toml"], [".gitattributes"]])),
        ("without-a-version", json!([["config.toml"]])),
        ("entries-in-one-file", json!([])),
    ] {
        let sandbox = of_layout(name);
        assert_eq!(upgrade(&sandbox), expected, "{name}");
        assert_eq!(upgrade(&sandbox), json!([]), "{name} twice");
        let log = sandbox.run(&["log", "--json"]).expect_code(0).json()["decisions"].clone();
        let log = log.as_array().unwrap();
        assert_eq!(log.len(), expected.as_array().unwrap().len(), "{name}: {log:?}");
        for line in log {
            assert_eq!((&line["decision"], &line["approver"]), (&json!("upgraded"), &json!("Ada")));
        }
        sandbox.run(&["log", "--verify"]).expect_code(0);
        sandbox.run(&["check"]).expect_code(0);
        let new = Sandbox::new();
        let own = new.file(".gitattributes").replace("adopted.jsonl text eol=lf merge=union\n", "");
        let upgraded = sandbox.file(".gitattributes");
        assert!(upgraded.contains(&own[..own.find('\n').unwrap()]), "{name}: {upgraded}");
        assert!(sandbox.file("config.toml").contains("version = 1\n"), "{name}");
    }
}

#[test]
fn no_setting_makes_a_store_a_newer_one() {
    let sandbox = Sandbox::new();
    let reply = sandbox.run(&["config", "set", "version", "2", "--approver", "Ada"]).expect_code(1);
    assert!(reply.stderr.contains("does not know that one"), "{}", reply.stderr);
    assert!(sandbox.file("config.toml").contains("version = 1\n"));
}

#[test]
fn a_store_of_today_has_nothing_to_upgrade_and_only_a_person_may() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let reply = sandbox.run(&["doctor", "--upgrade", "--approver", "Ada"]).expect_code(0);
    assert_eq!(reply.stderr, "nothing to do: the store has the layout of version 1\n");
    assert_eq!(sandbox.tree(), before);
    let old = of_layout("table-of-contents");
    let words = ["doctor", "--upgrade", "--approver", "Ada"];
    let refused = old.call(&words).env("AGENT_MEMORY_AGENT", "1").run().expect_code(1);
    assert!(refused.stderr.contains("[approval_refused]"), "{}", refused.stderr);
    assert!(old.has("index.md"));
    let reply = old.run(&words).expect_code(0);
    insta::assert_snapshot!(reply.stdout, @"
    upgraded index.md, schemas/index.toml: it takes the table of contents out of git: `toc` prints it
    upgraded .gitattributes: it renews the lines of `.gitattributes`
    ");
    assert_eq!(reply.stderr, "look at the change with `git diff`, and commit it\n");
}
