//! A link that is put in the way between the moment of a look and that of a write, by a real process.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Child, Command, Stdio};

use super::Stage;
use crate::crash::has_strace;
use crate::requests::four_files;
use crate::support::Reply;

/// Begins to land the proposal that waits; its record takes long to become durable.
fn begin_apply(stage: &Stage, id: &str) -> Child {
    let mut command = Command::new("strace");
    command.args(["-qq", "-o", "/dev/null", "-e", "trace=fdatasync", "-e"]);
    command.args(["inject=fdatasync:delay_enter=700000:when=1"]);
    command.arg(env!("CARGO_BIN_EXE_agent-memory")).args(["apply", id, "--approver", "Ada"]);
    command.current_dir(stage.sandbox.project()).env_clear();
    command.env("XDG_CONFIG_HOME", stage.sandbox.root().join("config"));
    command.env("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let journal = || fs::read(stage.inside("state/journal")).unwrap();
    let before = journal();
    let mut running = command.spawn().unwrap();
    // The record is written after the last look at the files, and before any of them.
    while journal() == before {
        assert!(running.try_wait().unwrap().is_none(), "it ended before its record was written");
        std::thread::yield_now();
    }
    running
}

/// Swaps a part of the way for a link while a change to two files is on its way to them.
fn check(swap: &str) -> (Stage, Reply) {
    let stage = Stage::new();
    let id = stage.sandbox.propose(four_files()).staged();
    let running = begin_apply(&stage, &id);
    // Joining nothing would leave a `/` at the end, which follows a link.
    let place = if swap.is_empty() { stage.sandbox.store() } else { stage.inside(swap) };
    if place.exists() {
        fs::rename(&place, stage.sandbox.root().join("swapped")).unwrap();
    }
    let to = if swap.ends_with(".md") { "file" } else { "folder" };
    symlink(stage.outside(to), place).unwrap();
    let reply = Reply::of(running.wait_with_output().unwrap());
    stage.expect_untouched_outside();
    (stage, reply)
}

#[test]
fn a_folder_that_is_swapped_while_a_change_is_written_leads_nowhere() {
    if !has_strace() {
        return;
    }
    let (stage, reply) = check("modules");
    assert_eq!(reply.code, 2, "{}", reply.stdout);
    assert!(reply.stderr.contains("its folder is a symbolic link: `modules`"), "{}", reply.stderr);
    // What is committed is finished as soon as the way is free.
    fs::remove_file(stage.inside("modules")).unwrap();
    stage.sandbox.run(&["status"]).expect_code(0);
    assert!(stage.sandbox.has("modules/web.md"));
}

#[test]
fn temporary_files_that_are_swapped_lead_nowhere() {
    if !has_strace() {
        return;
    }
    let (stage, reply) = check("state/tmp");
    assert_eq!(reply.code, 2, "{}", reply.stdout);
    assert!(reply.stderr.contains("a symbolic link: `state/tmp`"), "{}", reply.stderr);
    fs::remove_file(stage.inside("state/tmp")).unwrap();
    stage.sandbox.run(&["status"]).expect_code(0);
    assert!(stage.sandbox.has("modules/web.md"));
}

#[test]
fn a_queue_that_is_swapped_keeps_nothing_that_was_decided() {
    if !has_strace() {
        return;
    }
    let (stage, reply) = check("staging");
    assert_eq!(reply.code, 2, "{}", reply.stdout);
    assert!(reply.stderr.contains("its folder is a symbolic link: `staging`"), "{}", reply.stderr);
    fs::remove_file(stage.inside("staging")).unwrap();
    fs::rename(stage.sandbox.root().join("swapped"), stage.inside("staging")).unwrap();
    let status = stage.sandbox.run(&["status", "--json"]).expect_code(0).json();
    let waiting: Vec<_> = status["pending"].as_array().unwrap().iter().collect();
    assert!(waiting.len() == 1 && waiting[0]["id"] == stage.id, "{status}");
}

#[test]
fn a_file_that_is_swapped_for_a_link_is_not_written_through() {
    if has_strace() {
        let (stage, reply) = check("modules/auth.md");
        assert!([0, 2].contains(&reply.code), "{}{}", reply.stdout, reply.stderr);
        fs::remove_file(stage.inside("modules/auth.md")).unwrap();
        stage.sandbox.run(&["status"]).expect_code(0);
    }
}

#[test]
fn a_store_that_is_swapped_keeps_what_was_on_its_way() {
    if !has_strace() {
        return;
    }
    let (stage, reply) = check("");
    assert_eq!(reply.code, 0, "{}{}", reply.stdout, reply.stderr);
    assert!(stage.sandbox.root().join("swapped/modules/web.md").exists());
}
