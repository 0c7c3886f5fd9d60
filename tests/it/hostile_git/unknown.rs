//! "Not known" is an answer: no branch, no commit and no repository stands in for what git does not tell.
#![cfg(unix)]
#![allow(clippy::print_stdout, reason = "a test that is left out says so")]

use std::fs;
use std::os::unix::fs::{MetadataExt, chown, symlink};
use std::process::Command;

use serde_json::json;

use super::{said, state_of_the_work};
use crate::requests::convention;
use crate::support::{Answer, Sandbox};
use crate::tracked::tracking;

fn propose_state(sandbox: &Sandbox) -> Answer {
    sandbox.propose(state_of_the_work())
}

fn check_file(sandbox: &Sandbox, expected: &str) {
    let answer = propose_state(sandbox).applied();
    assert!(answer["files"].to_string().contains(expected), "{}", answer.value);
}

/// A committed store on the branch `topic`.
fn on_topic() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.commit("base");
    sandbox.git(&["switch", "--quiet", "--create", "topic"]);
    sandbox
}

/// Gives the repository to another user, so that git refuses it; tells whether that can be done.
fn give_away(sandbox: &Sandbox) -> bool {
    if fs::metadata(sandbox.root()).unwrap().uid() != 0 {
        println!("skipped: only root can give a folder to another user");
        return false;
    }
    for path in [sandbox.project(), sandbox.project().join(".git")] {
        chown(path, Some(65_534), None).unwrap();
    }
    true
}

#[test]
fn the_branch_of_a_repository_that_git_refuses_is_read_from_its_head() {
    let sandbox = on_topic();
    if give_away(&sandbox) {
        check_file(&sandbox, "local/current.topic.md");
        let pack = sandbox.run(&["context"]).expect_code(0).stdout;
        assert!(pack.contains("half of it is done"), "{pack}");
    }
}

#[test]
fn every_command_that_asks_git_passes_on_why_it_refuses() {
    let sandbox = on_topic();
    let id = sandbox.propose(convention("Keys", "Keys are rotated.")).staged();
    sandbox.run(&["apply", &id, "--approver", "Ada", "--commit"]).expect_code(0);
    if !give_away(&sandbox) {
        return;
    }
    for command in [
        &["doctor"][..],
        &["blame", "conventions.md"],
        &["install", "git", "--check"],
        &["status", "--worktrees"],
        &["review", "--worktrees"],
        &["resolve"],
        &["check"],
        &["context", "--changed"],
    ] {
        let reply = sandbox.run(command);
        // `blame` still tells what the log of this machine knows.
        assert_eq!(reply.code == 0, command[0] == "blame", "{command:?}");
        let said = said(&reply);
        assert!(said.contains("dubious ownership"), "{command:?}: {said}");
        assert!(said.contains("git config --global --add safe.directory"), "{command:?}: {said}");
        for wrong in ["no git repository", "none yet", "missing"] {
            assert!(!said.contains(wrong), "{command:?}: {said}");
        }
    }
}

#[test]
fn during_a_rebase_it_is_the_branch_that_is_rebased() {
    for backend in ["--merge", "--apply"] {
        let sandbox = on_topic();
        check_file(&sandbox, "local/current.topic.md");
        sandbox.write_project("f", "one\n");
        sandbox.commit("one");
        sandbox.git(&["switch", "--quiet", "main"]);
        sandbox.write_project("f", "two\n");
        sandbox.commit("two");
        sandbox.git(&["switch", "--quiet", "topic"]);
        let mut rebase = Command::new("git");
        rebase.args(["rebase", backend, "main"]).current_dir(sandbox.project());
        let rebased = rebase.env_clear().envs(sandbox.variables()).output().unwrap();
        assert!(!rebased.status.success(), "it stops at a conflict");
        let pack = sandbox.run(&["context"]).expect_code(0).stdout;
        assert!(pack.contains("half of it is done"), "{backend}: {pack}");
    }
}

#[test]
fn with_jujutsu_it_is_the_one_branch_at_head() {
    let sandbox = on_topic();
    sandbox.git(&["checkout", "--quiet", "--detach"]);
    sandbox.git(&["branch", "--quiet", "--delete", "--force", "main"]);
    fs::create_dir(sandbox.project().join(".jj")).unwrap();
    check_file(&sandbox, "local/current.topic.md");
    // Of two, none is known to be the one.
    sandbox.git(&["branch", "--quiet", "other"]);
    check_file(&sandbox, "local/current.detached.md");
}

#[test]
fn what_is_written_without_a_branch_names_its_commit() {
    let sandbox = on_topic();
    sandbox.git(&["checkout", "--quiet", "--detach"]);
    check_file(&sandbox, "local/current.detached.md");
    let commit = sandbox.git(&["rev-parse", "HEAD"]);
    let text = sandbox.file("local/current.detached.md");
    assert!(text.contains(&format!("<!-- @source: commit {} ", &commit[..12])), "{text}");
    sandbox.git(&["switch", "--quiet", "topic"]);
    check_file(&sandbox, "local/current.topic.md");
    let text = sandbox.file("local/current.topic.md");
    assert!(!text.contains("@source: commit"), "{text}");
}

#[test]
fn another_format_of_references_is_asked_of_git() {
    let sandbox = Sandbox::without_git();
    let init = ["init", "--quiet", "--ref-format=reftable", "--initial-branch=topic"];
    let mut git = Command::new("git");
    git.args(init).current_dir(sandbox.project()).env_clear().envs(sandbox.variables());
    if !git.output().unwrap().status.success() {
        println!("skipped: this git knows no `reftable`");
        return;
    }
    sandbox.run(&["init"]).expect_code(0);
    check_file(&sandbox, "local/current.topic.md");
    if give_away(&sandbox) {
        let answer = propose_state(&sandbox).rejected("invalid_path");
        assert!(answer["message"].to_string().contains("dubious ownership"), "{}", answer.value);
        assert!(answer["hint"].to_string().contains("safe.directory"), "{}", answer.value);
        let pack = sandbox.run(&["context"]).expect_code(0);
        assert!(said(&pack).contains("dubious ownership"), "{}", said(&pack));
    }
}

#[test]
fn without_a_head_nothing_is_written_for_a_branch() {
    let sandbox = on_topic();
    fs::remove_file(sandbox.project().join(".git/HEAD")).unwrap();
    let answer = propose_state(&sandbox).rejected("invalid_path");
    assert!(
        answer["message"].to_string().contains("is a folder without `HEAD`"),
        "{}",
        answer.value
    );
    assert!(!sandbox.has("local/current.main.md"));
}

#[test]
fn each_worktree_has_a_head_of_its_own_and_a_link_is_one_too() {
    let sandbox = on_topic();
    sandbox.git(&["worktree", "add", "--quiet", "-b", "linked", "../linked"]);
    let propose = sandbox.call(&["propose"]).within("../linked");
    let answer = propose.stdin(state_of_the_work().to_string()).run().answer().applied();
    assert!(answer["files"].to_string().contains("local/current.linked.md"), "{}", answer.value);
    let head = sandbox.project().join(".git/HEAD");
    fs::remove_file(&head).unwrap();
    symlink("refs/heads/main", &head).unwrap();
    check_file(&sandbox, "local/current.main.md");
}

#[test]
fn nothing_is_decided_where_git_does_not_tell_what_a_sparse_checkout_leaves_out() {
    let sandbox = on_topic();
    sandbox.git(&["sparse-checkout", "set", "--no-cone", "/*", "!/.agent-memory/config.toml"]);
    if !give_away(&sandbox) {
        return;
    }
    let request = convention("Keys", "Keys are rotated.").to_string();
    let reply = sandbox.call(&["propose"]).stdin(request).run().expect_code(2);
    assert!(said(&reply).contains("dubious ownership"), "{}", said(&reply));
}

#[test]
fn a_commit_that_git_does_not_look_up_is_not_missing() {
    let sandbox = on_topic();
    if give_away(&sandbox) {
        let mut request = convention("Keys", "Keys are rotated.");
        request["sources"] = serde_json::json!([{ "type": "commit", "ref": "deadbeef" }]);
        let answer = sandbox.propose(request);
        let warnings = answer["warnings"].to_string();
        assert!(warnings.contains("is not known: git refuses"), "{}", answer.value);
    }
}

#[test]
fn a_last_commit_that_git_cannot_read_is_not_a_branch_without_one() {
    let sandbox = Sandbox::new();
    sandbox.commit("base");
    let id = sandbox.propose(convention("Keys", "Keys are rotated.")).staged();
    let branch = sandbox.project().join(".git/refs/heads/main");
    let head = fs::read_to_string(&branch).unwrap();
    for broken in ["", "no id\n", "deadbeefdeadbeefdeadbeefdeadbeefdeadbeef\n"] {
        fs::write(&branch, broken).unwrap();
        let before = sandbox.file("conventions.md");
        let reply = sandbox.run(&["apply", &id, "--commit", "--approver", "Ada"]).expect_code(2);
        assert!(reply.stderr.contains("git cannot read the last commit"), "{}", reply.stderr);
        assert!(reply.stderr.contains("hint:"), "{}", reply.stderr);
        assert_eq!(sandbox.file("conventions.md"), before);
        let reply = sandbox.run(&["blame", "conventions.md"]).expect_code(0);
        assert!(!said(&reply).contains("none yet"), "{}", said(&reply));
        sandbox.run(&["context", "--changed"]).expect_code(2);
        let mut request = convention("Keys", "Keys are rotated.");
        request["sources"] = json!([{ "type": "commit", "ref": "HEAD~1" }]);
        let answer = sandbox.propose(request);
        assert_eq!(answer["status"], "staged", "not known is not missing: {}", answer.value);
    }
    fs::write(&branch, head).unwrap();
    sandbox.run(&["apply", &id, "--commit", "--approver", "Ada"]).expect_code(0);
}

#[test]
fn a_file_of_the_last_commit_that_git_cannot_read_is_in_it_all_the_same() {
    let sandbox = Sandbox::new();
    sandbox.commit("base");
    let id = sandbox.propose(convention("Keys", "Keys are rotated.")).staged();
    let blob = sandbox.git(&["rev-parse", "HEAD:.agent-memory/conventions.md"]);
    let (folder, name) = blob.trim().split_at(2);
    fs::remove_file(sandbox.project().join(".git/objects").join(folder).join(name)).unwrap();
    let before = sandbox.file("conventions.md");
    let reply = sandbox.run(&["apply", &id, "--commit", "--approver", "Ada"]).expect_code(2);
    assert!(reply.stderr.contains("git cat-file"), "{}", reply.stderr);
    assert_eq!(sandbox.file("conventions.md"), before);
}

#[test]
fn nothing_is_made_where_the_main_repository_of_a_worktree_is_gone() {
    let sandbox = on_topic();
    sandbox.git(&["worktree", "add", "--quiet", "-b", "linked", "../linked"]);
    let git = sandbox.project().join(".git");
    fs::rename(&git, sandbox.root().join("moved")).unwrap();
    let reply = sandbox.call(&["status"]).within("../linked").run();
    assert!(!git.exists(), "{}", said(&reply));
}

#[test]
fn that_git_does_not_tell_what_other_branches_decided_is_said() {
    let sandbox = tracking();
    let id = sandbox.propose(convention("Keys", "Keys are rotated.")).staged();
    fs::write(sandbox.project().join(".git/refs/heads/main"), "no id\n").unwrap();
    let expected = "what other branches decided is not known: git cannot read the last";
    for command in [&["status"][..], &["show", &id], &["apply", &id, "--approver", "Ada"]] {
        let reply = sandbox.run(command).expect_code(0);
        assert!(said(&reply).contains(expected), "{command:?}: {}", said(&reply));
    }
}

#[test]
fn what_git_ignores_is_not_known_beside_a_pipe() {
    let sandbox = Sandbox::new();
    let pipe = sandbox.project().join(".gitignore");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for command in ["check", "init", "doctor"] {
        let reply = sandbox.run(&[command]);
        let words = said(&reply).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("what git ignores is not known:"), "{command}: {words}");
        assert!(said(&reply).lines().all(|line| line.trim() != "hint:"), "{}", said(&reply));
    }
}
