//! The process dies, or the disk fails it, at each system call of an update of a long-term memory: row, log, event and
//! generation agree.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::json;

use super::{FAILING_ONCE, FULL_ONCE, KILL, has_strace, strace};
use crate::longterm::world::{World, context, of, shared};
use crate::support::{Reply, files_in};

#[test]
fn an_update_survives_a_kill() {
    survives("update", KILL);
}

#[test]
fn a_deletion_survives_a_kill() {
    survives("delete", KILL);
}

#[test]
fn an_update_survives_a_disk_that_is_full_once() {
    survives("update", FULL_ONCE);
}

#[test]
fn an_update_survives_a_disk_that_fails_once() {
    survives("update", FAILING_ONCE);
}

fn survives(what: &str, injury: &str) {
    if !has_strace() {
        return;
    }
    let world = World::new();
    let arguments = match what {
        "update" => shared(1, "Meetings are on Mondays"),
        _ => of(2, "", "Ada"),
    };
    let call = json!({"context": context(), "arguments": arguments}).to_string();
    world.sandbox.write_project("call.json", call);
    let (data, before) = (files_in(&world.data()), world.state());
    let trace = world.sandbox.root().join("trace");
    assert_eq!(run(&world, &trace, None).code, 0);
    let after = world.state();
    assert!(before != after && before.2.len() + 1 == after.2.len());
    let points = strace::sample(strace::points(&fs::read_to_string(&trace).unwrap()));
    let mut problems = Vec::new();
    for (name, number) in &points {
        put_back(&world.data(), &data);
        let injection = format!("{name}:{}", injury.replace("=N", &format!("={number}")));
        let reply = run(&world, &trace, Some(&injection));
        let now = world.state();
        let is_unbroken = world.run(&["log", "--verify"]).code == 0;
        let lines = world.run(&["log", "--json"]).expect_code(0).json()["lines"].clone();
        let is_whole = now == before || now == after;
        let is_promised = reply.code != 0 || now == after;
        let agree = lines.as_array().map(Vec::len) == Some(now.2.len());
        if !(is_unbroken && is_whole && is_promised && agree) {
            problems.push(format!("{injection}: {reply:?}\n{now:?}"));
        }
    }
    let (bad, all) = (problems.len(), points.len());
    assert!(problems.is_empty(), "{bad} of {all} points:\n{}", problems.join("\n"));
    println!("ltm {what} survived {all} points with {injury}");
}

fn run(world: &World, trace: &Path, injury: Option<&str>) -> Reply {
    let mut command = strace::command_of_threads(trace, injury);
    command.args(["ltm", "update", "--file", "call.json"]);
    command.current_dir(world.sandbox.project()).env_clear().envs(world.sandbox.variables());
    command.env("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z");
    command.env("AGENT_MEMORY_DATA", world.data());
    Reply::of(command.output().unwrap())
}

/// Makes the folder of the data what it was, byte for byte.
fn put_back(folder: &Path, files: &BTreeMap<String, Vec<u8>>) {
    for name in files_in(folder).into_keys().filter(|name| !files.contains_key(name)) {
        fs::remove_file(folder.join(name)).unwrap();
    }
    // Written over, so that only the owner may read them as before.
    files.iter().for_each(|(name, bytes)| fs::write(folder.join(name), bytes).unwrap());
}
