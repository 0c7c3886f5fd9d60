//! Commands in which git has a part: what waits in another worktree, and what could not be merged.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Scene, View, check, ensure, go_on, has_strace, hurt, is_healthy, is_promised, said};
use crate::requests::{convention, with_founded_conventions};
use crate::support::Reply;

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
