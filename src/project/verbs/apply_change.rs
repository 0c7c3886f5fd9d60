//! Applies a routed change: writes the files and the log, refreshes the index.

use super::answer::{Attempt, write};
use super::change::{applied, entry};
use super::project::Project;
use super::rewrite::take_away;
use super::selection::Selection;
use crate::disk::log::LogTail;
use crate::disk::undo_list::UndoTail;
use crate::project::pipeline::{Approval, PlannedFile, Routed};
use crate::project::request::{Outcome, ProposalId};
use crate::project::reversal::Reversal;
use crate::project::store::log::Entry;
use crate::project::store::staging::{Fidelity, StagedProposal};
use crate::project::store::{Locked, Step, Trace, undo};

const LEFT_OUT_WARNING: &str =
    "what was left out is rejected: the same text is refused from now on";

/// How a change is applied.
pub(super) struct ChangeToApply<'a> {
    pub(super) id: &'a ProposalId,
    /// The person in whose name it is applied; none where the policy applies it.
    pub(super) approval: Option<&'a Approval>,
    /// The proposal that was pending; none for a change that was never staged.
    pub(super) staged: Option<&'a StagedProposal>,
    /// The steps that take it out of the queue.
    pub(super) leave: Vec<Step>,
    /// The part of it that is applied.
    pub(super) selection: &'a Selection,
    /// The steps that remember the part that is not.
    pub(super) left_out: Vec<Step>,
    /// Whether it overwrites a section that changed since it was proposed.
    pub(super) forced: bool,
    /// The append position in the log.
    pub(super) tail: &'a LogTail,
    /// The append position in the list of undoable changes.
    pub(super) undo: UndoTail,
}

impl<'a> ChangeToApply<'a> {
    /// A change that was never staged.
    pub(super) fn at_once(id: &'a ProposalId, tail: &'a LogTail, undo: UndoTail) -> Self {
        Self {
            id,
            approval: None,
            staged: None,
            leave: Vec::new(),
            selection: &Selection::All,
            left_out: Vec::new(),
            forced: false,
            tail,
            undo,
        }
    }
}

/// A change that is in the files, before the index is refreshed.
#[must_use = "call `finish` for the answer"]
pub(super) struct AppliedChange {
    id: Option<ProposalId>,
    warnings: Vec<String>,
}

/// Writes all files of a change, takes it out of the queue and logs it, as one transaction.
pub(super) fn apply_change(
    project: &Project,
    locked: &mut Locked<'_>,
    routed: &Routed<'_>,
    change: ChangeToApply<'_>,
) -> Attempt<AppliedChange> {
    let planned = &routed.planned;
    if planned.files.is_empty() && change.staged.is_none() {
        return Ok(AppliedChange { id: None, warnings: Vec::new() });
    }
    let step = |file| step_of(file, project, change.id);
    let mut steps: Vec<Step> = planned.files.iter().map(step).collect();
    let mut line = Entry { time: project.session.now, ..entry(planned, change.id, "applied") };
    let mut warnings = Vec::new();
    line.approver = change.approval.map(Approval::approver);
    if let Some(staged) = change.staged {
        line.request = Some(&staged.hash);
        line.request_changed = staged.fidelity == Fidelity::Changed;
        warnings.extend(staged.warnings().map(str::to_owned));
    }
    line.operations = chosen(&change);
    line.forced = change.forced;
    line.amended = change.selection.texts().is_some();
    steps.extend(change.leave);
    warnings.extend((!change.left_out.is_empty()).then(|| LEFT_OUT_WARNING.to_owned()));
    steps.extend(change.left_out);
    let reversals: Vec<Reversal> = planned
        .files
        .iter()
        .map(|file| file.reversal().withheld_if(|text| project.is_secret(text)))
        .collect();
    let is_secret = planned.files.iter().any(PlannedFile::holds_secret)
        || reversals.iter().any(Reversal::is_withheld);
    let trace = if is_secret { Trace::Wiped } else { Trace::Kept };
    steps.push(undo::line(&change.undo, change.id, &reversals));
    steps.push(line.append_to(change.tail));
    warnings.extend(write(locked, steps, trace)?);
    Ok(AppliedChange { id: Some(change.id.clone()), warnings })
}

/// Returns the operations that a person chose, numbered from 0; none where these are all.
fn chosen(change: &ChangeToApply<'_>) -> Vec<usize> {
    let count = change.staged.map_or(0, |staged| staged.operations());
    let chosen = change.selection.operations().into_iter().flatten().copied();
    let chosen: Vec<usize> = chosen.collect();
    if chosen.len() == count { Vec::new() } else { chosen }
}

/// Returns the step that writes a file, or takes one away of which nothing is left.
fn step_of(file: &PlannedFile, project: &Project, id: &ProposalId) -> Step {
    match (file.left(), &file.before) {
        (None, Some(before)) => take_away(project, id, &file.path, before),
        (left, _) => {
            let text = left.unwrap_or_default().to_owned();
            Step::write_known(file.path.as_str(), file.before_hash(), text)
        }
    }
}

impl AppliedChange {
    /// Refreshes the index and makes the answer. Release the lock before, so that others can write.
    pub(super) fn finish(self, project: &Project, routed: Routed<'_>) -> Outcome {
        let Routed { planned, routing, .. } = routed;
        let mut answer = applied(&planned, &routing);
        answer.warnings.extend(self.warnings);
        if self.id.is_some() {
            answer.applied_at = Some(project.session.now);
            answer.index_updated = project.index_follows(&answer.files, &mut answer.warnings);
        }
        answer.proposal_id = self.id;
        Outcome::Applied(answer)
    }
}
