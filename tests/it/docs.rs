//! Runs every command of the documentation and compares what it prints.
//!
//! The blocks of a document run in order in one scratch repository with a fixed clock. A block
//! `console` holds commands behind `$ ` and what they print; `json request.json` is a file; `sh` holds
//! what CI runs instead. `BLESS=1 cargo test --test it docs` writes down what is printed now.

use std::path::Path;
use std::process::Command;

use crate::support::{Sandbox, blessing, folder};

#[test]
fn every_command_of_the_readme_prints_what_the_readme_says() {
    let path = folder("README.md");
    let text = std::fs::read_to_string(&path).expect("a document");
    let sandbox = Sandbox::without_store();
    let mut now = String::new();
    for part in parts(&text) {
        match part {
            Part::Prose(prose) => now += prose,
            Part::Block(kind, body) => {
                let said = match kind.split_once(' ') {
                    Some((_, name)) => {
                        sandbox.write_project(name, body);
                        body.to_owned()
                    }
                    None if kind == "console" => replay(&sandbox, body),
                    None => body.to_owned(),
                };
                now += &said;
            }
        }
    }
    if blessing() {
        std::fs::write(&path, now).expect("the document can be written");
    } else {
        assert!(now == text, "README.md is not what its commands print:\n{now}");
    }
}

#[test]
fn the_other_commands_of_the_readme_are_run_by_ci() {
    let ci = std::fs::read_to_string(folder(".ci/run")).expect("a script").replace("--locked ", "");
    let text = std::fs::read_to_string(folder("README.md")).expect("a document");
    let mut found = 0;
    for part in parts(&text) {
        let Part::Block("sh", body) = part else { continue };
        for command in body.lines().map(|line| line.split(" #").next().unwrap_or(line).trim()) {
            let run = ci.lines().any(|line| line.replace(" --locked", "").trim() == command);
            assert!(run, "`{command}` of README.md is not run by .ci/run");
            found += 1;
        }
    }
    assert!(found >= 2, "README names the demonstration and the tests");
}

/// A piece of a document.
enum Part<'a> {
    /// Text, with the fences of blocks.
    Prose(&'a str),
    /// Kind and body of a fenced block.
    Block(&'a str, &'a str),
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut start, mut at, mut open) = (0, 0, None);
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        match (open, line.trim_end().strip_prefix("```")) {
            (None, Some(kind)) => {
                parts.push(Part::Prose(&text[start..end]));
                (open, start) = (Some(kind), end);
            }
            (Some(kind), Some("")) => {
                parts.push(Part::Block(kind, &text[start..at]));
                (open, start) = (None, at);
            }
            (None | Some(_), _) => {}
        }
        at = end;
    }
    parts.push(Part::Prose(&text[start..]));
    parts
}

/// Runs the commands of a block and returns them with what they print.
fn replay(sandbox: &Sandbox, body: &str) -> String {
    let commands = body.lines().filter_map(|line| line.strip_prefix("$ "));
    commands.map(|command| format!("$ {command}\n{}", shell(sandbox, command))).collect()
}

fn shell(sandbox: &Sandbox, command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_agent-memory")).parent().expect("a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}; }} 2>&1")])
        .current_dir(sandbox.project())
        .env_clear()
        .env("PATH", path)
        .env("HOME", sandbox.root())
        .env("XDG_CONFIG_HOME", sandbox.root().join("config"))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z")
        .output()
        .expect("a shell");
    String::from_utf8(output.stdout)
        .expect("text")
        .lines()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect()
}
