//! What is written starts something: the server answers, the hooks say what they should.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::{Where, install, read, write};
use crate::mcp::{Client, Era};
use crate::support::{Reply, Sandbox};

/// Prepares a command line as a client starts it: by the name of the program, in the project.
fn command(sandbox: &Sandbox, words: &[&str]) -> Command {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_agent-memory")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    // The program is looked for in the path that the child gets.
    let mut command = Command::new("env");
    command.args(words).current_dir(sandbox.project()).env_clear().envs(sandbox.variables());
    command.env("PATH", path);
    command
}

fn words(entry: &Value) -> Vec<&str> {
    let first = entry["command"].as_str().into_iter().flat_map(str::split_whitespace);
    let rest =
        [&entry["command"], &entry["args"]].into_iter().filter_map(Value::as_array).flatten();
    first.chain(rest.filter_map(Value::as_str)).collect()
}

#[test]
fn the_server_that_is_written_answers() {
    let sandbox = Sandbox::new();
    let entry = |client: &str, path: &str, name: &str| -> Value {
        install(&sandbox, client, Where::Project, &[]).expect_code(0);
        let settings: Value = serde_json::from_str(&read(&sandbox, Where::Project, path)).unwrap();
        settings[name]["agent-memory"].clone()
    };
    for entry in [
        entry("claude", ".mcp.json", "mcpServers"),
        entry("copilot", ".github/mcp.json", "mcpServers"),
        entry("opencode", "opencode.json", "mcp"),
        entry("vscode", ".vscode/mcp.json", "servers"),
    ] {
        let mut client = Client::over(command(&sandbox, &words(&entry)), Era::Stateless);
        let status = client.answer("memory_status", json!({}));
        assert_eq!(status["pending"], json!([]), "{status}");
    }
}

#[test]
fn the_hooks_that_are_written_answer() {
    let sandbox = Sandbox::new();
    for (client, path, events) in [
        ("claude", ".claude/settings.json", ["SessionStart", "Stop"]),
        ("codex", ".codex/hooks.json", ["SessionStart", "Stop"]),
        ("gemini", ".gemini/settings.json", ["SessionStart", "AfterAgent"]),
        ("cursor", ".cursor/hooks.json", ["sessionStart", "stop"]),
        ("copilot", ".github/hooks/agent-memory.json", ["sessionStart", "agentStop"]),
    ] {
        install(&sandbox, client, Where::Project, &["--hooks"]).expect_code(0);
        let settings: Value = serde_json::from_str(&read(&sandbox, Where::Project, path)).unwrap();
        for event in events {
            let group = &settings["hooks"][event][0];
            let hook = group["hooks"].get(0).unwrap_or(group);
            let mut command = command(&sandbox, &words(hook));
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            let input = json!({ "session_id": client });
            child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
            let reply = Reply::of(child.wait_with_output().unwrap()).expect_code(0);
            assert!(reply.json().is_object() && reply.stderr.is_empty(), "{client} {event}");
        }
    }
}

#[test]
fn an_entry_that_starts_the_server_in_another_way_stays_and_the_rest_is_written() {
    let sandbox = Sandbox::new();
    let entry = r#"{"mcpServers": {"agent-memory": {"command": "/home/me/.cargo/bin/agent-memory", "args": ["mcp"]}}}"#;
    write(&sandbox, Where::Project, ".mcp.json", entry);
    install(&sandbox, "claude", Where::Project, &["--hooks"]).expect_code(0);
    assert_eq!(read(&sandbox, Where::Project, ".mcp.json"), entry);
    assert!(read(&sandbox, Where::Project, ".claude/settings.json").contains("SessionStart"));
    install(&sandbox, "claude", Where::Project, &["--check"]).expect_code(0);
}
