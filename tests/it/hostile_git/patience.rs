//! Nothing reaches the network, and no call of git is waited for without a bound.
#![cfg(unix)]

use std::fs::{self, OpenOptions};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{said, write};
use crate::requests::convention;
use crate::support::Sandbox;

/// Longer than git may take, and much shorter than what it waits for.
const PATIENCE: Duration = Duration::from_secs(40);

/// To open a pipe without waiting for its reader.
const NONBLOCK: i32 = if cfg!(target_os = "linux") { 0o4000 } else { 4 };

/// Makes a pipe that nobody writes to.
fn make_pipe(sandbox: &Sandbox, path: &str) {
    let path = sandbox.project().join(path);
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Tells whether a process still waits for a pipe.
fn is_read(sandbox: &Sandbox, path: &str) -> bool {
    let mut options = OpenOptions::new();
    options.write(true).custom_flags(NONBLOCK);
    options.open(sandbox.project().join(path)).is_ok()
}

/// Makes a clone without texts, whose remote leaves a marker when it is asked, and takes its time.
fn partial_clone(sandbox: &Sandbox) -> std::path::PathBuf {
    sandbox.git(&["config", "uploadpack.allowFilter", "true"]);
    let from = format!("file://{}", sandbox.project().display());
    sandbox.git(&["clone", "--quiet", "--filter=blob:none", &from, "../clone"]);
    let asked = sandbox.root().join("asked");
    let slow = sandbox.root().join("slow");
    write(slow.clone(), &format!("#!/bin/sh\ntouch '{}'\nsleep 50\n", asked.display()));
    fs::set_permissions(&slow, fs::Permissions::from_mode(0o755)).unwrap();
    let slow = slow.display().to_string();
    sandbox.git(&["-C", "../clone", "config", "remote.origin.uploadpack", &slow]);
    asked
}

#[test]
fn a_request_that_cites_an_unknown_commit_asks_no_remote() {
    let sandbox = Sandbox::new();
    sandbox.commit("base");
    let asked = partial_clone(&sandbox);
    let mut request = convention("Keys", "Keys are rotated.");
    request["sources"] = json!([{ "type": "commit", "ref": "deadbeef".repeat(5) }]);
    let begun = Instant::now();
    let propose = sandbox.call(&["propose"]).within("../clone").stdin(request.to_string());
    let answer = propose.run().answer();
    assert!(!asked.exists() && begun.elapsed() < PATIENCE);
    let warnings = answer["warnings"].to_string();
    assert!(warnings.contains("is not known: partial clone"), "{}", answer.value);
}

#[test]
fn nor_does_a_look_at_what_a_partial_clone_left_out() {
    let sandbox = Sandbox::new();
    for round in 0..3 {
        sandbox.write("archive/old.md", format!("## Old\n<!-- @id: old -->\n\nRound {round}.\n"));
        sandbox.commit("changed");
    }
    let asked = partial_clone(&sandbox);
    for command in [
        &["check"][..],
        &["blame", "archive/old.md"],
        &["context", "--changed"],
        &["status", "--worktrees"],
        &["doctor"],
    ] {
        sandbox.call(command).within("../clone").run();
        assert!(!asked.exists(), "{command:?}");
    }
}

#[test]
fn a_pipe_that_is_called_like_a_mailmap_is_read_by_nobody() {
    let sandbox = Sandbox::new();
    sandbox.commit("base");
    make_pipe(&sandbox, ".mailmap");
    sandbox.run(&["check", "--allow", "index-outdated"]).expect_code(0);
}

/// Runs a command for which git waits for ever, and expects a clear error in time.
fn check_bound(sandbox: &Sandbox, pipe: &str, command: &[&str]) {
    let begun = Instant::now();
    let reply = sandbox.run(command).expect_code(2);
    assert!(begun.elapsed() < PATIENCE, "{command:?}");
    let expected = "` was ended: git may take 10 s in one command";
    assert!(said(&reply).contains(expected), "{}", said(&reply));
    assert!(!is_read(sandbox, pipe), "git is still there");
}

#[test]
fn a_pipe_that_is_called_like_attributes_of_git_stops_nobody_for_ever() {
    let sandbox = Sandbox::new();
    sandbox.commit("base");
    sandbox.write_project("src/auth/refresh.rs", "pub fn other() {}\n");
    make_pipe(&sandbox, ".gitattributes");
    let other = sandbox.run(&["status"]);
    assert_eq!(other.code, 0, "{}", said(&other));
    make_pipe(&sandbox, ".gitignore");
    check_bound(&sandbox, ".gitignore", &["context", "--changed"]);
}

#[test]
fn nor_does_one_that_the_settings_name() {
    let sandbox = Sandbox::new();
    sandbox.commit("base");
    make_pipe(&sandbox, "pipe");
    let pipe = sandbox.project().join("pipe").display().to_string();
    sandbox.git(&["config", "core.excludesFile", &pipe]);
    check_bound(&sandbox, "pipe", &["context", "--changed"]);
}

#[test]
fn a_filter_that_takes_long_makes_evidence_unknown_and_not_stale() {
    let sandbox = Sandbox::new();
    sandbox.write_project(".gitattributes", "*.txt filter=slow\n");
    sandbox.commit("base");
    sandbox.git(&["config", "filter.slow.clean", "sleep 50"]);
    sandbox.write_project("notes.txt", "one\r\ntwo\r\n");
    let mut request = convention("Keys", "Keys are rotated.");
    request["sources"] = json!([{ "type": "file", "ref": "notes.txt" }]);
    let begun = Instant::now();
    let answer = sandbox.propose(request);
    assert!(begun.elapsed() < PATIENCE);
    assert!(answer["warnings"].to_string().contains("is not known"), "{}", answer.value);
}

/// Puts a `git` before the real one that notes each call and takes its time; returns the `PATH` and the notes.
fn make_slow_git(sandbox: &Sandbox, name: &str) -> (String, std::path::PathBuf) {
    let (folder, notes) = (sandbox.root().join(name), sandbox.root().join(format!("{name}.calls")));
    let path = std::env::var("PATH").unwrap();
    let script = "#!/bin/sh\necho called >> \"$NOTES\"\nsleep 4\nPATH=\"$REST\" exec git \"$@\"\n";
    let script = script
        .replace("\"$NOTES\"", &format!("'{}'", notes.display()))
        .replace("\"$REST\"", &format!("'{path}'"));
    write(folder.join("git"), &script);
    fs::set_permissions(folder.join("git"), fs::Permissions::from_mode(0o755)).unwrap();
    (format!("{}:{path}", folder.display()), notes)
}

#[test]
fn all_stores_that_a_command_opens_share_its_time() {
    let sandbox = Sandbox::new();
    // What other branches decided of a queue that is kept in git is asked for each worktree.
    let config = sandbox.file("config.toml").replace("track = false", "track = true");
    sandbox.write("config.toml", config);
    sandbox.commit("base");
    for name in ["one", "two", "three"] {
        let folder = format!("../{name}");
        sandbox.git(&["worktree", "add", "--quiet", &folder]);
        let request = convention("Keys", name).to_string();
        sandbox.call(&["propose"]).within(&folder).stdin(request).run().answer().staged();
    }
    std::thread::scope(|scope| {
        for command in [&["doctor"][..], &["review", "--worktrees"], &["status", "--worktrees"]] {
            let sandbox = &sandbox;
            scope.spawn(move || {
                let (path, notes) = make_slow_git(sandbox, command[0]);
                let reply = sandbox.call(command).env("PATH", &path).run();
                assert!(said(&reply).contains("in one command"), "{command:?}: {}", said(&reply));
                let calls = fs::read_to_string(notes).unwrap().lines().count();
                assert!((1..=3).contains(&calls), "{command:?}: {calls} calls of 4 s");
            });
        }
    });
}
