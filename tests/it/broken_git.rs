//! A `.git` that leads to no repository: each command says what is so, and what to do.

use std::fs;

use crate::requests::session;
use crate::support::Sandbox;

/// Breaks the `.git` of a store that was used before, or is new.
#[track_caller]
fn check(harm: impl Fn(&Sandbox), said: &str, next: &str) {
    let sandbox = Sandbox::new();
    let request = sandbox.root().join("request.json");
    fs::write(&request, session("Today", "Done.").to_string()).unwrap();
    let request = request.to_str().unwrap();
    fs::remove_dir_all(sandbox.project().join(".git")).unwrap();
    harm(&sandbox);
    for command in [&["propose", "--file", request][..], &["check"], &["init"]] {
        let reply = sandbox.run(command).expect_code(2);
        let told = reply.stdout + &reply.stderr;
        assert!(told.contains(said) && told.contains(next), "{command:?}: {told}");
    }
    let reply = sandbox.run(&["status"]).expect_code(0);
    let told = (reply.stdout + &reply.stderr).replace('\n', " ");
    assert!(told.contains(said), "status: {told}");
    assert!(!sandbox.has("sessions"), "nothing is written");
}

#[test]
fn a_folder_that_is_not_there() {
    let harm = |sandbox: &Sandbox| sandbox.write_project(".git", "gitdir: /gone/worktrees/a\n");
    check(harm, "names a folder that is not there: `/gone/worktrees/a`", "git worktree repair");
}

#[test]
fn a_submodule_without_its_repository() {
    let harm = |sandbox: &Sandbox| sandbox.write_project(".git", "gitdir: ../.git/modules/a\n");
    check(harm, "names a folder that is not there: ", "git submodule update --init");
}

#[test]
fn a_folder_that_is_no_repository() {
    let harm = |sandbox: &Sandbox| {
        fs::create_dir(sandbox.root().join("other")).unwrap();
        sandbox.write_project(".git", "gitdir: ../other\n");
    };
    check(harm, "names a folder that is no repository", "git worktree repair");
}

#[test]
fn a_file_of_something_else() {
    for text in ["hello\n", "", "gitdir /gone\n"] {
        let harm = |sandbox: &Sandbox| sandbox.write_project(".git", text);
        check(harm, "names no folder of git", "gitdir: PATH");
    }
}

#[test]
fn a_folder_without_head() {
    let harm = |sandbox: &Sandbox| fs::create_dir(sandbox.project().join(".git")).unwrap();
    check(harm, "is a folder without `HEAD`", "git init");
}

#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_and_a_link_to_nothing() {
    let binary =
        |sandbox: &Sandbox| fs::write(sandbox.project().join(".git"), [0xff, 0xfe, 0]).unwrap();
    check(binary, "not UTF-8", "git status");
    let link = |sandbox: &Sandbox| {
        std::os::unix::fs::symlink("/gone/git", sandbox.project().join(".git")).unwrap();
    };
    check(link, "names no folder of git", "git worktree repair");
}
