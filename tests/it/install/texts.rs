//! What agents are told is true: every command in it is one, and does what is said.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{Where, install, read};
use crate::support::Sandbox;

const SKILL: &str = ".agents/skills/agent-memory/SKILL.md";

/// Runs a line in a shell, where the program is on the path.
fn shell(sandbox: &Sandbox, script: &str) -> (bool, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_agent-memory")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("sh");
    command.args(["-c", script]).current_dir(sandbox.project()).env_clear();
    let output = command.envs(sandbox.variables()).env("PATH", path).output().unwrap();
    (output.status.success(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn every_command_that_agents_are_told_works() {
    for (path, requests, commands) in [("AGENTS.md", 1, 2), (SKILL, 1, 8)] {
        let sandbox = Sandbox::new();
        install(&sandbox, "agents", Where::Project, &[]).expect_code(0);
        let text = read(&sandbox, Where::Project, path);
        let scripts: Vec<&str> =
            text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        assert_eq!(scripts.len(), requests, "{path}");
        for script in scripts {
            let (worked, said) = shell(&sandbox, script);
            let answer: Value = serde_json::from_str(&said).unwrap();
            assert!(worked && answer["status"] == "applied", "{said}");
        }
        let prose = text.split("```").step_by(2).collect::<String>();
        let spans: Vec<&str> = prose.split('`').skip(1).step_by(2).collect();
        let told: Vec<_> = spans.iter().filter(|span| span.starts_with("agent-memory ")).collect();
        assert!(told.len() >= commands, "{path}: {told:?}");
        for command in told {
            assert!(shell(&sandbox, command).0, "{path}: `{command}`");
        }
    }
}

#[test]
fn agents_are_told_a_request_of_each_intent_that_is_good() {
    for path in ["AGENTS.md", SKILL] {
        let sandbox = Sandbox::new();
        install(&sandbox, "agents", Where::Project, &[]).expect_code(0);
        sandbox.write_project("src/auth.rs", "one\ntwo\nthree\nfour\n");
        let text = read(&sandbox, Where::Project, path);
        let mut told = BTreeSet::new();
        for request in text.lines().filter(|line| line.starts_with("{\"intent\": ")) {
            let intent = serde_json::from_str::<Value>(request).unwrap()["intent"].clone();
            let answer = sandbox.propose_bytes(request);
            let intent = intent.as_str().unwrap();
            match intent {
                "session_log" | "update_current" | "update_shared" => drop(answer.applied()),
                _ => {
                    sandbox.apply(&answer.staged()).applied();
                }
            }
            told.insert(intent.to_owned());
        }
        assert_eq!(told.len(), 8, "{path}: {told:?}");
    }
}

#[test]
fn every_tool_intent_and_field_that_agents_are_told_is_one() {
    let sandbox = Sandbox::new();
    install(&sandbox, "agents", Where::Project, &[]).expect_code(0);
    let schema = sandbox.run(&["propose", "--schema"]).expect_code(0).stdout;
    let tools = include_str!("../../../src/server/tools.rs");
    for path in ["AGENTS.md", SKILL] {
        let text = read(&sandbox, Where::Project, path);
        for span in text.split('`').skip(1).step_by(2).filter(|span| span.contains('_')) {
            if !span.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
                continue;
            }
            let is_known = match span.starts_with("memory_") {
                true => tools.contains(&format!("name: \"{span}\"")),
                false => schema.contains(&format!("\"{span}\"")),
            };
            assert!(is_known, "{path} names `{span}`");
        }
    }
}

#[test]
fn the_skill_is_one_by_the_rules_of_skills() {
    let sandbox = Sandbox::new();
    install(&sandbox, "claude", Where::Project, &[]).expect_code(0);
    let text = read(&sandbox, Where::Project, SKILL);
    assert_eq!(read(&sandbox, Where::Project, ".claude/skills/agent-memory/SKILL.md"), text);
    let front = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).unwrap().0;
    assert!(front.starts_with("name: agent-memory\ndescription: "), "{front}");
    let description = front.lines().nth(1).unwrap().trim_start_matches("description: ");
    assert!(description.len() <= 1_024 && description.contains("Use when"), "{description}");
    // A plain scalar of YAML ends at these.
    assert!(!description.contains(": ") && !description.contains(" #"), "{description}");
    assert!(text.lines().count() < 500);
}
