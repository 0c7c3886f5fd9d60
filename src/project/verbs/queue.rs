//! The queue: how many proposals it holds at most, and whether git keeps it.

use super::answer::Attempt;
use super::gitignore::ignores_queue;
use super::project::Project;
use crate::project::request::{Reason, Refusal};
use crate::project::store::staging::{Queue, StagedProposal};
use crate::text::count;

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
    let message = format!("the queue holds {}; the limit is {limit}", count(open, "proposal"));
    let hint = "ask a person to review what is pending: `agent-memory status`; a proposal that replaces one of the same `owner` is accepted";
    Err(Refusal::new(Reason::QueueFull, message, hint).into())
}

/// Tells whether git keeps the queue, by the settings and `.gitignore`.
pub(super) fn is_in_git(project: &Project) -> bool {
    project.config.staging.track && !ignores_queue(project).unwrap_or(true)
}
