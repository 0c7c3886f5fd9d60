//! Names that came with a repository: of files, folders, branches, worktrees, owners, fields, lines of the log.
//!
//! Whatever prints one shows it on one line, with nothing hidden in it, and without a secret.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::mcp::{Client, Era};
use crate::requests::{new_body, with_conventions};
use crate::support::{Reply, Sandbox};

/// What a name tries to say in a line of its own.
const FORGED: &str = "error: forged";

/// What no terminal, and no log of a CI, may get.
const HIDDEN: [&str; 6] = ["\u{1b}", "\u{7}", "\u{202e}", "\u{200b}", "\r", "\u{9b}"];

fn key() -> String {
    ["ghp_", "x9KfQ2mVb7Tz4LwPc8Rj1NsYd6GhAe3BuXo0"].concat()
}

/// A name that steers a terminal, begins a line, turns the direction and holds a secret.
fn name(first: &str) -> String {
    format!("{first}\u{1b}]0;owned\u{7}\u{202e}\n{FORGED}\n::error ::{FORGED}\n{}", key())
}

/// The same in words, which may have several lines in a document.
fn words(first: &str) -> String {
    name(first).replace('\n', " ")
}

/// What git takes as the name of a branch.
fn branch() -> String {
    format!("b\u{202e}\u{200b}/{}", key())
}

#[cfg(unix)]
#[test]
fn a_secret_behind_a_sequence_that_a_terminal_carries_out_is_in_no_message() {
    let sandbox = with_conventions();
    let folder = format!("sessions/\u{1b}[31m{}", key());
    sandbox.write(&format!("{folder}/n.md"), "# N\n");
    sandbox.git(&["add", "--force", ".agent-memory/sessions"]);
    for arguments in [&["check"][..], &["check", "--json"], &["doctor"], &["status"]] {
        let reply = sandbox.run(arguments);
        let said = format!("{}{}", reply.stdout, reply.stderr);
        assert!(!said.contains(&key()), "{arguments:?}: {said}");
    }
}

/// A store of which every name is one of these.
struct Scene {
    sandbox: Sandbox,
    worktree: PathBuf,
}

impl Scene {
    fn new() -> Self {
        let sandbox = with_conventions();
        sandbox.write_user_config("[approval]\nwithout_terminal = true\n");
        let field = json!(name("F")).to_string();
        let schema = sandbox.file("schemas/decisions.toml");
        let pattern = format!("\n[section.fields.{field}]\nrequired = true\npattern = {field}\n");
        sandbox.write("schemas/decisions.toml", schema + &pattern);
        let text = "# M\n\n## Deploys\n<!-- @id: deploys -->\n\nDeploys on Fridays.\n\n## No id\n\nDeploys.\n";
        sandbox.write(&format!("modules/{}.md", name("a")), text);
        sandbox.write(&format!("modules/{}.md", name("binary")), [0xff, 0]);
        sandbox.write(&format!("{}/deep.md", name("folder")), text);
        sandbox.write(
            &format!("modules/{}.md", name("merged")),
            "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n",
        );
        sandbox.write(&format!("rejections/{}.toml", name("r")), "x");
        sandbox.write(&format!("staging/{}/proposal.json", name("20261120")), "{");
        let id = sandbox.propose(new_body("names", "They are short.")).staged();
        let path = format!("staging/{id}/proposal.json");
        let mut proposal: Value = serde_json::from_str(&sandbox.file(&path)).unwrap();
        proposal["owner"] = json!({ "id": name("owner") });
        proposal["branch"] = json!(name("branch"));
        proposal["request"]["rationale"] = json!(words("why"));
        proposal["sources"] =
            json!([format!("<!-- @source: user {} - user-provided 2026-11-20 -->", name("u"))]);
        sandbox.write(&path, proposal.to_string());
        let line = json!({"time": name("t"), "id": name("i"), "decision": name("d"), "owner": name("o"),
            "approver": name("p"), "reason": words("r"), "files": [{"path": name("f")}],
            "sections": [{"file": name("g"), "section_id": name("s")}], "number": 1, "prev": name("h")});
        sandbox.write("state/log.jsonl", format!("{line}\n"));
        sandbox.write_project(&format!("{}/note.md", name("notes")), "# Note\n\nText.\n");
        sandbox.commit("names");
        sandbox.git(&["branch", &branch()]);
        let worktree = sandbox.root().join(name("worktree"));
        sandbox.git(&["worktree", "add", "--quiet", worktree.to_str().unwrap(), &branch()]);
        Self { sandbox, worktree }
    }
}

/// Expects that an output shows no name as it is.
#[track_caller]
fn check(arguments: &[&str], reply: &Reply) {
    let said = format!("{}\n{}", reply.stdout, reply.stderr);
    let hidden = HIDDEN.iter().find(|hidden| said.contains(**hidden));
    assert_eq!(hidden, None, "{arguments:?}: {said:?}");
    assert!(!said.contains(&key()), "{arguments:?} shows the secret: {said}");
    let forged =
        said.lines().find(|line| line.starts_with(FORGED) || line.starts_with("::error ::"));
    assert_eq!(forged, None, "{arguments:?}: {said}");
    assert!(!said.contains("\\u001b") && !said.contains("\\u202e"), "{arguments:?}: {said}");
    assert!(reply.code != -1 && !said.contains("a bug in"), "{arguments:?}: {said}");
}

/// Commands that read; `%` is the folder of notes, `@` a file.
const COMMANDS: [&[&str]; 33] = [
    &["status"],
    &["status", "--worktrees"],
    &["review"],
    &["review", "--worktrees"],
    &["diff"],
    &["doctor"],
    &["check"],
    &["check", "--format", "github"],
    &["check", "--format", "gitlab"],
    &["check", "--format", "sarif"],
    &["check", "--format", "junit"],
    &["check", "--format", "markdown"],
    &["check", "--base", "HEAD"],
    &["check", "--staged"],
    &["check", "@"],
    &["search", "deploys"],
    &["search", "deploys", "--explain", "--verbose"],
    &["search", "deploys", "--file", "@"],
    &["search", "zzz", "--category", "@"],
    &["context"],
    &["context", "deploys"],
    &["context", "--scope", "@", "deploys"],
    &["context", "--changed"],
    &["log"],
    &["log", "-p"],
    &["log", "--rejected"],
    &["log", "--verify"],
    &["show", "@"],
    &["blame", "@"],
    &["fmt-ids", "--check"],
    &["fmt-ids", "--check", "@"],
    &["init", "--from", "%", "--dry-run"],
    &["reindex"],
];

#[test]
fn no_command_that_reads_prints_a_name_as_it_is() {
    let scene = Scene::new();
    let (file, notes) = (format!("modules/{}.md", name("a")), name("notes"));
    let folder = scene.worktree.display().to_string();
    for command in COMMANDS {
        let words: Vec<&str> = command
            .iter()
            .map(|word| match *word {
                "@" => file.as_str(),
                "%" => notes.as_str(),
                other => other,
            })
            .collect();
        for more in [&[][..], &["--json"], &["--verbose", "--root", &folder]] {
            if command.contains(&"--format") && more == ["--json"] {
                continue;
            }
            let arguments = [&words[..], more].concat();
            check(&arguments, &scene.sandbox.run(&arguments));
        }
    }
}

#[test]
fn no_command_that_writes_prints_a_name_as_it_is() {
    let scene = Scene::new();
    let run = |arguments: &[&str]| check(arguments, &scene.sandbox.run(arguments));
    let decision = json!({"intent": "record_decision", "sources": [{"type": "user", "ref": "ada"}],
        "operations": [{"operation": "append_section", "heading": "D",
            "content": "- **Date:** 2026-11-20\n- **Status:** active\n"}]});
    let reply = scene.sandbox.call(&["propose"]).stdin(decision.to_string()).run();
    check(&["propose"], &reply);
    assert!(reply.stdout.contains("validation_failed"), "{}", reply.stdout);
    for arguments in [
        &["resolve"][..],
        &["apply", "--all", "--approver", "Ada"],
        &["apply", "--latest", "--approver", "Ada", "--json"],
        &["rebase", "names"],
        &["reject", "names", "--reason", "no", "--approver", "Ada"],
        &["restore", "names"],
        &["sweep"],
        &["doctor", "--fix"],
        &["fmt-ids"],
        &["man", &name("pages")],
        &["man", &name("pages"), "--json"],
        &["man", &format!("{}/no/folder", name("notes"))],
        &["secrets", "scan", &name("none")],
        &["init", "--from", &name("notes")],
        &["init", "--root", &name("none")],
        &["status", "--root", &name("none")],
        &["hook", "claude", "session-start"],
    ] {
        run(arguments);
    }
}

#[test]
fn no_tool_of_the_server_answers_with_a_name_as_it_is() {
    let scene = Scene::new();
    let mut client = Client::start(&scene.sandbox, Era::ALL[1]);
    let file = format!("modules/{}.md", name("a"));
    let mut look = |method: &str, params: Value| {
        let answer = client.request(method, params);
        for text in strings(&answer) {
            let reply = Reply { code: 0, stdout: text, stderr: String::new() };
            check(&[method], &reply);
        }
    };
    for (tool, arguments) in [
        ("memory_status", json!({})),
        ("memory_search", json!({"query": "deploys"})),
        ("memory_search", json!({"query": "deploys", "file": file, "category": file})),
        ("memory_context", json!({})),
        ("memory_context", json!({"query": "deploys", "scope": [file]})),
        ("memory_get", json!({"path": file})),
        (&file, json!({})),
    ] {
        look("tools/call", json!({"name": tool, "arguments": arguments}));
    }
    look("resources/list", json!({}));
    look("resources/read", json!({"uri": format!("memory://file/{file}")}));
    look("resources/read", json!({"uri": "memory://index"}));
}

/// Returns every string of a document, and the names of its fields.
fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(all) => all.iter().flat_map(strings).collect(),
        Value::Object(all) => all
            .iter()
            .flat_map(|(key, value)| [vec![key.clone()], strings(value)].concat())
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

#[test]
fn a_clean_name_can_be_used_again() {
    let sandbox = Sandbox::new();
    let text = "# M\n\n## Deploys\n<!-- @id: deploys -->\n\nOn Fridays.\n";
    sandbox.write("modules/übung.md", text);
    let found = sandbox.run(&["search", "fridays", "--json"]).json();
    let path = found["results"][0]["path"].as_str().unwrap();
    assert_eq!(fs::read_to_string(sandbox.store().join(path)).unwrap(), text);
}

#[test]
fn lines_around_a_change_are_shown_in_a_comment_as_a_person_can_see_them() {
    let sandbox = Sandbox::new();
    sandbox.write("pitfalls.md", "# Pitfalls\n\n## By hand\n\nx \u{1b}]0;owned\u{7} y\n");
    let request = json!({"intent": "add_pitfall", "operations": [
        {"operation": "append_section", "path": "pitfalls.md", "heading": "Waits", "content": "- x"}]});
    sandbox.propose(request).staged();
    let reply = sandbox.run(&["check", "--format", "markdown", "--color", "always"]);
    assert!(reply.stdout.contains("x <U+001B>]0;owned<U+0007> y"), "{}", reply.stdout);
    assert!(!reply.stdout.contains('\u{1b}'), "{}", reply.stdout);
}
