//! `doctor --adopt-state`: a person takes up state that was set apart as foreign, or that git deleted.

use serde::Serialize;

use super::answer::{Attempt, answered, write};
use super::project::Project;
use crate::error::Result;
use crate::project::pipeline::Approval;
use crate::project::request::{Answer, Reason, Refusal};
use crate::project::store::log::Entry;
use crate::project::store::{Adoption, StateInGit, Trace};

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct AdoptedState {
    pub status: &'static str,
    /// The folder below the store where the state was kept, or that it is from copies.
    pub from: String,
    /// Decisions that are in the log again.
    pub decisions: usize,
    pub warnings: Vec<String>,
}

/// Restores the state that was set apart last.
pub(crate) fn adopt_state(project: &Project, approval: &Approval) -> Result<Answer<AdoptedState>> {
    answered(project, || {
        refuse_tracked(project)?;
        // Taking the lock sets apart what is still in its place.
        let mut locked = project.lock("doctor", None)?;
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
            ..Entry::new(project.session.now, "adopted")
        };
        let steps = found.steps(locked.layout(), &entry)?;
        let mut warnings = write(&mut locked, steps, Trace::Wiped)?;
        warnings.splice(0..0, project.take_warnings().into_iter().chain(warning));
        Ok(AdoptedState { status: "adopted", from, decisions, warnings })
    })
}

/// Refuses while git tracks `state/`: the next checkout could bring foreign state again.
fn refuse_tracked(project: &Project) -> Attempt<()> {
    let (message, hint) = match StateInGit::of(project.store.layout().git()) {
        StateInGit::Untracked => return Ok(()),
        StateInGit::Tracked(command) => {
            ("git tracks `state/`, so anybody may have written it", command)
        }
        StateInGit::Unknown(why) => ("git does not say whether it tracks `state/`", why),
    };
    Err(Refusal::new(Reason::DeniedByPolicy, message, hint).into())
}
