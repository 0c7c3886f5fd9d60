//! Makes room in a full queue: what a new proposal of the same owner replaces is withdrawn.

use super::answer::{Attempt, Stop, write};
use super::claims::tell_rejected;
use super::project::Project;
use super::reject::log_rejection;
use super::superseded::claims_of;
use crate::error::Result;
use crate::project::pipeline::{Claims, Routed, last_words};
use crate::project::request::ProposalId;
use crate::project::store::staging::{self, DecisionMark, StagedProposal};
use crate::project::store::{Layout, Locked, Trace};

/// Finds the open proposals of the same owner that a new one replaces. Two without an owner may be of two agents.
pub(super) fn find_replaced(
    project: &Project,
    layout: &Layout,
    routed: &Routed<'_>,
) -> Result<Vec<StagedProposal>> {
    let screened = &routed.planned.screened;
    let Some(owner) = &screened.request().owner else { return Ok(Vec::new()) };
    let mut own = staging::read_queue(layout)?.proposals;
    own.retain(|each| {
        each.owner.as_ref() == Some(&owner.id) && each.expires_at >= project.session.now
    });
    let mut claims: Vec<Option<Claims>> =
        own.iter().map(|each| claims_of(project, each)).collect::<Result<_>>()?;
    let new = claims.len();
    claims.push(Some(screened.claims()));
    let by = last_words(&claims, |number| number == new);
    Ok(own.into_iter().zip(by).filter(|(_, by)| by.is_some()).map(|(each, _)| each).collect())
}

/// Says of each replaced proposal that it leaves the queue.
pub(super) fn will_leave(replaced: &[StagedProposal]) -> impl Iterator<Item = String> {
    replaced
        .iter()
        .map(|each| format!("the queue is full, so `{}`, which this replaces, leaves it", each.id))
}

/// Takes replaced proposals out of the queue, as `reject --allow-again` does. The new one is pending already, so a failure
/// is a warning: the queue then holds one more.
pub(super) fn withdraw(
    project: &Project,
    locked: &mut Locked<'_>,
    replaced: &[StagedProposal],
    by: &ProposalId,
) -> Vec<String> {
    let mut warnings = Vec::new();
    for staged in replaced {
        let id = &staged.id;
        match withdraw_one(project, locked, staged, by) {
            Ok(more) => {
                warnings.push(format!(
                    "the queue is full, so `{id}`, which this replaces, left it; `agent-memory restore {id}` brings it back"
                ));
                warnings.extend(more);
            }
            Err(Stop::Failed(error)) => warnings.push(format!("`{id}` is still pending: {error}")),
            Err(Stop::Refused(refusal)) => {
                warnings.push(format!("`{id}` is still pending: {}", refusal.message));
            }
        }
    }
    warnings
}

fn withdraw_one(
    project: &Project,
    locked: &mut Locked<'_>,
    staged: &StagedProposal,
    by: &ProposalId,
) -> Attempt<Vec<String>> {
    let mut steps = project.decide(&staged.id, &[DecisionMark::whole(staging::REJECTED)])?;
    let reason = format!("the same owner replaced it by {by}");
    steps.extend(tell_rejected(project, staged, None));
    steps.push(log_rejection(project, locked, staged, (None, &reason))?);
    write(locked, steps, Trace::Kept)
}
