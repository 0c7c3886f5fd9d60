//! Restores proposals from the copies after their worktree, or its ignored files, were deleted.

use serde::Serialize;

use super::doctor::ignores_queue;
use super::restore::Restored;
use super::stage::refuse_full;
use super::{Attempt, Project, Wanted, write};
use crate::contract::ProposalId;
use crate::error::Result;
use crate::project::pipeline::Approval;
use crate::project::store::log::{Entry, Tail};
use crate::project::store::staging;
use crate::project::store::{CopiedFrom, Copies, LeftBehind, Locked, Trace};

/// An undecided proposal that is gone from the worktree where it was pending.
#[derive(Debug, Clone, Serialize)]
pub struct LeftBehindProposal {
    pub id: String,
    pub worktree: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    pub is_worktree_gone: bool,
}

impl LeftBehindProposal {
    /// Says where it was.
    pub fn place(&self) -> String {
        let branch = self.branch.as_ref().map(|it| format!(", branch {it}")).unwrap_or_default();
        let gone = match self.is_worktree_gone {
            true => ": that worktree is gone",
            false => ": it was deleted there",
        };
        format!("{}{branch}{gone}", self.worktree)
    }
}

impl Project {
    /// Copies what git may delete without asking. No command fails for it.
    pub(super) fn renew_copies(&self) {
        let is_queue_in_git = self.is_queue_in_git();
        let copies = Copies::of(self.store.layout());
        // `doctor` reports failures.
        let _ = copies.and_then(|copies| copies.map_or(Ok(()), |it| it.renew(is_queue_in_git)));
    }

    /// Tells whether git tracks the queue, by its settings and `.gitignore`.
    fn is_queue_in_git(&self) -> bool {
        self.config.staging.track && !ignores_queue(self).unwrap_or(true)
    }

    pub(super) fn left_behind(&self) -> Result<Vec<LeftBehind>> {
        let copies = Copies::if_there(self.store.layout())?;
        let mut left = copies.map_or_else(|| Ok(Vec::new()), |copies| copies.left_behind())?;
        // A tracked queue differs between branches, so a missing proposal is not lost; one of a removed worktree is.
        if self.is_queue_in_git() {
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

    /// Returns the copy of notes that are gone.
    pub(super) fn notes_left_behind(&self, path: &str) -> Option<(CopiedFrom, String)> {
        let copies = Copies::if_there(self.store.layout()).ok().flatten()?;
        copies.notes_left_behind(path).ok()?
    }
}

pub(super) fn find(project: &Project, wanted: &Wanted) -> Result<Option<LeftBehind>> {
    let Wanted::Named(text) = wanted else { return Ok(None) };
    let all = project.left_behind()?;
    let ids: Vec<&ProposalId> = all.iter().map(|each| &each.id).collect();
    let Ok(id) = ProposalId::choose(&ids, text).cloned() else { return Ok(None) };
    Ok(all.into_iter().find(|each| each.id == id))
}

/// Puts the copy of a proposal into the queue.
pub(super) fn take_up(
    project: &Project,
    locked: &mut Locked<'_>,
    left: &LeftBehind,
    approval: &Approval,
) -> Attempt<Restored> {
    let queue = staging::read_queue(locked.layout())?;
    let open = queue.proposals.iter().filter(|each| each.expires_at >= project.session.now).count();
    refuse_full(project, open)?;
    let hash = left.known_hash(locked.layout())?;
    let reason = project.clean(&format!("it was left behind in {}", left.from.worktree));
    let entry = Entry {
        id: Some(&left.id),
        approver: Some(approval.approver()),
        reason: Some(&reason),
        request: hash.as_ref(),
        ..Entry::new(project.session.now, "restored")
    };
    let steps = vec![left.take_up()?, Tail::read(locked.layout())?.append(&entry)];
    let mut warnings = write(locked, steps, Trace::Kept)?;
    warnings.splice(0..0, project.take_warnings());
    // If this fails, the copy is later recognised as pending.
    let _ = left.forget();
    let waiting = staging::read_waiting(locked.layout(), &left.id)?;
    let expires_at = waiting.map_or(project.session.now, |waiting| waiting.expires_at);
    let proposal_id = left.id.clone();
    Ok(Restored { status: "restored", proposal_id, expires_at, lifted: false, warnings })
}

/// Fails where nothing can be copied.
pub(super) fn why_not_copied(project: &Project) -> Result<()> {
    match Copies::of(project.store.layout())? {
        Some(copies) => copies.renew(project.is_queue_in_git()),
        None => Ok(()),
    }
}
