//! What git says of worktrees is what was written into the repository.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;

use super::{said, write};
use crate::requests::convention;
use crate::support::Sandbox;

const COMMANDS: [&[&str]; 3] =
    [&["status", "--worktrees"], &["review", "--worktrees"], &["status", "--worktrees", "--json"]];

/// Makes the store of another person, in which a proposal waits.
fn other_project() -> (Sandbox, String) {
    let other = Sandbox::new();
    other.commit("theirs");
    let id = other.propose(convention("Private", "The merger is in May.")).staged();
    (other, id)
}

/// Writes into the repository that it has a worktree whose `.git` is at a path.
fn enter(sandbox: &Sandbox, name: &str, git: &str) {
    let entry = sandbox.project().join(".git/worktrees").join(name);
    write(entry.join("gitdir"), &format!("{git}\n"));
    write(entry.join("HEAD"), "ref: refs/heads/main\n");
    write(entry.join("commondir"), "../..\n");
}

fn check_unread(sandbox: &Sandbox, id: &str, is_told: bool) {
    for command in COMMANDS {
        let reply = sandbox.run(command).expect_code(0);
        let said = said(&reply);
        assert!(!said.contains(id) && !said.contains("merger"), "{command:?}: {said}");
        assert_eq!(said.contains("no worktree of this repository"), is_told, "{command:?}: {said}");
    }
    let apply = ["apply", id, "--approver", "Ada", "--from-worktree", "main"];
    assert_ne!(sandbox.run(&apply).code, 0);
}

#[test]
fn a_folder_of_another_repository_is_named_and_not_read() {
    let sandbox = Sandbox::new();
    sandbox.commit("base");
    let (other, id) = other_project();
    enter(&sandbox, "evil", &other.project().join(".git").display().to_string());
    check_unread(&sandbox, &id, true);
}

#[test]
fn nor_is_one_whose_git_leads_here_while_the_entry_leads_elsewhere() {
    let sandbox = Sandbox::new();
    sandbox.commit("base");
    let (other, id) = other_project();
    // It belongs to the entry `first`, which names another folder by now.
    fs::rename(other.project().join(".git"), other.root().join("git")).unwrap();
    let first = sandbox.project().join(".git/worktrees/first");
    write(other.project().join(".git"), &format!("gitdir: {}\n", first.display()));
    enter(&sandbox, "first", "/nowhere/.git");
    enter(&sandbox, "second", &other.project().join(".git").display().to_string());
    check_unread(&sandbox, &id, true);
}

#[test]
fn nor_is_what_a_link_in_a_worktree_leads_to() {
    let sandbox = Sandbox::without_store();
    fs::create_dir(sandbox.project().join("web")).unwrap();
    sandbox.run(&["init", "--root", "web"]).expect_code(0);
    sandbox.commit("base");
    sandbox.git(&["worktree", "add", "--quiet", "-b", "topic", "../topic"]);
    let (other, id) = other_project();
    let web = sandbox.root().join("topic/web");
    fs::remove_dir_all(&web).unwrap();
    symlink(other.project(), &web).unwrap();
    for command in COMMANDS {
        let reply = sandbox.call(command).within("web").run().expect_code(0);
        let said = said(&reply);
        assert!(!said.contains(&id), "{command:?}: {said}");
        assert!(said.contains("no worktree of this repository"), "{command:?}: {said}");
    }
}

#[test]
fn a_worktree_that_was_moved_with_git_or_removed_is_as_before() {
    let sandbox = Sandbox::new();
    sandbox.commit("base");
    sandbox.git(&["worktree", "add", "--quiet", "-b", "topic", "../topic"]);
    sandbox.git(&["worktree", "add", "--quiet", "-b", "gone", "../gone"]);
    sandbox.git(&["worktree", "move", "../topic", "../moved"]);
    fs::remove_dir_all(sandbox.root().join("gone")).unwrap();
    let reply = sandbox.run(&["status", "--worktrees", "--json"]).expect_code(0);
    let listed = reply.json()["worktrees"].as_array().map(Vec::len);
    assert_eq!(listed, Some(2), "{}", said(&reply));
    assert!(!said(&reply).contains("no worktree of this repository"), "{}", said(&reply));
}
