//! Stages a routed change.

use super::answer::{Attempt, write};
use super::change::{entry, expiry, staged};
use super::gitignore::{QUEUE_IGNORED, ignores_queue};
use super::project::Project;
use super::queue::refuse_more;
use super::reopen::{Drift, reopen};
use super::replaced::find_replaced;
use super::selection::Selection;
use crate::disk::log::LogTail;
use crate::project::pipeline::Routed;
use crate::project::request::{Outcome, ProposalId, Staged};
use crate::project::store::log::Entry;
use crate::project::store::staging::{self, StagedProposal, Ticket};
use crate::project::store::{Locked, Trace};

pub(super) fn stage(
    project: &Project,
    locked: &mut Locked<'_>,
    routed: &Routed<'_>,
    id: &ProposalId,
    log: &LogTail,
) -> Attempt<Outcome> {
    let Routed { planned, routing, .. } = routed;
    let mut answer = staged(project, routed, Some(id), expiry(project));
    let named = planned.screened.branch().map(str::to_owned);
    let branch = named.or_else(|| project.repository.checked_out());
    let ticket = Ticket {
        id,
        // The log only grows, so its length gives the order where this log is not known.
        order: log.offset,
        ttl_seconds: answer.staging_ttl_seconds,
        expires_at: answer.expires_at,
        branch: branch.as_deref().unwrap_or_default(),
        routing,
        is_tracked: project.config.staging.track,
    };
    let (mut steps, hash) = staging::stage(planned, &ticket, |text| project.clean(text));
    steps.extend(ticket.is_tracked.then(|| staging::steady(locked.layout())).flatten());
    let line = Entry { request: Some(&hash), ..entry(planned, id, "staged") };
    steps.push(line.append_to(log));
    answer.warnings.extend(write(locked, steps, Trace::Kept)?);
    if ignores_queue(project)? {
        answer.warnings.push(format!("{QUEUE_IGNORED}; `agent-memory doctor --fix` mends it"));
    }
    Ok(Outcome::Staged(answer))
}

/// Where a proposal finds its place in the queue.
pub(super) enum QueuePlace {
    /// The same request is pending already.
    Pending(Staged),
    New {
        /// What leaves a full queue for it.
        replaced: Vec<StagedProposal>,
    },
}

/// Finds the place of a proposal; refuses where the queue is full, and nothing leaves it for the new one.
pub(super) fn find_place(
    project: &Project,
    locked: &Locked<'_>,
    routed: &Routed<'_>,
) -> Attempt<QueuePlace> {
    let question = routed.planned.screened.question_hash();
    let mut open = staging::read_questions(locked.layout())?;
    open.retain(|each| each.expires_at >= project.session.now);
    let same = open.iter().find(|each| each.question == question.as_str());
    // A damaged proposal can never be applied, so it must not block the same request.
    let same = same.and_then(|same| staging::read_waiting(locked.layout(), &same.id).ok()?);
    let Some(same) = same else {
        let full = match refuse_more(project, open.len()) {
            Ok(()) => return Ok(QueuePlace::New { replaced: Vec::new() }),
            Err(full) => full,
        };
        let replaced = find_replaced(project, locked.layout(), routed)?;
        return if replaced.is_empty() { Err(full) } else { Ok(QueuePlace::New { replaced }) };
    };
    let mut answer = staged(project, routed, Some(&same.id), same.expires_at);
    answer
        .warnings
        .push(format!("the same proposal is pending already, since {}", same.submitted_at));
    // The pending one will be applied, with its own date and evidence.
    if let Ok(pending) = reopen(project, &same, &Selection::All, Drift::Accepted) {
        answer.affected_sections = pending.affected;
    }
    Ok(QueuePlace::Pending(answer))
}
