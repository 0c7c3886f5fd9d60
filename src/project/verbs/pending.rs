//! What is pending, as `status` and `review` list it.

use std::collections::BTreeSet;

use serde::Serialize;

use super::answer::Stop;
use super::other_branches::OtherBranch;
use super::project::Project;
use super::reopen::{Drift, placed, refuse_expired, reopen};
use super::selection::Selection;
use super::superseded::Superseded;
use crate::error::Result;
use crate::project::request::{OperationKind, Reason};
use crate::project::store::staging::{self, Fidelity, Queue, StagedProposal};

/// Says that proposals are pending, where what a reader looks for is in no reviewed file; `None` if none is.
pub(super) fn say_pending(project: &Project) -> Option<String> {
    let next = "`agent-memory review` shows what is pending";
    match pending_ids(project).map(|ids| ids.len()) {
        Ok(0) => None,
        Ok(1) => Some(format!("one proposal is pending and is not part of the memory yet; {next}")),
        Ok(many) => {
            Some(format!("{many} proposals are pending and are not part of the memory yet; {next}"))
        }
        Err(error) => {
            let why = error.with_next_step();
            Some(project.clean(&format!("whether proposals are pending is not known: {why}")))
        }
    }
}

pub(crate) fn pending_ids(project: &Project) -> Result<BTreeSet<String>> {
    let queue = staging::read_queue(project.store.layout())?;
    Ok(queue.proposals.iter().map(|staged| staged.id.to_string()).collect())
}

/// A pending proposal, as `status` lists it.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Pending {
    /// Its id.
    pub id: String,
    /// What it is for.
    pub intent: String,
    /// Why, in the words of the proposer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// Who proposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The files that it would change.
    pub files: Vec<String>,
    /// The sections it names, each behind its file: `decisions.md#token-rotation`.
    pub sections: Vec<String>,
    /// Those of them that it removes or moves to the archive.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removes: Vec<String>,
    /// When it was made, RFC 3339 UTC.
    pub submitted_at: String,
    /// Until when it can be applied, RFC 3339 UTC.
    pub expires_at: String,
    /// How long it has been pending, in seconds.
    pub age_seconds: i64,
    /// How long it can still be applied, in seconds; negative when it has expired.
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
    /// The later proposal of the same owner that replaces it: it is pending, or was applied.
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
    /// Whether `apply` would apply it now.
    pub can_apply: bool,
    /// The code with which `apply` would refuse it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Why it cannot be applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
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
        superseded_by: superseded.by(&staged.id).map(|by| by.id.to_string()),
        other_branches: project.other_branches(&staged.id),
        readiness: readiness(project, staged)?,
    })
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
