//! What a person wrote into a file by hand is shown by no command that reads it, and copied by none.

use std::fs;

use serde_json::json;

use crate::requests::new_body;
use crate::secrets_leak::{Leaks, Secret, secrets};
use crate::support::Sandbox;

const FORMATS: [&str; 7] = ["human", "json", "github", "gitlab", "sarif", "junit", "markdown"];

#[test]
fn no_format_of_check_shows_a_secret() {
    let mut leaks = Leaks::default();
    let sandbox = written_by_hand();
    for format in FORMATS {
        let arguments = ["check", "--format", format];
        for more in [&[][..], &["--staged"], &["--base", "HEAD~1"]] {
            look(&mut leaks, &sandbox, &[&arguments[..], more].concat());
        }
    }
    left_in_no_file(leaks, &sandbox);
}

#[test]
fn a_secret_that_ends_with_a_line_of_a_heading_is_not_shown_by_check() {
    const WORDS: &str =
        "abandon ability able about above absent absorb abstract absurd abuse access accident";
    let sandbox = Sandbox::new();
    let heading = format!("Our seed phrase: {WORDS}\nand more");
    sandbox.append("conventions.md", &format!("\n{heading}\n---\n\nText.\n"));
    for format in FORMATS {
        let reply = sandbox.run(&["check", "--format", format]);
        assert!(reply.stdout.contains("seed-phrase"), "{}", reply.stdout);
        assert!(!reply.stdout.contains("absurd"), "{}", reply.stdout);
    }
}

#[test]
fn no_command_that_reads_shows_a_secret() {
    let mut leaks = Leaks::default();
    let sandbox = written_by_hand();
    let waiting = sandbox.propose(new_body("errors", "They name a place.")).staged();
    let landed = sandbox.propose(new_body("last", "Nothing else.")).staged();
    sandbox.apply(&landed).applied();
    let commands: [&[&str]; 20] = [
        &["context"],
        &["context", "--budget", "100000"],
        &["context", "deploy", "with", "what"],
        &["context", "--changed", "--json"],
        &["context", "--scope", "src", "deploy"],
        &["hook", "claude", "session-start"],
        &["review"],
        &["review", "--json"],
        &["show", &waiting],
        &["show", &waiting, "--json"],
        &["log", "-p"],
        &["log", "-p", "--json"],
        &["log", "--file", "conventions.md"],
        &["log", "--rejected", "-p"],
        &["log", "--rejected", "--json"],
        &["blame", "conventions.md"],
        &["blame", "conventions.md", "--json"],
        &["status", "--json"],
        &["fmt-ids", "--check"],
        &["diff"],
    ];
    for command in commands {
        look(&mut leaks, &sandbox, command);
    }
    for number in 0..secrets().len() {
        for kind in ["body", "heading", "source"] {
            let section = format!("conventions.md#{kind}-{number}");
            look(&mut leaks, &sandbox, &["blame", &section]);
            look(&mut leaks, &sandbox, &["blame", &section, "--json"]);
            look(&mut leaks, &sandbox, &["show", &section]);
        }
    }
    look(&mut leaks, &sandbox, &["undo", &landed, "--approver", "Ada"]);
    left_in_no_file(leaks, &sandbox);
}

#[test]
fn notes_with_a_secret_are_not_taken_over() {
    for options in [&["--dry-run"][..], &[], &["--json"]] {
        let mut leaks = Leaks::default();
        let sandbox = Sandbox::without_store();
        for (number, secret) in secrets().iter().enumerate() {
            let text = &secret.text;
            let write = |name: &str, text: String| {
                sandbox.write_project(&format!("notes/{name}"), text);
            };
            write(
                &format!("body-{number}.md"),
                format!("# Notes\n\n## Access\n\ndeploy with {text}\n"),
            );
            write(&format!("title-{number}.md"), format!("# {text}\n\n## Access\n\nNothing.\n"));
            write(&format!("other-{number}.txt"), format!("{text}\n"));
            write(&format!("meta-{number}/manifest.yaml"), format!("{text}: {text}\n"));
        }
        let named = secrets()[0].text.clone();
        sandbox.write_project(&format!("notes/{named}.md"), "# Notes\n\n## A\n\nNothing.\n");
        look(
            &mut leaks,
            &sandbox,
            &[&["init", "--from", "notes", "--approver", "Ada"][..], options].concat(),
        );
        fs::remove_dir_all(sandbox.project().join("notes")).unwrap();
        leaks.look_through(sandbox.root(), &secrets());
        leaks.none();
    }
}

#[test]
fn the_files_of_a_client_are_shown_without_their_secrets() {
    const CLIENTS: [&str; 9] =
        ["claude", "codex", "cursor", "gemini", "copilot", "opencode", "vscode", "zed", "agents"];
    let sandbox = Sandbox::new();
    let mut leaks = Leaks::default();
    for secret in secrets() {
        plant_for_clients(&sandbox, &secret);
        for client in CLIENTS {
            for scope in [&[][..], &["--user"]] {
                for options in [&["--dry-run"][..], &["--dry-run", "--json"], &["--check"]] {
                    let arguments = [&["install", client][..], scope, options].concat();
                    look(&mut leaks, &sandbox, &arguments);
                }
                let arguments = [&["install", client, "--hooks"][..], scope].concat();
                look(&mut leaks, &sandbox, &arguments);
                let arguments = [&["install", client, "--uninstall"][..], scope].concat();
                look(&mut leaks, &sandbox, &[&arguments[..], &["--dry-run"]].concat());
                look(&mut leaks, &sandbox, &arguments);
            }
        }
    }
    leaks.look_through(&sandbox.store(), &secrets());
    leaks.none();
}

/// Names a proposal that somebody rejected by hand.
fn rejected(number: usize) -> String {
    format!("20261120-1000{number:02}-by-hand-0000")
}

/// A store whose conventions hold each secret in a body, in a heading and in a source, and which refuses a text for
/// each, committed.
fn written_by_hand() -> Sandbox {
    let sandbox = Sandbox::new();
    let mut text = "# Conventions\n\n".to_owned();
    let mut section = |id: &str, heading: &str, source: &str, body: &str| {
        text += &format!("## {heading}\n<!-- @id: {id} -->\n{source}\n{body}\n\n");
    };
    section("errors", "Errors", "", "They name a path.");
    for (number, secret) in secrets().into_iter().enumerate() {
        let line = secret.text.replace('\n', " ");
        let source = format!("<!-- @source: session {line} - confirmed 2026-11-20 -->\n");
        section(&format!("body-{number}"), "Planted", "", &format!("deploy with {}", secret.text));
        section(&format!("heading-{number}"), &line, "", "deploy with that");
        section(&format!("source-{number}"), "Founded", &source, "deploy with what it says");
        let (id, reason) = (rejected(number), json!(secret.text));
        let rejection =
            format!("id = \"{id}\"\ndate = \"2026-11-20\"\nreason = {reason}\nfingerprints = []\n");
        sandbox.write(&format!("rejections/{id}.toml"), rejection);
    }
    section("last", "Last", "", "Nothing.");
    sandbox.commit("before");
    sandbox.write("conventions.md", text);
    sandbox.commit("by hand");
    sandbox
}

/// Settings and notes of clients as people have them, with a secret in each.
fn plant_for_clients(sandbox: &Sandbox, secret: &Secret) {
    let servers = json!({ "x": { "command": "x", "env": { "TOKEN": secret.text } } });
    let json = json!({ "mcpServers": servers, "mcp": servers, "servers": servers, "context_servers": servers });
    let json = serde_json::to_string_pretty(&json).unwrap();
    let toml =
        format!("[mcp_servers.x]\ncommand = \"x\"\nenv = {{ TOKEN = {} }}\n", json!(secret.text));
    let notes = format!("# Notes\n\ndeploy with {}\n", secret.text);
    let files = [
        ("AGENTS.md", &notes),
        ("CLAUDE.md", &notes),
        ("GEMINI.md", &notes),
        (".mcp.json", &json),
        (".claude.json", &json),
        (".claude/settings.json", &json),
        (".codex/config.toml", &toml),
        (".codex/hooks.json", &json),
        (".cursor/mcp.json", &json),
        (".cursor/hooks.json", &json),
        (".gemini/settings.json", &json),
        ("opencode.json", &json),
        (".vscode/mcp.json", &json),
        (".zed/settings.json", &json),
        (".config/opencode/opencode.json", &json),
        (".config/zed/settings.json", &json),
        (".claude/CLAUDE.md", &notes),
        (".codex/AGENTS.md", &notes),
        (".gemini/GEMINI.md", &notes),
    ];
    for (path, text) in files {
        for folder in [sandbox.project(), sandbox.root().join("home")] {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }
}

fn look(leaks: &mut Leaks, sandbox: &Sandbox, command: &[&str]) {
    let reply = sandbox.run(command);
    assert!(!reply.stderr.contains("a bug in agent-memory"), "{command:?}: {}", reply.stderr);
    for secret in secrets() {
        leaks.look(&format!("{} by {command:?}", secret.kind), &reply, &secret);
    }
}

/// The file that a person wrote is theirs; besides it there is none.
fn left_in_no_file(mut leaks: Leaks, sandbox: &Sandbox) {
    fs::remove_file(sandbox.store().join("conventions.md")).unwrap();
    for number in 0..secrets().len() {
        fs::remove_file(sandbox.store().join(format!("rejections/{}.toml", rejected(number))))
            .unwrap();
    }
    leaks.look_through(sandbox.root(), &secrets());
    leaks.none();
}
