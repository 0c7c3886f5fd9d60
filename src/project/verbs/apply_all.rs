//! `apply --all`: applies everything that can be applied.

use std::collections::BTreeSet;

use serde::Serialize;

use super::answer::Attempt;
use super::apply::{Locks, Way, answer, settle};
use super::commit::Committed;
use super::other_branches::OtherBranch;
use super::project::Project;
use super::reopen::{Drift, reopen};
use super::selection::Selection;
use super::superseded::Superseded;
use crate::error::{Error, ErrorKind, Result};
use crate::project::request::{Outcome, ProposalId, Reason, Refusal};
use crate::project::store::Layout;
use crate::project::store::staging::{self, Fidelity, StagedProposal};

/// A proposal that `apply --all` leaves pending, as a person must look at it first.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Left {
    /// The id of the proposal.
    pub id: ProposalId,
    /// When it expired, RFC 3339 UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expired_at: Option<String>,
    /// Whether its request was edited after it was staged.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub request_changed: bool,
    /// Whether the store does not know how it was staged.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub request_unknown: bool,
    /// Whether it was decided here and came back.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub was_decided: bool,
    /// The newer proposal of the same owner about the same sections: it is pending, or was applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    /// What was decided about it on branches that are not merged here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_branches: Vec<OtherBranch>,
}

/// Applies what is pending, oldest first, and calls `tell` for each. A failure stops no other proposal. Returns what was
/// left pending: expired, edited, superseded, or decided on another branch.
pub fn apply_all(
    project: &Project,
    way: &Way<'_>,
    mut tell: impl FnMut(&ProposalId, Result<(Outcome, Option<Committed>)>),
) -> Result<Vec<Left>> {
    let known = KnownQueue::read(project.store.layout())?;
    let queue = staging::read_queue(project.store.layout())?;
    let superseded = Superseded::in_queue(project, &queue)?;
    let mut left = Vec::new();
    for each in &queue.damaged {
        let Some(id) = ProposalId::parse(&each.name) else { continue };
        let error = Error::new(ErrorKind::StoreDamaged, each.message());
        tell(&id, Err(error.hint(each.hint())));
    }
    for staged in &queue.proposals {
        if let Some(each) = Left::of(staged, &superseded, project, way) {
            left.push(each);
            continue;
        }
        project.store.layout().git_time().begin_anew();
        let answer = answer(apply_one(project, staged, way, &known), project);
        let is_locked = answer.as_ref().is_err_and(|error| error.kind() == ErrorKind::LockHeld);
        tell(&staged.id, answer);
        // All others would run into the same timeout.
        if is_locked {
            break;
        }
    }
    Ok(left)
}

impl Left {
    /// Tells why a person must look at a proposal first; none where it may be applied.
    fn of(
        staged: &StagedProposal,
        superseded: &Superseded,
        project: &Project,
        way: &Way<'_>,
    ) -> Option<Self> {
        let is_expired = !way.options.expired && staged.expires_at < project.session.now;
        // The setting `track` is no reason for trust: a commit can bring it together with a proposal.
        let is_known = staged.is_known();
        let superseded_by = superseded.by(&staged.id).map(|by| by.id.to_string());
        let other_branches = project.other_branches(&staged.id);
        let is_left = is_expired || !is_known || superseded_by.is_some();
        (is_left || !other_branches.is_empty()).then(|| Self {
            id: staged.id.clone(),
            expired_at: is_expired.then(|| staged.expires_at.to_string()),
            request_changed: staged.fidelity == Fidelity::Changed,
            request_unknown: staged.fidelity == Fidelity::Unknown,
            was_decided: staged.was_decided,
            superseded_by,
            other_branches,
        })
    }

    /// Refuses what changed after the approval.
    fn refuse(&self) -> Box<Refusal> {
        let id = &self.id;
        let message = match &self.superseded_by {
            Some(by) => format!("`{id}` was superseded by `{by}` since"),
            None if self.was_decided => format!("`{id}` was decided in between, and is back"),
            None if self.request_unknown => format!("`{id}` is not known here"),
            None => format!("`{id}` was edited in between"),
        };
        let hint = format!("look at it with `agent-memory show {id}`");
        Refusal::new(Reason::ApprovalStale, message, hint)
    }
}

/// Applies one of several. A proposal that cannot be applied costs only a plan, and neither the lock nor a write.
fn apply_one(
    project: &Project,
    staged: &StagedProposal,
    way: &Way<'_>,
    known: &KnownQueue,
) -> Attempt<(Outcome, Option<Committed>)> {
    if let Err(stop) = reopen(project, staged, &Selection::All, Drift::Refused) {
        // Another process may have applied it, or crashed while doing so.
        project.settle()?;
        still_waiting(project, staged)?;
        return Err(stop);
    }
    let locks = Locks::lock(project, way)?;
    let staged = still_waiting(project, staged)?;
    let superseded = superseded_since(project, &staged, known)?;
    if let Some(left) = Left::of(&staged, &superseded, project, way) {
        return Err(left.refuse().into());
    }
    let (mut outcome, committed) = settle(project, locks, &staged, way)?;
    if matches!(outcome, Outcome::Applied(_)) {
        outcome.warn(project.branches_unknown().into_iter().collect());
    }
    Ok((outcome, committed))
}

/// Reads a proposal again; refuses where it is no longer pending.
fn still_waiting(project: &Project, staged: &StagedProposal) -> Attempt<StagedProposal> {
    staging::read_waiting(project.store.layout(), &staged.id)?.ok_or_else(|| {
        let message = format!("`{}` was decided in between", staged.id);
        let hint = "`agent-memory log` shows what was decided";
        Refusal::new(Reason::StagingNotFound, message, hint).into()
    })
}

/// What was pending when the queue was listed.
struct KnownQueue {
    names: BTreeSet<String>,
    /// The end of the log before that.
    mark: u64,
}

impl KnownQueue {
    fn read(layout: &Layout) -> Result<Self> {
        let mark = layout.signed_log().length()?;
        Ok(Self { names: staging::names(layout)?.into_iter().collect(), mark })
    }

    /// Tells whether a proposal came since; it may be applied already.
    fn is_out_of_date(&self, layout: &Layout) -> Result<bool> {
        let is_new = |name: &str| !self.names.contains(name);
        if staging::names(layout)?.iter().any(|name| is_new(name)) {
            return Ok(true);
        }
        let lines = layout.signed_log().read_since(self.mark)?;
        Ok(lines.iter().filter_map(|line| line["id"].as_str()).any(is_new))
    }
}

/// Finds what superseded a proposal since the queue was listed. Without new proposals it is not read again.
fn superseded_since(
    project: &Project,
    staged: &StagedProposal,
    known: &KnownQueue,
) -> Result<Superseded> {
    let layout = project.store.layout();
    if !known.is_out_of_date(layout)? {
        return Ok(Superseded::default());
    }
    Superseded::around(project, &staging::read_queue(layout)?, staged)
}
