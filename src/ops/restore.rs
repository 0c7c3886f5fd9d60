//! `restore`: a proposal that was rejected or swept waits again.

use serde::Serialize;

use super::log::last_decisions;
use super::stage::refuse_full;
use super::{Stop, Wanted, Workspace, answered, write};
use crate::contract::{Moment, ProposalId, Reason, Refusal};
use crate::error::Result;
use crate::pipeline::Approval;
use crate::store::log::{Entry, Tail};
use crate::store::staging::{self, Fidelity, Retired};
use crate::store::{Trace, lift};

/// A proposal that waits again.
#[derive(Debug, Clone, Serialize)]
pub struct Restored {
    /// Always `restored`.
    pub status: &'static str,
    /// Its name.
    pub proposal_id: ProposalId,
    /// Until when it may wait.
    pub expires_at: Moment,
    /// Whether a fingerprint was lifted that would have refused the same text.
    pub lifted: bool,
    /// What the person should know.
    pub warnings: Vec<String>,
}

/// Puts a proposal back into the queue and lifts its fingerprint.
pub fn restore(
    workspace: &Workspace,
    wanted: &Wanted,
    approval: &Approval,
) -> Result<std::result::Result<Restored, Box<Refusal>>> {
    answered(walk(workspace, wanted, approval), workspace)
}

fn walk(
    workspace: &Workspace,
    wanted: &Wanted,
    approval: &Approval,
) -> std::result::Result<Restored, Stop> {
    let mut locked = workspace.lock("restore", None)?;
    let layout = locked.layout();
    let retired = staging::read_retired(layout)?;
    let found = find(workspace, &retired, wanted)?;
    let id = &found.proposal.id;
    let queue = staging::read_queue(layout)?;
    if queue.proposals.iter().any(|each| each.id == *id) {
        let message = format!("`{id}` waits already");
        let hint = "`agent-memory show` shows it";
        return Err(Refusal::new(Reason::StagingNotFound, message, hint).into());
    }
    let open = queue.proposals.iter().filter(|each| each.expires_at >= workspace.now).count();
    refuse_full(workspace, open)?;
    let lifting = lift(layout, id);
    let lifted = lifting.is_some();
    let mut steps = vec![staging::restore(found)];
    steps.extend(lifting);
    steps.extend(staging::reopen(layout, id)?);
    // Who proposed is read from the folder, where anything may stand by now.
    let owner = found.proposal.owner.as_deref().map(|owner| workspace.clean(owner));
    let entry = Entry {
        id: Some(id),
        owner: owner.as_deref(),
        approver: Some(approval.approver()),
        request: Some(&found.proposal.hash),
        request_changed: found.proposal.fidelity == Fidelity::Changed,
        ..Entry::new(workspace.now, "restored")
    };
    steps.push(Tail::read(layout)?.append(&entry));
    let mut warnings = workspace.take_recovered();
    warnings.extend(found.proposal.fidelity.warning().map(str::to_owned));
    let expires_at = found.proposal.expires_at;
    if expires_at < workspace.now {
        warnings.push(format!("it expired at {expires_at}; only `apply --expired` lands it"));
    }
    warnings.extend(write(&mut locked, steps, Trace::Kept)?);
    Ok(Restored { status: "restored", proposal_id: id.clone(), expires_at, lifted, warnings })
}

/// Finds the proposal that a person means among those that no longer wait.
fn find<'r>(
    workspace: &Workspace,
    retired: &'r [Retired],
    wanted: &Wanted,
) -> std::result::Result<&'r Retired, Stop> {
    let hint = "`agent-memory log` lists what was decided";
    let decisions = last_decisions(workspace)?;
    let last = |id: &ProposalId| decisions.get(id.as_str());
    let was_applied = |id: &ProposalId| last(id).is_some_and(|last| last.decision == "applied");
    let ids: Vec<&ProposalId> = retired.iter().map(|each| &each.proposal.id).collect();
    let id = match wanted {
        Wanted::Latest => {
            let turned_away = |id: &&ProposalId| {
                last(id).is_some_and(|last| ["rejected", "swept"].contains(&last.decision.as_str()))
            };
            let ids = ids.iter().copied().filter(turned_away);
            ids.max_by_key(|id| last(id).map(|last| last.number)).ok_or_else(|| {
                let message = "nothing was rejected or swept";
                Refusal::new(Reason::StagingNotFound, message, hint)
            })?
        }
        Wanted::Named(text) => staging::choose(&ids, text, ("no proposal that was decided", hint))?,
    };
    if was_applied(id) {
        let message = format!("`{id}` was applied");
        let hint = format!("`agent-memory undo {id}` takes it back; then it can be restored");
        return Err(Refusal::new(Reason::StagingNotFound, message, hint).into());
    }
    Ok(retired.iter().find(|each| each.proposal.id == *id).expect("it is one of their ids"))
}
