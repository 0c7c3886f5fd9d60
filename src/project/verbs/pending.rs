//! Plans a pending proposal again, on the files of today.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use super::other_branches::OtherBranch;
use super::selection::Selection;
use super::superseded::Superseded;
use super::{Attempt, Project, Stop, gone};
use crate::contract::{Answer, OperationKind, ProposalId, Reason, Refusal};
use crate::error::Result;
use crate::project::pipeline::{Placed, Planned, Proposal, Submission, TouchedSection};
use crate::project::store::staging::{self, Fidelity, Queue, StagedProposal};
use crate::project::store::{Recorded, Then};

pub(crate) fn waiting_ids(project: &Project) -> Result<BTreeSet<String>> {
    let queue = staging::read_queue(project.store.layout())?;
    Ok(queue.proposals.iter().map(|staged| staged.id.to_string()).collect())
}

/// A proposal that waits, as `status` lists it.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Pending {
    /// Its name.
    pub id: String,
    /// What it is for.
    pub intent: String,
    /// Why, in the words of who proposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// Who proposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The files it would touch.
    pub files: Vec<String>,
    /// The sections it names, each behind its file: `decisions.md#token-rotation`.
    pub sections: Vec<String>,
    /// Those of them that it removes or moves to the archive.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removes: Vec<String>,
    /// When it was made, RFC 3339 UTC.
    pub submitted_at: String,
    /// Until when it may wait, RFC 3339 UTC.
    pub expires_at: String,
    /// How long it has waited, in seconds.
    pub age_seconds: i64,
    /// How long it may still wait, in seconds; negative when it has expired.
    pub seconds_left: i64,
    /// Whether its `proposal.json` was edited after it was staged.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub request_changed: bool,
    /// Whether it was not proposed in this store.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub request_unknown: bool,
    /// Whether it was decided here, and is back.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub was_decided: bool,
    /// The later proposal of the same owner that took its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    /// What became of it on branches that are not merged here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_branches: Vec<OtherBranch>,
    /// Whether it can still be applied.
    #[serde(flatten)]
    pub readiness: Readiness,
}

/// Whether a proposal can still be applied.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Readiness {
    /// Whether `apply` would land it now.
    pub can_apply: bool,
    /// The code with which `apply` would refuse it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// What stands in the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Whether sections that changed since the proposal may be overwritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Drift {
    Refused,
    /// A person has seen the difference.
    Accepted,
}

/// Tells whether the queue has something else than was proposed here: it was edited or added by hand.
pub(super) fn is_altered(project: &Project, staged: &StagedProposal) -> bool {
    match staged.fidelity {
        Fidelity::Kept => staged.was_decided,
        Fidelity::Changed => true,
        // It came with git from another clone.
        Fidelity::Unknown => !project.config.staging.track,
    }
}

/// Plans a pending proposal, or a part of it, on the files of today.
pub(super) fn reopen<'w>(
    project: &'w Project,
    staged: &StagedProposal,
    selection: &Selection,
    drift: Drift,
) -> Attempt<Planned<'w>> {
    let planned = plan(project, staged, selection).map_err(|stop| match stop {
        Stop::Refused(refusal) => Stop::Refused(told_to_approver(refusal, &staged.id)),
        Stop::Failed(error) => Stop::Failed(error),
    })?;
    if is_altered(project, staged) {
        planned.refuse_known()?;
    }
    if drift == Drift::Refused {
        refuse_drift(&planned, staged, selection)?;
    }
    let planned = match selection.texts() {
        Some(amendment) => planned.amended(amendment)?,
        None => planned,
    };
    planned.permitted()?;
    Ok(planned)
}

/// Applies the operations to the files of today. Where a section is gone, the texts of the approver replace its operation.
fn plan<'w>(
    project: &'w Project,
    staged: &StagedProposal,
    selection: &Selection,
) -> Attempt<Planned<'w>> {
    let mut request = selection.of(&staged.request)?;
    loop {
        let question = asked(project, staged, request.clone())?;
        let screened = question.screen(project.rules()?, &recorded(project, staged))?;
        let snapshot = project.store.snapshot(&screened.files())?;
        let refusal = match screened.plan(snapshot) {
            Ok(planned) => return Ok(planned),
            Err(refusal) => refusal,
        };
        let settled = selection.texts().and_then(|texts| gone::settle(&request, texts, &refusal));
        request = settled.unwrap_or_else(|| Err(as_drift(refusal, &staged.id)))?;
    }
}

pub(super) fn readiness(project: &Project, staged: &StagedProposal) -> Result<Readiness> {
    let refusal = match refuse_expired(project, staged) {
        Err(refusal) => refusal,
        Ok(()) => match reopen(project, staged, &Selection::All, Drift::Refused) {
            Ok(_) => return Ok(Readiness { can_apply: true, reason: None, message: None }),
            Err(Stop::Failed(error)) => return Err(error),
            Err(Stop::Refused(refusal)) => refusal,
        },
    };
    Ok(Readiness {
        can_apply: false,
        reason: Some(refusal.reason),
        message: Some(project.clean(&refusal.message)),
    })
}

pub(super) fn refuse_expired(project: &Project, staged: &StagedProposal) -> Answer<()> {
    if staged.expires_at >= project.session.now {
        return Ok(());
    }
    Err(Refusal::new(
        Reason::StagingExpired,
        format!("the proposal `{}` expired at {}", staged.id, staged.expires_at),
        format!(
            "look at it again with `agent-memory show {}`, then `apply --expired` or `reject`",
            staged.id
        ),
    ))
}

/// Describes every pending proposal, oldest first.
pub(crate) fn pending(project: &Project) -> Result<Vec<Pending>> {
    let queue = staging::read_queue(project.store.layout())?;
    describe_queue(project, &queue)
}

/// Says why some folders of the queue cannot be read.
pub(crate) fn unreadable(project: &Project) -> Result<Vec<String>> {
    let queue = staging::read_queue(project.store.layout())?;
    Ok(queue.unreadable().map(|said| project.clean(&said)).collect())
}

pub(super) fn describe_queue(project: &Project, queue: &Queue) -> Result<Vec<Pending>> {
    let superseded = Superseded::in_queue(project, queue)?;
    queue.proposals.iter().map(|staged| describe(project, staged, &superseded)).collect()
}

pub(super) fn describe(
    project: &Project,
    staged: &StagedProposal,
    superseded: &Superseded,
) -> Result<Pending> {
    let Places { files, sections, removes } = places_of(project, staged)?;
    let text = |name: &str| staged.request[name].as_str().map(|text| project.clean(text));
    Ok(Pending {
        id: staged.id.to_string(),
        intent: text("intent").unwrap_or_default(),
        rationale: text("rationale"),
        owner: staged.owner.as_deref().map(|owner| project.clean(owner)),
        files,
        sections,
        removes,
        submitted_at: staged.submitted_at.to_string(),
        expires_at: staged.expires_at.to_string(),
        age_seconds: project.session.now.seconds_since(staged.submitted_at),
        seconds_left: staged.expires_at.seconds_since(project.session.now),
        request_changed: staged.fidelity == Fidelity::Changed,
        request_unknown: staged.fidelity == Fidelity::Unknown,
        was_decided: staged.was_decided,
        superseded_by: superseded.by(&staged.id).map(ToString::to_string),
        other_branches: project.other_branches(&staged.id),
        readiness: readiness(project, staged)?,
    })
}

/// Parses the request of a pending proposal; it goes through every check again.
pub(super) fn question(project: &Project, staged: &StagedProposal) -> Answer<Proposal> {
    asked(project, staged, staged.request.clone())
}

/// Parses another request for a pending proposal. Its submission date is written into the files, so it is only taken from
/// a request that is known to be unchanged.
pub(super) fn asked(
    project: &Project,
    staged: &StagedProposal,
    request: Value,
) -> Answer<Proposal> {
    let submitted_at = if staged.is_known() { staged.submitted_at } else { project.session.now };
    Submission::new(request.to_string().into_bytes(), submitted_at).parse()
}

/// Returns the repository as it was when a proposal was made. Where its request is not known to be unchanged, as it is
/// today: the evidence in `proposal.json` would be written into the files.
pub(super) fn recorded<'a>(project: &'a Project, staged: &'a StagedProposal) -> Recorded<'a> {
    let then = Then { branch: &staged.branch, notes: &staged.notes };
    let then = staged.is_known().then_some(then);
    Recorded { repository: &project.repository, then }
}

#[derive(Default)]
struct Places {
    files: Vec<String>,
    sections: Vec<String>,
    removes: Vec<String>,
}

/// Returns the files and sections that a proposal names.
fn places_of(project: &Project, staged: &StagedProposal) -> Result<Places> {
    let mut places = Places::default();
    let Some((proposal, placed)) = placed(project, staged)? else { return Ok(places) };
    for (operation, placed) in proposal.request().operations.iter().zip(&placed) {
        let archive = placed.archive.as_ref().map(|(path, _)| path);
        let paths = [Some(&placed.path), archive].into_iter().flatten();
        places.files.extend(paths.map(ToString::to_string));
        if let Some(section) = operation.action.section_name() {
            let section = project.clean(&format!("{}#{section}", placed.path));
            let kind = operation.action.kind();
            let is_gone =
                matches!(kind, OperationKind::RemoveSection | OperationKind::ArchiveSection);
            places.removes.extend(is_gone.then(|| section.clone()));
            places.sections.push(section);
        }
    }
    places.files.sort_unstable();
    places.files.dedup();
    Ok(places)
}

/// Parses a pending proposal and finds its files; none if its request is not valid any more.
pub(super) fn placed<'w>(
    project: &'w Project,
    staged: &StagedProposal,
) -> Result<Option<(Proposal, Vec<Placed<'w>>)>> {
    let rules = project.rules()?;
    let Ok(proposal) = question(project, staged) else { return Ok(None) };
    let placed = proposal.place(rules, &recorded(project, staged));
    Ok(placed.ok().map(|(placed, _)| (proposal, placed)))
}

/// Refuses a plan that builds on a section that changed since the proposal.
pub(super) fn refuse_drift(
    planned: &Planned<'_>,
    staged: &StagedProposal,
    selection: &Selection,
) -> Answer<()> {
    let (now, then) = (&planned.touched, &staged.touched);
    let is_in =
        |each: &TouchedSection, list: &[TouchedSection]| list.iter().any(|it| it.is_still(each));
    let is_same = || now.iter().zip(then).all(|(now, then)| now.is_still(then));
    let other = match selection {
        _ if now.len() == then.len() && is_same() => return Ok(()),
        // The sections of the other operations do not matter.
        Selection::Operations(_) | Selection::Pieces { .. } => {
            match now.iter().find(|each| !is_in(each, then)) {
                None => return Ok(()),
                other => other,
            }
        }
        Selection::All | Selection::Amended(_) => {
            then.iter().find(|each| !is_in(each, now)).or(now.first())
        }
    };
    let place = other.map_or("a section".to_owned(), |each| match each.section.as_str() {
        "" => format!("`{}`", each.file),
        section => format!("the section `{section}` of `{}`", each.file),
    });
    let id = &staged.id;
    let hint = format!(
        "`agent-memory rebase {id}` merges it with what changed; `apply --force` overwrites that; after `reject {id} --allow-again` it can be proposed anew"
    );
    let message = format!("{place} changed after this was proposed");
    Err(Refusal::new(Reason::TargetDrift, message, hint))
}

/// Replaces hints to correct the request, which an approver cannot do.
fn told_to_approver(mut refusal: Box<Refusal>, id: &ProposalId) -> Box<Refusal> {
    let anew = format!("after `agent-memory reject {id} --allow-again` it can be proposed anew");
    match refusal.reason {
        Reason::DuplicateSectionId => {
            refusal.hint =
                format!("`agent-memory rebase {id}` puts it together with what is there; {anew}");
        }
        Reason::ProvenanceViolation | Reason::ValidationFailed | Reason::BudgetExceeded => {
            refusal.hint = format!("the files or the rules changed since; {anew}");
        }
        _ => {}
    }
    refusal
}

/// Turns a missing section into drift.
fn as_drift(refusal: Box<Refusal>, id: &ProposalId) -> Box<Refusal> {
    if refusal.reason != Reason::SectionNotFound {
        return refusal;
    }
    let hint = format!(
        "`agent-memory rebase {id}` at a terminal opens what was wanted, to be kept as a new section or left out; `agent-memory reject {id}` refuses it"
    );
    Refusal::new(Reason::TargetDrift, refusal.message, hint)
}
