//! `reject`: a person rejects a proposal, and its texts are remembered.

use std::collections::BTreeSet;

use serde::Serialize;

use super::answer::{Attempt, answered, write};
use super::claims::tell_rejected;
use super::project::Project;
use super::reopen::placed;
use super::wanted::Wanted;
use crate::error::Result;
use crate::project::rejection::{FingerprintInput, Rejection};
use crate::project::request::{Answer, ProposalId};
use crate::project::store::log::Entry;
use crate::project::store::staging::{self, DecisionMark, Fidelity, StagedProposal};
use crate::project::store::{Layout, Locked, Step, Trace, lift, rejections, remember};

#[derive(Debug, Clone)]
pub(crate) struct RejectOptions {
    /// Shown when the same is proposed again.
    pub reason: String,
    /// Leaves no fingerprint, so that the same may be proposed again.
    pub allow_again: bool,
    pub rejected_by: String,
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct Rejected {
    pub id: String,
    /// The folder of the proposal now, relative to the store.
    pub kept_in: String,
    /// Whether the same text is refused from now on.
    pub remembered: bool,
    pub warnings: Vec<String>,
}

/// Takes a proposal out of the queue and remembers fingerprints of its texts.
pub(crate) fn reject(
    project: &Project,
    wanted: &Wanted,
    options: &RejectOptions,
) -> Result<Answer<Rejected>> {
    answered(project, || decide(project, wanted, options))
}

fn decide(project: &Project, wanted: &Wanted, options: &RejectOptions) -> Attempt<Rejected> {
    project.refuse_unfit("--reason", &options.reason)?;
    project.refuse_unfit_name("--approver", &options.rejected_by)?;
    project.read_branches();
    let mut locked = project.lock("reject", None)?;
    let queue = staging::read_queue(locked.layout())?;
    let staged = wanted.find_undecided(&queue, project)?;
    let mut warnings: Vec<String> = staged.warnings().map(str::to_owned).collect();
    let kept_in = staging::trash_name(locked.layout(), &staged.id);
    let mut steps = project.decide(&staged.id, &[DecisionMark::whole(staging::REJECTED)])?;
    let rejections = kept_rejections(project, staged, &options.reason, |_| true)?;
    // A proposal that was rejected before and came back has a rejection already, maybe of another text.
    let former = lift(locked.layout(), &staged.id)?;
    let has_own_name = !former.is_empty();
    if options.allow_again {
        steps.extend(former);
    } else {
        let known = remembered(locked.layout(), &staged.id)?;
        let is_new = |kept: &&KeptRejection| !is_remembered(&known, &kept.rejection);
        steps.extend(rejections.iter().flatten().filter(is_new).map(
            |KeptRejection { operation, rejection }| {
                remember(&staged.id, rejection, *operation, has_own_name)
            },
        ));
        let unread =
            "its request cannot be read any more, so the same text is not recognised again";
        warnings.extend(rejections.is_none().then(|| unread.to_owned()));
    }
    let by = Some(options.rejected_by.as_str());
    steps.extend(tell_rejected(project, staged, by));
    steps.push(log_rejection(project, &locked, staged, (by, &options.reason))?);
    warnings.extend(write(&mut locked, steps, Trace::Kept)?);
    warnings.splice(0..0, project.take_warnings());
    warnings.extend(project.said_elsewhere(&staged.id));
    Ok(Rejected {
        id: staged.id.to_string(),
        kept_in,
        remembered: rejections.is_some() && !options.allow_again,
        warnings,
    })
}

/// Returns the fingerprints of a proposal that are remembered already.
fn remembered(layout: &Layout, id: &ProposalId) -> Result<BTreeSet<String>> {
    let own = rejections(layout)?.into_iter().filter(|each| each.id == id.as_str());
    Ok(own.flat_map(|each| each.fingerprints).collect())
}

fn is_remembered(known: &BTreeSet<String>, rejection: &Rejection) -> bool {
    let mut new = rejection.fingerprints.iter();
    !rejection.fingerprints.is_empty() && new.all(|each| known.contains(each))
}

/// Returns the step that logs who rejected a proposal and why.
pub(super) fn log_rejection(
    project: &Project,
    locked: &Locked<'_>,
    staged: &StagedProposal,
    (approver, reason): (Option<&str>, &str),
) -> Result<Step> {
    // The owner is read from the queue, where it may have been edited.
    let owner = staged.owner.as_deref().map(|owner| project.clean(owner));
    let entry = Entry {
        id: Some(&staged.id),
        owner: owner.as_deref(),
        approver,
        reason: Some(reason),
        request: Some(&staged.hash),
        request_changed: staged.fidelity == Fidelity::Changed,
        ..Entry::new(project.session.now, "rejected")
    };
    Ok(entry.append_to(&locked.layout().signed_log().tail()?))
}

/// A rejection that is remembered.
pub(super) struct KeptRejection {
    /// The number of the operation, from 1; none where one file is about all that is rejected.
    pub(super) operation: Option<usize>,
    pub(super) rejection: Rejection,
}

/// Returns what is remembered of the rejection of some operations, numbered from 0; none if the request is not valid any
/// more. Branches may decide each operation differently, so each has a file of its own where the queue is in git.
pub(super) fn kept_rejections(
    project: &Project,
    staged: &StagedProposal,
    reason: &str,
    is_rejected: impl Fn(usize) -> bool,
) -> Result<Option<Vec<KeptRejection>>> {
    let Some(all) = fingerprints(project, staged)? else { return Ok(None) };
    let kept = |operation: Option<usize>, fingerprints: Vec<String>| {
        let (id, date) = (staged.id.to_string(), project.session.today());
        let rejection = Rejection { id, date, reason: reason.to_owned(), fingerprints };
        KeptRejection { operation, rejection }
    };
    let rejected = all.into_iter().enumerate().filter(|(number, _)| is_rejected(*number));
    Ok(Some(match project.config.staging.track {
        true => rejected.map(|(number, each)| kept(Some(number + 1), each)).collect(),
        false => vec![kept(None, rejected.flat_map(|(_, each)| each).collect())],
    }))
}

/// Returns the fingerprints of each operation; none if the request is not valid any more.
fn fingerprints(project: &Project, staged: &StagedProposal) -> Result<Option<Vec<Vec<String>>>> {
    let Some((proposal, placed)) = placed(project, staged)? else { return Ok(None) };
    let catalog = project.catalog()?;
    let operations = proposal.request().operations.iter().zip(&placed);
    let fingerprints = operations.map(|(operation, placed)| {
        FingerprintInput::of(&placed.path, catalog, &operation.action)
            .fingerprints(staged.id.as_str())
    });
    Ok(Some(fingerprints.collect()))
}
