//! One's own state goes on wherever a repository is, and however it came there.

#![allow(clippy::print_stdout, reason = "a test that is left out says so")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::requests::shared;
use crate::support::{Reply, Sandbox};

fn run(sandbox: &Sandbox, folder: &Path, arguments: &[&str]) -> Reply {
    let mut command = sandbox.process(arguments);
    Reply::of(command.current_dir(folder).output().unwrap())
}

fn git(sandbox: &Sandbox, folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "protocol.file.allow=always"]).args(arguments);
    command.current_dir(folder).env_clear().envs(sandbox.variables());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Expects that a folder has a store with one decision that this machine knows.
#[track_caller]
fn expect_known(sandbox: &Sandbox, folder: &Path) {
    let log = run(sandbox, folder, &["log"]).expect_code(0).stdout;
    assert!(log.contains("applied"), "{log}");
    let status = run(sandbox, folder, &["status"]).expect_code(0).stderr;
    assert!(!status.contains("not signed on this machine"), "{status}");
    run(sandbox, folder, &["log", "--verify"]).expect_code(0);
}

/// Applies something in the store of a folder.
fn decide(sandbox: &Sandbox, folder: &Path) {
    let file = sandbox.root().join("request.json");
    fs::write(&file, shared("Alpha", "The first.").to_string()).unwrap();
    let reply = run(sandbox, folder, &["propose", "--file", file.to_str().unwrap()]);
    assert_eq!(reply.expect_code(0).json()["status"], "applied");
}

fn beside(sandbox: &Sandbox, name: &str) -> PathBuf {
    sandbox.root().join(name)
}

#[test]
fn a_repository_that_is_restored_from_an_archive_goes_on() {
    let sandbox = Sandbox::new();
    sandbox.commit("a store");
    decide(&sandbox, &sandbox.project());
    let (archive, to) = (beside(&sandbox, "all.tar"), beside(&sandbox, "restored"));
    fs::create_dir(&to).unwrap();
    let tar = |arguments: &[&str], folder: &Path| {
        let status = Command::new("tar").args(arguments).current_dir(folder).status();
        assert!(status.unwrap().success());
    };
    tar(&["cf", archive.to_str().unwrap(), "."], &sandbox.project());
    tar(&["xf", archive.to_str().unwrap()], &to);
    expect_known(&sandbox, &to);
    decide_again(&sandbox, &to);
}

#[cfg(target_os = "linux")]
#[test]
fn a_repository_below_an_overlay_goes_on() {
    let sandbox = Sandbox::new();
    sandbox.commit("a store");
    decide(&sandbox, &sandbox.project());
    let request = beside(&sandbox, "again.json");
    fs::write(&request, shared("Beta", "The second.").to_string()).unwrap();
    for folder in ["upper", "work", "merged"] {
        fs::create_dir(beside(&sandbox, folder)).unwrap();
    }
    let script = format!(
        "mount -t overlay overlay -o lowerdir=project,upperdir=upper,workdir=work,userxattr merged || exit 77
         cd merged && '{program}' log && '{program}' propose --file ../again.json && '{program}' log --verify &&
         '{program}' status",
        program = env!("CARGO_BIN_EXE_agent-memory")
    );
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", &script]);
    command.current_dir(sandbox.root()).env_clear().envs(sandbox.variables());
    let Ok(output) = command.output() else { return };
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(77) || said.contains("unshare:") {
        println!("left out: nothing can be mounted here: {said}");
        return;
    }
    assert!(output.status.success(), "{said}");
    assert!(said.contains("2 decisions, chain unbroken"), "{said}");
    assert!(!said.contains("not signed on this machine"), "{said}");
    // What is below has not changed.
    let below = sandbox.run(&["log", "--verify"]).expect_code(0).stdout;
    assert!(below.contains("1 decision,"), "{below}");
}

fn decide_again(sandbox: &Sandbox, folder: &Path) {
    let file = sandbox.root().join("again.json");
    fs::write(&file, shared("Beta", "The second.").to_string()).unwrap();
    run(sandbox, folder, &["propose", "--file", file.to_str().unwrap()]).expect_code(0);
    expect_known(sandbox, folder);
}

#[test]
fn a_store_in_a_submodule_has_its_key_in_the_folder_of_the_module() {
    let sandbox = Sandbox::new();
    sandbox.commit("a store");
    let outer = beside(&sandbox, "outer");
    fs::create_dir(&outer).unwrap();
    git(&sandbox, &outer, &["init", "--quiet"]);
    git(&sandbox, &outer, &["submodule", "--quiet", "add", "../project", "inner"]);
    decide(&sandbox, &outer.join("inner"));
    assert!(outer.join(".git/modules/inner/agent-memory/key").is_file());
    expect_known(&sandbox, &outer.join("inner"));
    let moved = beside(&sandbox, "moved");
    fs::rename(&outer, &moved).unwrap();
    expect_known(&sandbox, &moved.join("inner"));
}

#[test]
fn worktrees_of_a_bare_repository_share_its_key() {
    let sandbox = Sandbox::new();
    sandbox.commit("a store");
    let (bare, one, two) =
        (beside(&sandbox, "bare"), beside(&sandbox, "one"), beside(&sandbox, "two"));
    git(&sandbox, &sandbox.project(), &["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    for (place, branch) in [(&one, "b1"), (&two, "b2")] {
        git(
            &sandbox,
            &bare,
            &["worktree", "add", "--quiet", "-b", branch, place.to_str().unwrap()],
        );
        decide(&sandbox, place);
        expect_known(&sandbox, place);
    }
    assert!(bare.join("agent-memory/key").is_file());
    assert!(bare.join("worktrees/one/agent-memory/key").is_file(), "a record is of one work tree");
    fs::remove_dir_all(&one).unwrap();
    git(&sandbox, &bare, &["worktree", "prune"]);
    expect_known(&sandbox, &two);
}
