//! The proposals that a review goes through, each with the worktree where it waits.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Args;
use super::screen::Spot;
use crate::cli::since::since;
use crate::cli::{Context, worktrees};
use crate::contract::{Answer, Moment};
use crate::error::{Error, ErrorKind, Result};
use crate::project::verbs::{
    OtherWorktree, Pending, Workspace, memory_paths, pending, show_proposal, unreadable,
};
use crate::text::{did_you_mean, excerpt};

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

/// What a review is about.
pub(super) struct Chosen {
    pub(super) pending: Vec<Pending>,
    /// How many wait that are not of the intent, the file or the time.
    pub(super) others: usize,
}

/// Returns the proposals to decide about: file by file, and of each file the oldest first, what is
/// superseded last.
pub(super) fn choose(
    args: &Args,
    context: &Context,
    workspace: &Workspace,
) -> Result<Answer<Chosen>> {
    let after = args.since.as_deref().map(|text| since(text, context.place.now)).transpose()?;
    let mut chosen = Vec::new();
    let named = args.which.wanted();
    for wanted in &named {
        match show_proposal(workspace, wanted)? {
            Ok(shown) if chosen.iter().any(|other: &Pending| other.id == shown.pending.id) => {}
            Ok(shown) => chosen.push(shown.pending),
            Err(refusal) => return Ok(Err(refusal)),
        }
    }
    if named.is_empty() {
        chosen = pending(workspace)?;
        context.output.warn_each(&unreadable(workspace)?);
    }
    let file = args.file.as_deref().map(|file| workspace.named(file));
    // Another worktree may well have a file that this one has not.
    if let Some(file) = file.as_ref().filter(|_| !args.worktrees) {
        refuse_unknown_file(file, &chosen, workspace)?;
    }
    let all = chosen.len();
    chosen.retain(|each| {
        args.intent.is_none_or(|intent| each.intent == intent.name())
            && file.as_ref().is_none_or(|file| each.files.contains(file))
            && after.is_none_or(|after| {
                Moment::parse(&each.submitted_at).is_some_and(|made| made >= after)
            })
    });
    if named.is_empty() {
        let mut order: BTreeMap<Option<String>, usize> = BTreeMap::new();
        for each in &chosen {
            let next = order.len();
            order.entry(each.files.first().cloned()).or_insert(next);
        }
        chosen.sort_by_cached_key(|each| {
            (order.get(&each.files.first().cloned()).copied(), each.superseded_by.is_some())
        });
    }
    Ok(Ok(Chosen { others: all - chosen.len(), pending: chosen }))
}

/// Refuses a file that is neither there nor asked for by a proposal.
fn refuse_unknown_file(file: &str, waiting: &[Pending], workspace: &Workspace) -> Result<()> {
    let mut known = memory_paths(workspace)?;
    known.extend(waiting.iter().flat_map(|each| each.files.iter().cloned()));
    if known.iter().any(|other| other == file) {
        return Ok(());
    }
    let guess = did_you_mean(file, known.iter().map(String::as_str));
    let message = format!("there is no memory file `{}`{guess}", excerpt(file));
    let hint = "name files as `status` and `search` print them, e.g. `decisions.md`";
    Err(Error::new(ErrorKind::Usage, message).hint(hint))
}
