//! The queue: how many proposals it holds at most, and whether git keeps it.

use super::answer::Attempt;
use super::project::Project;
use crate::contract::{Reason, Refusal};
use crate::error::Result;
use crate::project::store::read_gitignore;
use crate::project::store::staging::{Queue, StagedProposal};
use crate::text::count;

/// The folder of the queue, as `.gitignore` names it.
pub(super) const QUEUE: &str = "/staging/";

pub(super) const QUEUE_IGNORED: &str =
    "`.gitignore` of the store names `/staging/`, which `[staging] track` wants in git";

/// Refuses one more proposal where the queue is full; expired ones do not count.
pub(super) fn refuse_full(project: &Project, queue: &Queue) -> Attempt<()> {
    let is_open = |each: &&StagedProposal| each.expires_at >= project.session.now;
    refuse_more(project, queue.proposals.iter().filter(is_open).count())
}

pub(super) fn refuse_more(project: &Project, open: usize) -> Attempt<()> {
    let limit = project.config.staging.max_open;
    if open < limit {
        return Ok(());
    }
    let message = format!("the queue holds {}, allowed are {limit}", count(open, "proposal"));
    let hint = "ask a person to review what waits: `agent-memory status`";
    Err(Refusal::new(Reason::QueueFull, message, hint).into())
}

/// Tells whether git keeps the queue, by the settings and `.gitignore`.
pub(super) fn is_in_git(project: &Project) -> bool {
    project.config.staging.track && !is_ignored(project).unwrap_or(true)
}

/// Tells whether `.gitignore` names a queue that should be tracked.
pub(super) fn is_ignored(project: &Project) -> Result<bool> {
    if !project.config.staging.track {
        return Ok(false);
    }
    let ignored = read_gitignore(project.store.layout())?;
    Ok(ignored.iter().any(|line| names(line, QUEUE)))
}

/// Tells whether a line of `.gitignore` names a folder.
pub(super) fn names(line: &str, folder: &str) -> bool {
    line.trim() == folder || line.trim() == folder.trim_end_matches('/')
}
