//! `doctor --adopt-state`: a person takes up state that was set apart as foreign, or that git deleted.

use serde::Serialize;

use super::{Stop, Workspace, answered, write};
use crate::contract::{Reason, Refusal};
use crate::error::Result;
use crate::project::pipeline::Approval;
use crate::project::store::log::Entry;
use crate::project::store::{Adoption, StateInGit, Trace};

/// State that was taken up.
#[derive(Debug, Clone, Serialize)]
pub struct AdoptedState {
    /// Always `adopted`.
    pub status: &'static str,
    /// Where it had been set apart, relative to the store, or that it is from copies.
    pub from: String,
    /// Decisions that the log knows again.
    pub decisions: usize,
    /// What the person should know.
    pub warnings: Vec<String>,
}

/// Takes up what was set apart last.
pub fn adopt_state(
    workspace: &Workspace,
    approval: &Approval,
) -> Result<std::result::Result<AdoptedState, Box<Refusal>>> {
    answered(adopt(workspace, approval), workspace)
}

fn adopt(workspace: &Workspace, approval: &Approval) -> std::result::Result<AdoptedState, Stop> {
    refuse_tracked(workspace)?;
    // Taking the lock sets apart what is still in its place.
    let mut locked = workspace.lock("doctor", None)?;
    let Some(found) = Adoption::find(locked.layout())? else {
        let message = "no state was set apart, and the log lacks nothing that its copies have";
        let hint = "`state/trash/foreign-…` is where it would be";
        return Err(Refusal::new(Reason::StagingNotFound, message, hint).into());
    };
    let (from, decisions) = (found.source(), found.decisions());
    let warning = found.warning(locked.layout());
    let reason = format!("state of `{from}`");
    let entry = Entry {
        approver: Some(approval.approver()),
        reason: Some(&reason),
        ..Entry::new(workspace.now, "adopted")
    };
    let steps = found.steps(locked.layout(), &entry)?;
    let mut warnings = write(&mut locked, steps, Trace::Wiped)?;
    warnings.splice(0..0, workspace.take_recovered().into_iter().chain(warning));
    Ok(AdoptedState { status: "adopted", from, decisions, warnings })
}

/// Refuses while git may bring the next state, too.
fn refuse_tracked(workspace: &Workspace) -> std::result::Result<(), Stop> {
    let (message, hint) = match StateInGit::of_store(workspace.store.layout()) {
        StateInGit::Untracked => return Ok(()),
        StateInGit::Tracked(command) => {
            ("git tracks `state/`, so anybody may have written it", command)
        }
        StateInGit::Unknown(why) => ("git does not say whether it tracks `state/`", why),
    };
    Err(Refusal::new(Reason::DeniedByPolicy, message, hint).into())
}
