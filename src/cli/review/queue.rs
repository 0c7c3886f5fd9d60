//! The proposals that a review goes through, each with the worktree where it waits.

use std::path::PathBuf;

use super::Args;
use super::screen::Spot;
use crate::cli::since::since;
use crate::cli::{Context, worktrees};
use crate::contract::{Answer, Moment, path_in_store};
use crate::error::Result;
use crate::ops::{OtherWorktree, Pending, Wanted, Workspace, pending, show_proposal};

/// A proposal of a review.
pub(super) struct Waiting {
    /// What it is.
    pub(super) pending: Pending,
    /// Names the worktree where it waits, in a review of several.
    worktree: Option<String>,
    /// The root of that worktree, unless one stands in it.
    pub(super) other_root: Option<PathBuf>,
}

/// The store where one stands, and the one where a proposal waits if that is another.
pub(super) struct Stores {
    pub(super) here: Workspace,
    pub(super) other: Option<Workspace>,
}

impl Stores {
    /// Returns the store in whose queue the proposal is.
    pub(super) fn home(&self) -> &Workspace {
        self.other.as_ref().unwrap_or(&self.here)
    }

    /// Opens both as they are at this moment: hours may pass at one question, and others decide too.
    pub(super) fn of(waiting: &Waiting, context: &Context) -> Result<Self> {
        let root = waiting.other_root.clone();
        let other = root.map(|root| context.workspace_at(Some(root))).transpose()?;
        Ok(Self { here: context.workspace_of_now()?, other })
    }
}

impl Waiting {
    /// Makes the queue of the worktree where one stands.
    pub(super) fn here(chosen: Vec<Pending>) -> Vec<Self> {
        let here = |pending| Self { pending, worktree: None, other_root: None };
        chosen.into_iter().map(here).collect()
    }

    /// Makes the queue of one of several worktrees.
    pub(super) fn in_worktree(worktree: &OtherWorktree, chosen: Vec<Pending>) -> Vec<Self> {
        let root = (!worktree.is_current).then(|| worktree.root.clone());
        let waiting = |pending| Self {
            pending,
            worktree: Some(worktrees::place(worktree)),
            other_root: root.clone(),
        };
        chosen.into_iter().map(waiting).collect()
    }

    /// Says where it stands in the review.
    pub(super) fn spot(&self, at: usize, of: usize) -> Spot<'_> {
        Spot { number: at + 1, of, worktree: self.worktree.as_deref() }
    }
}

/// Returns the proposals to decide about: file by file, and of each file the oldest first, what is
/// superseded last.
pub(super) fn choose(
    args: &Args,
    context: &Context,
    workspace: &Workspace,
) -> Result<Answer<Vec<Pending>>> {
    let after = args.since.as_deref().map(|text| since(text, context.place.now)).transpose()?;
    let mut chosen = Vec::new();
    for id in &args.ids {
        match show_proposal(workspace, &Wanted::Named(id.clone()))? {
            Ok(shown) if chosen.iter().any(|other: &Pending| other.id == shown.pending.id) => {}
            Ok(shown) => chosen.push(shown.pending),
            Err(refusal) => return Ok(Err(refusal)),
        }
    }
    if args.ids.is_empty() {
        chosen = pending(workspace)?;
    }
    let file = args.file.as_deref().map(path_in_store);
    chosen.retain(|each| {
        args.intent.as_ref().is_none_or(|intent| each.intent == *intent)
            && file.is_none_or(|file| each.files.iter().any(|other| other == file))
            && after.is_none_or(|after| {
                Moment::parse(&each.submitted_at).is_some_and(|made| made >= after)
            })
    });
    if args.ids.is_empty() {
        let order: Vec<Option<String>> =
            chosen.iter().map(|each| each.files.first().cloned()).collect();
        chosen.sort_by_key(|each| {
            let file = order.iter().position(|file| file.as_ref() == each.files.first());
            (file, each.superseded_by.is_some())
        });
    }
    Ok(Ok(chosen))
}
