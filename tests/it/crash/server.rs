//! A server that stays dies, or the disk fails it, in the middle of one of several changes.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::scene::Scene;
use super::{
    FAILING_ONCE, FULL_ONCE, KILL, call, ensure, go_on, has_strace, is_healthy, strace, used_store,
};
use crate::mcp::{Client, Era};

/// What is proposed one after the other.
const ANIMALS: [&str; 5] = ["zebra", "okapi", "tapir", "llama", "hyena"];

#[test]
fn survives_a_kill() {
    survives(KILL);
}

#[test]
fn survives_a_disk_that_is_full_once() {
    survives(FULL_ONCE);
}

#[test]
fn survives_a_disk_that_fails_once() {
    survives(FAILING_ONCE);
}

/// Hurts it at every call.
fn survives(injury: &str) {
    if !has_strace() {
        return;
    }
    let scene = Scene::of(used_store(), &["mcp"]);
    let trace = scene.project().with_extension("trace");
    let run = |folder: &Path, injury: Option<&str>| {
        run(folder, strace::command_of_threads(&trace, injury))
    };
    let whole = scene.copy("whole");
    let answers = run(&whole, None);
    assert!(answers.iter().flatten().all(is_applied), "{answers:?}");
    assert_eq!(check(&whole, &answers), Ok(()));
    let trace = fs::read_to_string(&trace).unwrap();
    let points = strace::sample(strace::points(&trace));
    let mut problems = Vec::new();
    for (name, number) in &points {
        let folder = scene.copy("case");
        let injection = format!("{name}:{}", injury.replace("=N", &format!("={number}")));
        let answers = run(&folder, Some(&injection));
        if let Err(problem) = check(&folder, &answers) {
            problems.push(format!("{injection}: {problem}; {answers:?}"));
        }
    }
    let (bad, all) = (problems.len(), points.len());
    assert!(problems.is_empty(), "{bad} of {all} points:\n{}", problems.join("\n"));
    println!("mcp survived {all} points with {injury}");
}

/// Lets a server write one text after another into a section; returns its answers, none where it was gone.
fn run(folder: &Path, mut command: Command) -> Vec<Option<Value>> {
    command
        .arg("mcp")
        .current_dir(folder)
        .env_clear()
        .env("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z");
    command.env("HOME", folder);
    let mut client = Client::over(command, Era::Stateless);
    let propose = |number| {
        let request = json!({"intent": "update_shared", "operations": [{
            "operation": "replace_section_content", "section_id": "alpha", "content": text(number),
        }]});
        client.send("tools/call", json!({"name": "memory_propose_update", "arguments": request}));
        client.read_unless_gone().map(|answer| answer["result"]["structuredContent"].clone())
    };
    let answers = (0..ANIMALS.len()).map(propose).collect();
    client.leave();
    answers
}

fn text(number: usize) -> String {
    format!("Ask the {} about it.", ANIMALS[number])
}

fn is_applied(answer: &Value) -> bool {
    answer["status"] == "applied"
}

/// Looks whether the store holds what was promised last, or one that came after, and the index the same.
fn check(folder: &Path, answers: &[Option<Value>]) -> Result<(), String> {
    go_on(folder)?;
    let file = fs::read_to_string(folder.join(".agent-memory/local/shared.md")).unwrap();
    let held: Vec<usize> =
        (0..ANIMALS.len()).filter(|number| file.contains(&text(*number))).collect();
    let promised = answers.iter().rposition(|answer| answer.as_ref().is_some_and(is_applied));
    ensure(held.len() <= 1 && held.last().copied() >= promised, || {
        format!("promised {promised:?}, held {held:?}")
    })?;
    for (number, animal) in ANIMALS.iter().enumerate() {
        let found = call(folder, &["search", "--json", animal], "").json();
        let found = found["results"].as_array().is_some_and(|found| !found.is_empty());
        ensure(found == held.contains(&number), || {
            format!("{animal} is found: {found}, {held:?}")
        })?;
    }
    is_healthy(folder)
}
