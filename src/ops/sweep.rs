//! `sweep`: takes out of the queue what has waited too long; nothing of it is deleted.

use serde::Serialize;

use super::{Stop, Workspace, answered, write};
use crate::contract::Refusal;
use crate::error::Result;
use crate::store::log::{Entry, Tail};
use crate::store::staging::{self, Fidelity, StagedProposal};
use crate::store::{Locked, Trace};

/// What a sweep did, or would do.
#[derive(Debug, Clone, Serialize)]
pub struct Swept {
    /// The proposals, oldest first.
    pub swept: Vec<SweptProposal>,
    /// Whether nothing was done.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
    /// How many proposals wait now.
    pub left: usize,
    /// What the person should know.
    pub warnings: Vec<String>,
}

/// A proposal that expired.
#[derive(Debug, Clone, Serialize)]
pub struct SweptProposal {
    /// Its name.
    pub proposal_id: String,
    /// When it expired, RFC 3339 UTC.
    pub expired_at: String,
    /// Where it lies now, relative to the store; absent on a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept_in: Option<String>,
}

/// Moves every expired proposal to the trash; `restore` brings it back.
pub fn sweep(
    workspace: &Workspace,
    dry_run: bool,
) -> Result<std::result::Result<Swept, Box<Refusal>>> {
    answered(walk(workspace, dry_run), workspace)
}

fn walk(workspace: &Workspace, dry_run: bool) -> std::result::Result<Swept, Stop> {
    let mut locked = workspace.lock("sweep", None)?;
    let queue = staging::read_queue(locked.layout())?;
    let (waiting, expired): (Vec<_>, Vec<_>) =
        queue.proposals.iter().partition(|each| each.expires_at >= workspace.now);
    let mut warnings = workspace.take_recovered();
    let mut swept = Vec::new();
    for staged in expired {
        let kept_in = match dry_run {
            true => None,
            false => {
                let retired = retire(workspace, &mut locked, staged, &mut warnings);
                Some(retired.map_err(|stop| tell(stop, &swept))?)
            }
        };
        swept.push(SweptProposal {
            proposal_id: staged.id.to_string(),
            expired_at: staged.expires_at.to_string(),
            kept_in,
        });
    }
    let left = waiting.len() + if dry_run { swept.len() } else { 0 };
    Ok(Swept { swept, dry_run, left, warnings })
}

/// Adds to what stops a sweep which proposals have left the queue by then.
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

/// Takes one proposal out of the queue, a decision of its own: one that fails stops no other before it.
fn retire(
    workspace: &Workspace,
    locked: &mut Locked<'_>,
    staged: &StagedProposal,
    warnings: &mut Vec<String>,
) -> std::result::Result<String, Stop> {
    let kept_in = staging::trash_name(locked.layout(), &staged.id);
    let reason = format!("expired at {}", staged.expires_at);
    let owner = staged.owner.as_deref().map(|owner| workspace.clean(owner));
    let entry = Entry {
        id: Some(&staged.id),
        owner: owner.as_deref(),
        reason: Some(&reason),
        request: Some(&staged.hash),
        request_changed: staged.fidelity == Fidelity::Changed,
        ..Entry::new(workspace.now, "swept")
    };
    let line = Tail::read(locked.layout())?.append(&entry);
    let steps = vec![staging::retire(locked.layout(), &staged.id), line];
    warnings.extend(write(locked, steps, Trace::Kept)?);
    Ok(kept_in)
}
