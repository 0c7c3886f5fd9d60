//! Commands in which git has a part: what waits in another worktree, and what could not be merged.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{
    Scene, View, check, ensure, finish, go_on, has_strace, hurt, is_healthy, is_promised, said,
};
use crate::requests::{convention, with_founded_conventions};
use crate::support::Reply;
use crate::tracked::{clones, tracking};

/// A proposal waits in another worktree, on the branch `topic`, and is to land here.
pub(super) fn two_worktrees() -> Scene {
    let sandbox = with_founded_conventions();
    sandbox.commit("the store");
    sandbox.git(&["worktree", "add", "--quiet", "-b", "topic", "topic"]);
    let request = convention("Dates", "They are ISO 8601.").to_string();
    let propose = sandbox.call(&["propose"]).within("topic").stdin(request);
    let id = propose.run().answer().staged();
    Scene::of(sandbox, &["apply", &id, "--from-worktree", "topic", "--approver", "Ada", "--json"])
}

/// A proposal waits in a queue that is kept in git, and a command decides on it.
pub(super) fn tracked_decision() -> Scene {
    let reject = ["reject", "ID", "--reason", "not like this", "--approver", "Ada", "--json"];
    Scene::deciding_in(tracking(), convention("Dates", "They are ISO 8601."), &reject)
}

/// Another clone rejected a proposal, of which git brought `decided/<id>.json`, and a command takes that back.
pub(super) fn rejected_elsewhere() -> Scene {
    let sandbox = tracking();
    let [a, b] = clones(&sandbox);
    let id = b.propose(convention("Dates", "They are ISO 8601."));
    b.commit("a proposal");
    b.decide("rejected", &id);
    b.commit("rejected");
    a.git(&["pull", "--quiet", "../b", "main"]);
    assert!(sandbox.has(&format!("decided/{id}.json")) && !sandbox.has("state/trash"));
    Scene::of(sandbox, &["restore", &id, "--approver", "Ada", "--json"])
}

/// Lets a repository that was copied know the worktree in it: git notes where both are.
pub(super) fn relink(folder: &Path) {
    let place = folder.display();
    let links = [
        ("topic/.git", format!("gitdir: {place}/.git/worktrees/topic\n")),
        (".git/worktrees/topic/gitdir", format!("{place}/topic/.git\n")),
    ];
    for (path, link) in links.map(|(path, link)| (folder.join(path), link)) {
        if path.exists() {
            fs::write(path, link).unwrap();
        }
    }
}

/// Looks whether a proposal is in one of two stores, or has landed, whatever happens to the command.
pub(super) fn survives_in_two_worktrees(scene: &Scene, injury: &str) {
    if !has_strace() {
        return;
    }
    let both = |folder: &Path| [View::of(folder), View::of(&folder.join("topic"))];
    // In the folder of the other runs: the log there tells where it landed.
    let old = both(&scene.copy("case"));
    let new = both(&scene.run_whole("case"));
    hurt(scene, injury, |folder, reply| check_both(scene, folder, reply, (&old, &new)));
}

fn check_both(
    scene: &Scene,
    folder: &Path,
    reply: &Reply,
    (old, new): (&[View; 2], &[View; 2]),
) -> Result<(), String> {
    let said = said(reply);
    let folders = [folder.to_path_buf(), folder.join("topic")];
    let views = [go_on(&folders[0])?, go_on(&folders[1])?];
    for ((view, old), new) in views.iter().zip(old).zip(new) {
        ensure(view == old || view == new, || {
            format!("neither old nor new ({said}): {}", view.compare(old, new))
        })?;
    }
    let [landed, left] = [views[0] == new[0], views[1] == new[1]];
    ensure(landed || !left, || format!("it is nowhere: {said}"))?;
    ensure(landed || !is_promised(reply), || format!("promised and not kept: {said}"))?;
    ensure(landed || reply.code != 0, || format!("exit 0 and nothing done: {said}"))?;
    let told = said.contains("did not leave the queue of the other worktree");
    ensure(left || reply.code != 0 || told, || format!("it waits and nobody knows: {said}"))?;
    let again = scene.call(folder);
    let expected = if landed { 1 } else { 0 };
    ensure(again.code == expected, || format!("the second attempt: {}", self::said(&again)))?;
    let memory = View::of(folder);
    ensure(memory.memory() == new[0].memory(), || "it landed twice, or not at all".to_owned())?;
    folders.iter().try_for_each(|folder| is_healthy(folder))
}

/// Looks whether a conflict is settled as a whole, in the files and then in git, whatever happens to `resolve`.
pub(super) fn survives_a_conflict(scene: &Scene, injury: &str) {
    if !has_strace() {
        return;
    }
    let old = View::of(&scene.project());
    let new = View::of(&scene.run_whole("whole"));
    hurt(scene, injury, |folder, reply| {
        let is_open = || !git(folder, &["ls-files", "--unmerged"]).is_empty();
        let is_done = reply.code == 0 || is_promised(reply);
        ensure(!is_done || !is_open(), || format!("git does not know: {}", said(reply)))?;
        check(scene, folder, reply, (&old, &new))?;
        let left = View::of(folder);
        let again = scene.call(folder);
        ensure(again.code == 0 && !is_open(), || format!("the next `resolve`: {}", said(&again)))?;
        ensure(View::of(folder) == left, || "it is resolved twice".to_owned())
    });
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The calls with which the program starts another one, or a thread.
const STARTS: &str = "clone,clone3,vfork";

/// Hurts a command at one of the starts; tells also whether there were so many.
fn hurt_start(scene: &Scene, folder: &Path, injury: &str, number: usize) -> (Reply, bool) {
    let trace = folder.join(".git/trace");
    let mut command = Command::new("strace");
    command.args(["-qq", "-e", "signal=none", "-e"]).arg(format!("trace={STARTS}"));
    command.arg("-e").arg(format!("inject={STARTS}:{injury}:when={number}")).arg("-o").arg(&trace);
    command.arg(env!("CARGO_BIN_EXE_agent-memory")).args(scene.words());
    let reply = finish(command, folder, "");
    let starts = fs::read_to_string(&trace).unwrap().lines().count();
    (reply, starts >= number)
}

fn commit_of_a_proposal() -> Scene {
    let sandbox = with_founded_conventions();
    sandbox.commit("the store");
    sandbox.git(&["config", "user.name", "Ada"]);
    sandbox.git(&["config", "user.email", "ada@example.org"]);
    let arguments = ["apply", "ID", "--commit", "--approver", "Ada", "--json"];
    Scene::deciding_in(sandbox, convention("Dates", "They are ISO 8601."), &arguments)
}

/// Commits a file of a person's own, and says what that did to the proposal's.
fn commit_beside(folder: &Path) -> String {
    fs::write(folder.join("hello.txt"), "hello\n").unwrap();
    // A git that the program had started may still be at work after its death.
    let is_locked = || folder.join(".git/index.lock").exists();
    let tries = (0..100).take_while(|_| is_locked());
    tries.for_each(|_| std::thread::sleep(std::time::Duration::from_millis(50)));
    git(folder, &["add", "hello.txt"]);
    git(folder, &["commit", "--quiet", "--message", "hello"]);
    git(folder, &["show", "--format=", "--name-status", "HEAD"])
}

#[test]
fn a_commit_is_not_taken_back_by_the_next_one_wherever_the_program_died() {
    if !has_strace() {
        return;
    }
    let scene = commit_of_a_proposal();
    let is_made = |folder: &Path| {
        git(folder, &["show", "HEAD:.agent-memory/conventions.md"]).contains("ISO 8601")
    };
    let (mut made, mut not_yet) = (0, 0);
    for number in 1.. {
        let folder = scene.copy("case");
        let (reply, is_hurt) = hurt_start(&scene, &folder, "signal=KILL", number);
        if !is_hurt {
            assert!(is_made(&folder) && made > 0 && not_yet > 0, "{number}: {}", said(&reply));
            return;
        }
        let was_made = is_made(&folder);
        let count = if was_made { &mut made } else { &mut not_yet };
        *count += 1;
        let changed = commit_beside(&folder);
        assert!(!was_made || changed == "A\thello.txt\n", "killed at start {number}: {changed}");
        // What is not made yet may be a part of the person's commit, and nothing goes.
        assert!(!changed.contains("D\t"), "killed at start {number}: {changed}");
    }
}

#[test]
fn where_no_thread_can_be_started_a_commit_fails_and_says_so() {
    if !has_strace() {
        return;
    }
    let scene = commit_of_a_proposal();
    for number in 1.. {
        let folder = scene.copy("case");
        let (reply, is_hurt) = hurt_start(&scene, &folder, "error=EAGAIN", number);
        assert!(
            !said(&reply).contains("a bug in agent-memory"),
            "start {number}: {}",
            said(&reply)
        );
        let is_told = reply.code == 0 || said(&reply).contains("\"error\"");
        assert!(is_told, "start {number}: {}", said(&reply));
        if !is_hurt {
            return;
        }
    }
}
