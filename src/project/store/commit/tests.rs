//! Commits while a hook hangs.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::Instant;

use super::*;

const LIMIT: CommitLimit = CommitLimit::After(Duration::from_millis(300));

/// A repository with a store and a hook that hangs; the children of the hook outlive it.
fn with_hook(name: &str) -> (tempfile::TempDir, Layout) {
    let folder = tempfile::tempdir().expect("a folder");
    let git = |arguments: &[&str]| {
        let status = Command::new("git").args(arguments).current_dir(folder.path()).status();
        assert!(status.expect("git runs").success(), "{arguments:?}");
    };
    git(&["init", "--quiet"]);
    git(&["config", "user.name", "Ada"]);
    git(&["config", "user.email", "ada@example.org"]);
    git(&["commit", "--quiet", "--allow-empty", "--message", "first"]);
    let layout = Layout::new_in(folder.path());
    outside::write(&layout.store().join("a.md"), b"# A\n").expect("a file");
    let hooks = folder.path().join(".git/hooks");
    let hook = b"#!/bin/sh\necho it hangs >&2\nsleep 30\n";
    outside::write(&hooks.join(name), hook).expect("a hook");
    fs::set_permissions(hooks.join(name), Permissions::from_mode(0o755)).expect("a hook");
    (folder, layout)
}

fn commit(layout: &Layout) -> std::result::Result<NewCommit, Unmade> {
    let work_tree = ReadyWorkTree::find(layout).expect("git answers").expect("it is ready");
    let id = ProposalId::parse("20261120-100000-a-abcd").expect("an id");
    let message = format!("memory: apply a.md\n\nAgent-Memory-Proposal: {id}\n");
    let begun = Instant::now();
    let made = work_tree.commit(&["a.md".to_owned()], &message, &id, LIMIT);
    assert!(begun.elapsed() < Duration::from_secs(20), "it is waited for");
    assert!(!outside::exists(&work_tree.git_folder.own.join(INDEX_LOCK)), "git cleaned up");
    made
}

#[test]
fn a_hook_that_hangs_is_ended_and_nothing_is_staged() {
    for name in ["pre-commit", "commit-msg"] {
        let (_folder, layout) = with_hook(name);
        let Err(Unmade::Failed(error)) = commit(&layout) else { panic!("{name}: no error") };
        let said = error.to_string();
        assert!(said.contains("did not end within 300ms") && said.contains("it hangs"), "{said}");
        let work_tree = ReadyWorkTree::find(&layout).expect("git answers").expect("it is ready");
        assert!(work_tree.git.run(&["ls-files"], b"").expect("a list").is_empty());
        assert_eq!(work_tree.committed("a.md").expect("git answers"), None);
    }
}

#[test]
fn a_commit_with_a_hook_that_hangs_behind_it_is_made() {
    let (_folder, layout) = with_hook("post-commit");
    let made = commit(&layout).expect("it is made");
    assert!(made.complaints[0].contains("did not end within"), "{:?}", made.complaints);
    let work_tree = ReadyWorkTree::find(&layout).expect("git answers").expect("it is ready");
    assert_eq!(work_tree.committed("a.md").expect("git answers").as_deref(), Some("# A\n"));
    assert_eq!(work_tree.head, Some(made.id));
}
