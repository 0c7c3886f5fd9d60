//! Proposals and notes of which only the copies are left: their worktree, or its ignored files, were deleted.

use serde::Serialize;

use super::project::Project;
use super::queue::is_in_git;
use crate::error::Result;
use crate::project::store::{CopiedFrom, Copies, LeftBehind, LostNote};

/// An undecided proposal that is gone from the worktree where it was pending.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[schemars(inline)]
pub struct LeftBehindProposal {
    pub id: String,
    pub worktree: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    pub is_worktree_gone: bool,
}

impl LeftBehindProposal {
    /// Says where it was.
    pub fn origin(&self) -> String {
        origin(&self.worktree, self.branch.as_deref(), self.is_worktree_gone)
    }
}

/// How many notes are offered at once; older ones follow when these are taken over.
const NOTES: usize = 3;

fn origin(worktree: &str, branch: Option<&str>, is_worktree_gone: bool) -> String {
    let branch = branch.map(|it| format!(", branch {it}")).unwrap_or_default();
    let gone = match is_worktree_gone {
        true => "that worktree is gone",
        false => "it was deleted there",
    };
    format!("{worktree}{branch}: {gone}")
}

impl Project {
    /// Copies what git may delete without asking. No command fails for it.
    pub(super) fn renew_copies(&self) {
        if self.config.newer.is_some() {
            return;
        }
        let is_queue_in_git = is_in_git(self);
        let copies = Copies::of(self.store.layout());
        // `doctor` reports failures.
        let _ = copies.and_then(|copies| copies.map_or(Ok(()), |it| it.renew(is_queue_in_git)));
    }

    pub(super) fn left_behind(&self) -> Result<Vec<LeftBehind>> {
        let copies = Copies::if_there(self.store.layout())?;
        let mut left = copies.map_or_else(|| Ok(Vec::new()), |copies| copies.left_behind())?;
        // A tracked queue differs between branches, so a missing proposal is not lost; one of a removed worktree is.
        if is_in_git(self) {
            left.retain(|each| each.is_worktree_gone);
        }
        Ok(left)
    }

    /// Returns them for people and programs, or why they are unknown.
    pub fn left_behind_proposals(&self) -> (Vec<LeftBehindProposal>, Option<String>) {
        let told = |LeftBehind { id, from, is_worktree_gone, .. }: LeftBehind| LeftBehindProposal {
            id: id.to_string(),
            is_worktree_gone,
            worktree: self.clean(&from.worktree),
            branch: from.branch.as_deref().map(|branch| self.clean(branch)),
        };
        match self.left_behind() {
            Ok(left) => (left.into_iter().map(told).collect(), None),
            Err(error) => {
                let said = format!("what was left behind in other worktrees is not known: {error}");
                (Vec::new(), Some(said))
            }
        }
    }

    /// Says where the copies of the newest lost notes of no branch are. One worktree's text is put over no other's: a
    /// person takes over what holds.
    pub(super) fn say_lost_notes(&self) -> Vec<String> {
        let say = |LostNote { path, from, is_worktree_gone, copy, .. }: LostNote| {
            let origin = origin(&from.worktree, from.branch.as_deref(), is_worktree_gone);
            let copy = copy.display();
            let next = "take over what still holds, then remove the copy";
            self.clean(&format!(
                "`{path}` was left behind in {origin}; its copy is `{copy}`: {next}"
            ))
        };
        let find = || match Copies::if_there(self.store.layout())? {
            Some(copies) => copies.lost_notes(),
            None => Ok(Vec::new()),
        };
        match find() {
            Ok(lost) => lost.into_iter().take(NOTES).map(say).collect(),
            Err(error) => vec![format!("which notes were left behind is not known: {error}")],
        }
    }

    /// Returns the copy of notes that are gone.
    pub(super) fn notes_left_behind(&self, path: &str) -> Option<(CopiedFrom, String)> {
        let copies = Copies::if_there(self.store.layout()).ok().flatten()?;
        copies.notes_left_behind(path).ok()?
    }
}

/// Fails where nothing can be copied.
pub(super) fn why_not_copied(project: &Project) -> Result<()> {
    match Copies::of(project.store.layout())? {
        Some(copies) => copies.renew(is_in_git(project)),
        None => Ok(()),
    }
}
