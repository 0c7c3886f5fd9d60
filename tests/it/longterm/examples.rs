//! The examples of the document. `.ci/examples` runs all of them; here runs what needs no registry.

use std::process::Command;

use super::world::World;
use crate::support::folder;

/// Returns the block of the document that is a file.
fn block(head: &str) -> String {
    let text = std::fs::read_to_string(folder("docs/long-term-memories.md")).unwrap();
    let (_, rest) = text.split_once(&format!("```{head}\n")).expect(head);
    rest.split_once("```\n").unwrap().0.to_owned()
}

#[test]
fn each_example_has_some_thirty_lines() {
    for head in ["python bot.py", "typescript bot.ts"] {
        let lines = block(head).lines().filter(|line| !line.trim().is_empty()).count();
        assert!(lines <= 30, "{head} has {lines} lines");
    }
}

#[test]
#[cfg(unix)]
#[allow(clippy::print_stdout, reason = "what is left out is said")]
fn the_example_in_python_does_what_the_document_says() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: there is no `python3`");
        return;
    }
    let world = World::empty();
    world.sandbox.write_project("bot.py", block("python bot.py"));
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_agent-memory")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("python3");
    command.arg("bot.py").current_dir(world.sandbox.project()).env_clear();
    command.envs(world.sandbox.variables()).env("PATH", path);
    command.env("AGENT_MEMORY_DATA", world.data());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let talk = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said, "green ID:1 {user} likes tea\nmemory 1 is deleted\n", "{talk}");
}
