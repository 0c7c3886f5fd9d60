//! The proposals of a review, each with its worktree.

use std::path::PathBuf;

use super::args::Args;
use super::screen::Position;
use crate::cli::call::Context;
use crate::cli::values::since;
use crate::cli::worktrees;
use crate::contract::Moment;
use crate::error::{Error, ErrorKind, Result};
use crate::project::request::Answer;
use crate::project::verbs::{
    OtherWorktree, Pending, Project, memory_paths, pending, show_proposal, unreadable,
};
use crate::text::{did_you_mean, excerpt};

pub(super) struct Queued {
    pub(super) pending: Pending,
    /// The worktree as it is printed, in a review of several.
    worktree: Option<String>,
    /// The root of its worktree, if that is not the current one.
    pub(super) other_root: Option<PathBuf>,
}

/// The current store, and the store whose queue holds the proposal, if that is another one.
pub(super) struct Stores {
    pub(super) here: Project,
    pub(super) other: Option<Project>,
}

impl Stores {
    pub(super) fn home(&self) -> &Project {
        self.other.as_ref().unwrap_or(&self.here)
    }

    /// Opens both as they are now: hours may pass at one question, and other reviewers decide too.
    pub(super) fn of(queued: &Queued, context: &Context) -> Result<Self> {
        let root = queued.other_root.clone();
        let other = root.map(|root| context.project_at(Some(root))).transpose()?;
        Ok(Self { here: context.project_at(context.session.root.clone())?, other })
    }
}

impl Queued {
    pub(super) fn here(chosen: Vec<Pending>) -> Vec<Self> {
        let here = |pending| Self { pending, worktree: None, other_root: None };
        chosen.into_iter().map(here).collect()
    }

    pub(super) fn in_worktree(worktree: &OtherWorktree, chosen: Vec<Pending>) -> Vec<Self> {
        let root = (!worktree.is_current).then(|| worktree.root.clone());
        let queued = |pending| Self {
            pending,
            worktree: Some(worktrees::place(worktree)),
            other_root: root.clone(),
        };
        chosen.into_iter().map(queued).collect()
    }

    pub(super) fn position(&self, at: usize, of: usize) -> Position<'_> {
        Position { number: at + 1, of, worktree: self.worktree.as_deref(), is_prompt: true }
    }
}

pub(super) struct Chosen {
    pub(super) pending: Vec<Pending>,
    /// How many pending ones have another intent, file or time.
    pub(super) others: usize,
}

/// Sorts by file; in each file the oldest is first, and superseded proposals are last.
pub(super) fn choose(args: &Args, context: &Context, project: &Project) -> Result<Answer<Chosen>> {
    let after = args.since.as_deref().map(|text| since(text, &context.session)).transpose()?;
    let mut chosen = Vec::new();
    let named = args.which.wanted();
    for wanted in &named {
        match show_proposal(project, wanted)? {
            Ok(shown) if chosen.iter().any(|other: &Pending| other.id == shown.pending.id) => {}
            Ok(shown) => chosen.push(shown.pending),
            Err(refusal) => return Ok(Err(refusal)),
        }
    }
    if named.is_empty() {
        chosen = pending(project)?;
        context.output.warn_each(&unreadable(project)?);
    }
    let file = args.file.as_deref().map(|file| project.named(file));
    // Another worktree may have a file that this one lacks.
    if let Some(file) = file.as_ref().filter(|_| !args.worktrees) {
        refuse_unknown_file(file, &chosen, project)?;
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
        let files: Vec<_> = chosen.iter().map(|each| each.files.first().cloned()).collect();
        chosen.sort_by_cached_key(|each| {
            let first = files.iter().position(|file| file.as_ref() == each.files.first());
            (first, each.superseded_by.is_some())
        });
    }
    Ok(Ok(Chosen { others: all - chosen.len(), pending: chosen }))
}

/// Refuses a file that neither the store nor a proposal has.
fn refuse_unknown_file(file: &str, chosen: &[Pending], project: &Project) -> Result<()> {
    let mut known = memory_paths(project)?;
    known.extend(chosen.iter().flat_map(|each| each.files.iter().cloned()));
    if known.iter().any(|other| other == file) {
        return Ok(());
    }
    let guess = did_you_mean(file, known.iter().map(String::as_str));
    let message = format!("there is no memory file `{}`{guess}", excerpt(file));
    let hint = "name files as `status` and `search` print them, e.g. `decisions.md`";
    Err(Error::new(ErrorKind::Usage, message).hint(hint))
}
