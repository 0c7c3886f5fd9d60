//! `apply`: a person's yes, asked of today's files.

use super::answer::{Attempt, Stop, conclude, write};
use super::apply_change::{ChangeToApply, apply_change};
use super::claims::tell_applied;
use super::commit::{CommitPlan, Committed};
use super::four_eyes::check_four_eyes;
use super::project::Project;
use super::reject::{KeptRejection, kept_rejections};
use super::reopen::{Drift, refuse_drift, refuse_expired, reopen};
use super::selection::Selection;
use super::superseded::Superseded;
use super::wanted::Wanted;
use super::worktrees;
use crate::contract::ContentHash;
use crate::error::Result;
use crate::project::pipeline::{Approval, Planned};
use crate::project::request::{Answer, Outcome, Reason, Refusal};
use crate::project::store::log::Entry;
use crate::project::store::staging::{DecisionMark, Fidelity, StagedProposal};
use crate::project::store::{self, CommitLimit, Locked, Step, Trace, staging};

/// What a person allows when a proposal is applied.
#[derive(Debug, Clone, Default)]
pub struct ApplyOptions {
    /// Applies exactly what has this digest, or nothing.
    pub digest: Option<ContentHash>,
    /// Applies a proposal that has expired.
    pub expired: bool,
    /// Overwrites sections that changed since it was proposed.
    pub force: bool,
    /// Applies a part of it; the rest is rejected with the reason and remembered.
    pub selection: Selection,
    /// Why the rest is rejected.
    pub reason: Option<String>,
}

/// How a proposal is applied, and by whom.
#[derive(Debug, Clone, Copy)]
pub struct Way<'a> {
    /// The approval of a person.
    pub approval: &'a Approval,
    /// What that person allows.
    pub options: &'a ApplyOptions,
    /// Makes a commit of what was applied, within this time.
    pub commit: Option<CommitLimit>,
    /// The store where the proposal is pending, if that is another worktree.
    pub from: Option<&'a Project>,
}

impl<'a> Way<'a> {
    /// Applies what is pending here, without a commit.
    pub fn here(approval: &'a Approval, options: &'a ApplyOptions) -> Self {
        Self { approval, options, commit: None, from: None }
    }
}

/// The default reason for operations that a person left out.
const LEFT_OUT: &str = "left out when the rest was applied";

pub(crate) fn apply(
    project: &Project,
    wanted: &Wanted,
    approval: &Approval,
    options: &ApplyOptions,
) -> Result<Outcome> {
    Ok(apply_by(project, wanted, &Way::here(approval, options))?.0)
}

/// Applies a proposal that is pending here or in another worktree, and commits it where that is wanted.
pub(crate) fn apply_by(
    project: &Project,
    wanted: &Wanted,
    way: &Way<'_>,
) -> Result<(Outcome, Option<Committed>)> {
    answer(apply_wanted(project, wanted, way), project)
}

pub(super) fn answer(
    done: Attempt<(Outcome, Option<Committed>)>,
    project: &Project,
) -> Result<(Outcome, Option<Committed>)> {
    match done {
        Ok((outcome, committed)) => Ok((conclude(Ok(outcome), project)?, committed)),
        Err(stop) => Ok((conclude(Err(stop), project)?, None)),
    }
}

fn apply_wanted(
    project: &Project,
    wanted: &Wanted,
    way: &Way<'_>,
) -> Attempt<(Outcome, Option<Committed>)> {
    let reason = way.options.reason.as_deref().unwrap_or(LEFT_OUT);
    project.refuse_unfit("--reason", reason)?;
    let home = way.from.unwrap_or(project);
    home.read_branches();
    let layout = home.store.layout();
    let locked = Locks::lock(project, way)?;
    let queue = staging::read_queue(layout)?;
    let staged = wanted.find_undecided(&queue, home)?;
    if *wanted == Wanted::Latest && !staged.is_known() {
        Err(not_meant(staged))?;
    }
    let superseded = Superseded::around(home, &queue, staged)?;
    let elsewhere = home.said_elsewhere(&staged.id);
    let (mut outcome, committed) = settle(project, locked, staged, way)?;
    if let (Outcome::Applied(applied), Some(by)) = (&mut outcome, superseded.by(&staged.id)) {
        applied.warnings.push(format!("it was superseded by `{}`, {}", by.id, by.state()));
    }
    if matches!(outcome, Outcome::Applied(_)) {
        outcome.warn(elsewhere);
    }
    Ok((outcome, committed))
}

/// Refuses `--latest` for a proposal that is not known here as pending: its date may be forged.
fn not_meant(staged: &StagedProposal) -> Box<Refusal> {
    let id = &staged.id;
    let why = match staged.fidelity {
        _ if staged.was_decided => "was decided here before",
        Fidelity::Unknown => "was not proposed here",
        Fidelity::Changed | Fidelity::Kept => "was edited after it was proposed",
    };
    let message = format!("the latest, `{id}`, {why}");
    let hint = format!("look at it with `agent-memory show {id}`, then apply it by its name");
    Refusal::new(Reason::ApprovalStale, message, hint)
}

/// What is locked while a proposal is applied, so that no other process decides it.
pub(super) struct Locks<'w> {
    here: Locked<'w>,
    /// The store where the proposal is pending, if that is another one.
    home: Option<Locked<'w>>,
}

impl<'w> Locks<'w> {
    /// Locks the store and the one where the proposal is pending, always in the same order: otherwise two processes could
    /// wait for each other.
    pub(super) fn lock(project: &'w Project, way: &Way<'w>) -> Result<Self> {
        let from = way.from;
        let lock = |project: &'w Project| project.lock("apply", None);
        let early = from.filter(|home| home.store.is_locked_before(&project.store));
        let early = early.map(lock).transpose()?;
        let here = lock(project)?;
        let home = match early {
            None => from.map(lock).transpose()?,
            early => early,
        };
        Ok(Self { here, home })
    }
}

/// Applies a proposal under the lock.
pub(super) fn settle(
    project: &Project,
    Locks { mut here, home }: Locks<'_>,
    staged: &StagedProposal,
    way: &Way<'_>,
) -> Attempt<(Outcome, Option<Committed>)> {
    let Way { approval, options, from, .. } = *way;
    let left_out = left_out(project, staged, options)?;
    let mut leave = leave(project, staged, from, &marks(staged, &options.selection))?;
    let own = check_four_eyes(project, staged, approval, &options.selection)?;
    if !options.expired {
        refuse_expired(project, staged)?;
    }
    let planned = reopen_as_seen(project, staged, options)?;
    let routed = planned.route(Some(approval))?;
    let what = (&routed.planned, &options.selection);
    leave.extend(tell_applied(project, staged, approval, what));
    let files = routed.planned.files.iter().map(|file| file.path.as_str());
    let warnings = project.refuse_ignored(files)?;
    let commit = way.commit.map(|limit| CommitPlan::prepare(project, &routed.planned, limit));
    let commit = commit.transpose()?;
    let change = ChangeToApply {
        id: &staged.id,
        approval: Some(approval),
        staged: Some(staged),
        leave,
        selection: &options.selection,
        left_out,
        forced: overwrites(project, &routed.planned, staged, options)?,
        tail: &here.layout().signed_log().tail()?,
        undo: here.layout().undo_list().tail()?,
    };
    let applied_change = apply_change(project, &mut here, &routed, change)?;
    let left = from
        .zip(home)
        .map(|(home, locked)| worktrees::leave(home, locked, staged, approval, project));
    drop(here);
    let committed = commit.map(|commit| commit.make(project, &routed.planned, staged, approval));
    let mut outcome = applied_change.finish(project, routed);
    outcome.warn([warnings, left.unwrap_or_default(), own.into_iter().collect()].concat());
    Ok((outcome, committed))
}

/// Returns the steps that take a proposal out of its queue.
fn leave(
    project: &Project,
    staged: &StagedProposal,
    from: Option<&Project>,
    marks: &[DecisionMark],
) -> Attempt<Vec<Step>> {
    let Some(home) = from else { return Ok(project.decide(&staged.id, marks)?) };
    let kept = worktrees::bring(project, home, staged)?;
    let told = marks.iter().filter(|_| project.config.staging.track);
    let told = told.map(|mark| staging::mark(&staged.id, *mark));
    Ok(std::iter::once(kept).chain(told).collect())
}

/// Returns what other clones are told: of a part, what became of each operation.
fn marks(staged: &StagedProposal, selection: &Selection) -> Vec<DecisionMark> {
    let count = staged.operations();
    match (0..count).all(|number| selection.takes(number)) {
        true => vec![DecisionMark::whole(staging::APPLIED)],
        false => DecisionMark::parts(count, |number| selection.takes(number)),
    }
}

/// Plans a proposal on the files of today. A different digest is reported before drift.
pub(super) fn reopen_as_seen<'a>(
    project: &'a Project,
    staged: &StagedProposal,
    options: &ApplyOptions,
) -> Attempt<Planned<'a>> {
    let reopen = |drift| reopen(project, staged, &options.selection, drift);
    let drift = if options.force { Drift::Accepted } else { Drift::Refused };
    match reopen(drift) {
        Err(Stop::Refused(refusal))
            if options.digest.is_some() && refusal.reason == Reason::TargetDrift =>
        {
            if let Ok(planned) = reopen(Drift::Accepted) {
                refuse_other(&planned, staged, options)?;
            }
            Err(refusal.into())
        }
        reopened => {
            let planned = reopened?;
            refuse_other(&planned, staged, options)?;
            Ok(planned)
        }
    }
}

/// Refuses to apply anything that differs from what a person has seen.
fn refuse_other(
    planned: &Planned<'_>,
    staged: &StagedProposal,
    options: &ApplyOptions,
) -> Answer<()> {
    let digest = planned.digest();
    let Some(approved) = options.digest.as_ref().filter(|approved| **approved != digest) else {
        return Ok(());
    };
    let message = format!("what would be applied has the digest {digest}, not {approved}");
    let hint =
        format!("read what it does now with `agent-memory show {}`, and approve that", staged.id);
    Err(Refusal::new(Reason::ApprovalStale, message, hint))
}

/// Tells whether a change overwrites a newer one. A person who merged both and saw the result overwrites nothing.
fn overwrites(
    project: &Project,
    planned: &Planned<'_>,
    staged: &StagedProposal,
    options: &ApplyOptions,
) -> Result<bool> {
    let ApplyOptions { force, selection, .. } = options;
    if !*force || selection.texts().is_some() {
        return Ok(false);
    }
    match refuse_drift(project, planned, staged, selection) {
        Ok(()) => Ok(false),
        Err(Stop::Refused(_)) => Ok(true),
        Err(Stop::Failed(error)) => Err(error),
    }
}

/// Returns the steps that remember the operations that a person left out.
fn left_out(
    project: &Project,
    staged: &StagedProposal,
    ApplyOptions { selection, reason, .. }: &ApplyOptions,
) -> Result<Vec<Step>> {
    if selection.operations().is_none() {
        return Ok(Vec::new());
    }
    let reason = reason.as_deref().unwrap_or(LEFT_OUT);
    let kept = kept_rejections(project, staged, reason, |number| !selection.takes(number))?;
    let kept = kept.unwrap_or_default().into_iter();
    let kept = kept.filter(|kept| !kept.rejection.fingerprints.is_empty());
    let step =
        |kept: KeptRejection| store::remember(&staged.id, &kept.rejection, kept.operation, false);
    Ok(kept.map(step).collect())
}

/// Logs an approval that was refused; returns warnings.
pub(crate) fn note_refused_approval(
    project: &Project,
    command: &str,
    who: Option<&str>,
    reason: &str,
) -> Result<Vec<String>> {
    let mut locked = project.lock(command, None)?;
    let line =
        Entry { owner: who, reason: Some(reason), ..Entry::new(project.session.now, "refused") };
    let steps = vec![line.append_to(&locked.layout().signed_log().tail()?)];
    let said = match write(&mut locked, steps, Trace::Kept) {
        Ok(said) => said,
        Err(Stop::Failed(error)) => return Err(error),
        // A step that only appends is never refused.
        Err(Stop::Refused(_)) => Vec::new(),
    };
    Ok([project.take_warnings(), said].concat())
}
