//! Puts a routed change into the files, writes the log, refreshes the index.

use super::propose::applied;
use super::stage::entry;
use super::{Stop, Workspace};
use crate::contract::{Outcome, ProposalId, Reason, Refusal};
use crate::pipeline::{Approval, PlannedFile, Routed};
use crate::store::log::{self, Entry};
use crate::store::{EditedMeanwhile, Locked, Step, staging};

/// How a change lands.
pub(super) struct Landing<'a> {
    /// Its name.
    pub(super) id: &'a ProposalId,
    /// Who said yes to it in the queue; none where it never waited.
    pub(super) approval: Option<&'a Approval>,
}

/// A change that is in the files, while the index is not refreshed yet.
#[must_use = "call `finish` for the answer"]
pub(super) struct Landed {
    id: Option<ProposalId>,
}

/// Writes all files of a change, takes it out of the queue and logs it, as one transaction.
pub(super) fn land(
    workspace: &Workspace,
    locked: &mut Locked<'_>,
    routed: &Routed<'_>,
    landing: &Landing<'_>,
) -> std::result::Result<Landed, Stop> {
    let planned = &routed.planned;
    if planned.files.is_empty() && landing.approval.is_none() {
        return Ok(Landed { id: None });
    }
    let mut steps: Vec<Step> = planned.files.iter().chain(&planned.contents).map(write).collect();
    if landing.approval.is_some() {
        steps.push(staging::retire(landing.id));
    }
    let approver = landing.approval.map(Approval::approver);
    let line = Entry { time: workspace.now, approver, ..entry(planned, landing.id, "applied") };
    steps.push(log::append(locked.layout(), &line)?);
    match locked.prepare(steps)? {
        Ok(prepared) => prepared.commit()?,
        Err(EditedMeanwhile { path }) => {
            let message = format!("`{path}` was edited while the change was being planned");
            let hint = "nothing was written; send the request again";
            return Err(Refusal::new(Reason::TargetDrift, message, hint).into());
        }
    }
    Ok(Landed { id: Some(landing.id.clone()) })
}

impl Landed {
    /// Refreshes the index and makes the answer. The lock should be free by now: others can write while
    /// the index follows.
    pub(super) fn finish(self, workspace: &Workspace, routed: Routed<'_>) -> Outcome {
        let Routed { planned, routing, .. } = routed;
        let mut answer = applied(&planned, &routing);
        if self.id.is_some() {
            answer.applied_at = Some(workspace.now);
            match workspace.refresh_index(&answer.files) {
                Ok(refreshed) => answer.index_updated = refreshed,
                Err(error) => {
                    let warning =
                        format!("the change is in the files, the index follows later: {error}");
                    answer.warnings.push(warning);
                }
            }
        }
        answer.proposal_id = self.id;
        Outcome::Applied(answer)
    }
}

fn write(file: &PlannedFile) -> Step {
    Step::write(file.path.as_str(), file.before.as_deref(), file.after.clone())
}
