//! `sweep`: moves expired proposals, and those decided on another branch, out of the queue to the trash.

use serde::Serialize;

use super::answer::{Attempt, Stop, answered, write};
use super::project::Project;
use crate::error::Result;
use crate::project::request::{Answer, ProposalId};
use crate::project::store::log::Entry;
use crate::project::store::staging::{self, Fidelity, StagedProposal};
use crate::project::store::{Locked, Trace};

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct Swept {
    pub swept: Vec<SweptProposal>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
    /// How many proposals are still pending.
    pub left: usize,
    pub warnings: Vec<String>,
}

/// A proposal that expired, or was decided on another branch.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct SweptProposal {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expired_at: Option<String>,
    /// The decision on another branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<String>,
    /// Its folder now, relative to the store; absent on a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept_in: Option<String>,
}

pub(crate) fn sweep(project: &Project, dry_run: bool) -> Result<Answer<Swept>> {
    answered(project, || {
        let mut locked = project.lock("sweep", None)?;
        let queue = staging::read_queue(locked.layout())?;
        let (waiting, expired): (Vec<_>, Vec<_>) =
            queue.proposals.iter().partition(|each| each.expires_at >= project.session.now);
        let decided = queue.decided.iter().map(|each| Leaving {
            id: &each.id,
            known: None,
            said: SweptProposal::of(&each.id, None, Some(each.decision.clone())),
        });
        let expired = expired.into_iter().map(|each| Leaving {
            id: &each.id,
            known: Some(each),
            said: SweptProposal::of(&each.id, Some(each.expires_at.to_string()), None),
        });
        let mut warnings: Vec<String> =
            queue.unreadable().map(|said| project.clean(&said)).collect();
        let mut swept = Vec::new();
        for mut leaving in expired.chain(decided) {
            if !dry_run {
                let retired = retire(project, &mut locked, &leaving, &mut warnings);
                leaving.said.kept_in = Some(retired.map_err(|stop| tell(stop, &swept))?);
            }
            swept.push(leaving.said);
        }
        warnings.splice(0..0, project.take_warnings());
        let left = waiting.len() + if dry_run { swept.len() } else { 0 };
        Ok(Swept { swept, dry_run, left, warnings })
    })
}

/// A proposal on its way out of the queue.
struct Leaving<'q> {
    id: &'q ProposalId,
    /// None for one that was decided elsewhere: it need not be readable.
    known: Option<&'q StagedProposal>,
    said: SweptProposal,
}

impl SweptProposal {
    fn of(id: &ProposalId, expired_at: Option<String>, decided: Option<String>) -> Self {
        Self { id: id.to_string(), expired_at, decided, kept_in: None }
    }

    pub(crate) fn why(&self) -> String {
        let expired = self.expired_at.iter().map(|time| format!("expired at {time}"));
        let decided = self.decided.iter().map(|what| format!("{what} on another branch"));
        expired.chain(decided).collect()
    }
}

/// Adds to an early stop which proposals have left the queue already.
fn tell(stop: Stop, swept: &[SweptProposal]) -> Stop {
    if swept.is_empty() {
        return stop;
    }
    let kept: Vec<&str> = swept.iter().filter_map(|each| each.kept_in.as_deref()).collect();
    let told = format!("swept before that, and kept in {}", kept.join(", "));
    match stop {
        Stop::Failed(error) => {
            let hint = error.next_step().map(|hint| format!("{hint}; {told}"));
            Stop::Failed(error.hint(hint.unwrap_or(told)))
        }
        Stop::Refused(mut refusal) => {
            refusal.warnings.push(told);
            Stop::Refused(refusal)
        }
    }
}

/// Takes one proposal out of the queue as a decision of its own, so that a failure keeps the earlier ones.
fn retire(
    project: &Project,
    locked: &mut Locked<'_>,
    leaving: &Leaving<'_>,
    warnings: &mut Vec<String>,
) -> Attempt<String> {
    let Leaving { id, known, said } = leaving;
    let kept_in = staging::trash_name(locked.layout(), id);
    let reason = said.why();
    let owner = known.and_then(|staged| staged.owner.as_deref()).map(|name| project.clean(name));
    let entry = Entry {
        id: Some(id),
        owner: owner.as_deref(),
        reason: Some(&reason),
        request: known.map(|staged| &staged.hash),
        request_changed: known.is_some_and(|staged| staged.fidelity == Fidelity::Changed),
        ..Entry::new(project.session.now, if said.decided.is_some() { "cleared" } else { "swept" })
    };
    let line = entry.append_to(&locked.layout().signed_log().tail()?);
    let mut steps = project.leave_queue(id)?;
    steps.push(line);
    warnings.extend(write(locked, steps, Trace::Kept)?);
    Ok(kept_in)
}
