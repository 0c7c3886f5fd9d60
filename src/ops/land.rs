//! Puts a routed change into the files, writes the log, refreshes the index.

use super::propose::applied;
use super::stage::entry;
use super::{Stop, Workspace, write};
use crate::contract::{Outcome, ProposalId};
use crate::pipeline::{Approval, PlannedFile, Routed};
use crate::store::log::{Entry, Tail};
use crate::store::staging::{self, Fidelity, StagedProposal};
use crate::store::{Locked, Step, Trace};

/// How a change lands.
pub(super) struct Landing<'a> {
    /// Its name.
    pub(super) id: &'a ProposalId,
    /// Who said yes to what in the queue; none where it never waited.
    pub(super) approved: Option<(&'a Approval, &'a StagedProposal)>,
    /// Where its line goes in the log.
    pub(super) tail: &'a Tail,
}

/// A change that is in the files, while the index is not refreshed yet.
#[must_use = "call `finish` for the answer"]
pub(super) struct Landed {
    id: Option<ProposalId>,
    warnings: Vec<String>,
}

/// Writes all files of a change, takes it out of the queue and logs it, as one transaction.
pub(super) fn land(
    workspace: &Workspace,
    locked: &mut Locked<'_>,
    routed: &Routed<'_>,
    landing: &Landing<'_>,
) -> std::result::Result<Landed, Stop> {
    let planned = &routed.planned;
    if planned.files.is_empty() && landing.approved.is_none() {
        return Ok(Landed { id: None, warnings: Vec::new() });
    }
    let mut steps: Vec<Step> = planned.files.iter().map(step).collect();
    steps.extend(planned.contents().map(|contents| Step::Contents {
        path: contents.path.to_string(),
        blocks: contents.blocks,
    }));
    let mut line = Entry { time: workspace.now, ..entry(planned, landing.id, "applied") };
    let mut warnings = Vec::new();
    if let Some((approval, staged)) = landing.approved {
        steps.push(staging::retire(locked.layout(), landing.id));
        line.approver = Some(approval.approver());
        line.request = Some(&staged.hash);
        line.request_changed = staged.fidelity == Fidelity::Changed;
        warnings.extend(staged.fidelity.warning().map(str::to_owned));
    }
    steps.push(landing.tail.append(&line));
    // What a person put into another section of the file by hand is not ours to copy.
    let discreet = planned.files.iter().any(|file| !workspace.scanner.scan(&file.after).is_empty());
    let trace = if discreet { Trace::Wiped } else { Trace::Kept };
    warnings.extend(write(locked, steps, trace)?);
    Ok(Landed { id: Some(landing.id.clone()), warnings })
}

impl Landed {
    /// Refreshes the index and makes the answer. The lock should be free by now: others can write while
    /// the index follows.
    pub(super) fn finish(self, workspace: &Workspace, routed: Routed<'_>) -> Outcome {
        let Routed { planned, routing, .. } = routed;
        let mut answer = applied(&planned, &routing);
        answer.warnings.extend(self.warnings);
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

fn step(file: &PlannedFile) -> Step {
    Step::write(file.path.as_str(), file.before.as_deref(), file.after.clone())
}
