//! `apply --all`: a person's yes to everything that can land.

use std::collections::BTreeSet;

use serde::Serialize;

use super::apply::{Locks, Way, answer, settle};
use super::commit::Committed;
use super::other_branches::OtherBranch;
use super::pending::{Drift, reopen};
use super::selection::Selection;
use super::superseded::Superseded;
use super::{Stop, Workspace};
use crate::contract::{Outcome, ProposalId, Reason, Refusal};
use crate::error::{Error, ErrorKind, Result};
use crate::project::store::staging::{self, Fidelity, Queue, StagedProposal};

/// A proposal that nobody asked to land, as a person has to look at it first.
#[derive(Debug, Clone, Serialize)]
pub struct Left {
    /// Its name.
    pub proposal_id: ProposalId,
    /// When it expired, RFC 3339 UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expired_at: Option<String>,
    /// Whether it is not as it was staged.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub request_changed: bool,
    /// Whether nobody knows any more how it was staged.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub request_unknown: bool,
    /// Whether it was decided here, and somebody brought it back.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub was_decided: bool,
    /// The later proposal of the same owner that took its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    /// What became of it on branches that are not merged here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_branches: Vec<OtherBranch>,
}

/// Lands what waits, oldest first; `tell` hears of each in turn. What cannot land stays where it is and
/// stops no other. Returns what was left alone: what expired, unless it is wanted, what is not as it was staged, what is
/// superseded, and what was decided on another branch.
pub fn apply_all(
    workspace: &Workspace,
    way: &Way<'_>,
    mut tell: impl FnMut(&ProposalId, Result<(Outcome, Option<Committed>)>),
) -> Result<Vec<Left>> {
    let known = staging::names(workspace.store.layout())?.into_iter().collect();
    let queue = staging::read_queue(workspace.store.layout())?;
    let superseded = Superseded::in_queue(workspace, &queue)?;
    let mut left = Vec::new();
    for (id, error) in unreadable(&queue) {
        tell(&id, Err(error));
    }
    for staged in &queue.proposals {
        if let Some(each) = Left::of(staged, &superseded, workspace, way) {
            left.push(each);
            continue;
        }
        workspace.store.layout().git_time().begin_anew();
        let answer = answer(walk(workspace, staged, way, &known), workspace);
        let is_locked = answer.as_ref().is_err_and(|error| error.kind() == ErrorKind::LockHeld);
        tell(&staged.id, answer);
        // Each of the others would wait as long, and for nothing.
        if is_locked {
            break;
        }
    }
    Ok(left)
}

impl Left {
    /// Tells why a person has to look at a proposal first; nothing where it may land with all the others.
    fn of(
        staged: &StagedProposal,
        superseded: &Superseded,
        workspace: &Workspace,
        way: &Way<'_>,
    ) -> Option<Self> {
        let is_expired = !way.options.expired && staged.expires_at < workspace.now;
        // A commit can bring both a proposal and the setting `track`, so the setting makes it no better known.
        let is_known = staged.is_known();
        let superseded_by = superseded.by(&staged.id).map(ToString::to_string);
        let other_branches = workspace.other_branches(&staged.id);
        let is_left = is_expired || !is_known || superseded_by.is_some();
        (is_left || !other_branches.is_empty()).then(|| Self {
            proposal_id: staged.id.clone(),
            expired_at: is_expired.then(|| staged.expires_at.to_string()),
            request_changed: staged.fidelity == Fidelity::Changed,
            request_unknown: staged.fidelity == Fidelity::Unknown,
            was_decided: staged.was_decided,
            superseded_by,
            other_branches,
        })
    }

    /// Refuses what became so after the yes was said.
    fn refuse(&self) -> Box<Refusal> {
        let id = &self.proposal_id;
        let message = match &self.superseded_by {
            Some(by) => format!("`{id}` was superseded by `{by}` meanwhile"),
            None if self.was_decided => format!("`{id}` was decided meanwhile, and is back"),
            None if self.request_unknown => format!("`{id}` is not known here"),
            None => format!("`{id}` was edited meanwhile"),
        };
        let hint = format!("look at it with `agent-memory show {id}`");
        Refusal::new(Reason::ApprovalStale, message, hint)
    }
}

/// Returns the proposals that wait and cannot be read, so that nobody can say yes to them.
fn unreadable(queue: &Queue) -> impl Iterator<Item = (ProposalId, Error)> {
    queue.damaged.iter().filter_map(|each| {
        let error = Error::new(ErrorKind::StoreDamaged, each.message()).hint(each.hint());
        Some((ProposalId::parse(&each.name)?, error))
    })
}

/// Lands one of several. Whether it can is a question to its request and the files, so one that cannot
/// costs a look each time, and neither the lock nor a byte, until one of the two is another.
fn walk(
    workspace: &Workspace,
    staged: &StagedProposal,
    way: &Way<'_>,
    known: &BTreeSet<String>,
) -> std::result::Result<(Outcome, Option<Committed>), Stop> {
    if let Err(stop) = reopen(workspace, staged, &Selection::All, Drift::Refused) {
        // What another has applied, or died in the middle of, is no duplicate of itself.
        workspace.settle()?;
        still_waiting(workspace, staged)?;
        return Err(stop);
    }
    let locks = Locks::take(workspace, way)?;
    let staged = still_waiting(workspace, staged)?;
    let superseded = superseded_since(workspace, &staged, known)?;
    if let Some(left) = Left::of(&staged, &superseded, workspace, way) {
        return Err(left.refuse().into());
    }
    let (mut outcome, committed) = settle(workspace, locks, &staged, way)?;
    if matches!(outcome, Outcome::Applied(_)) {
        outcome.warn(workspace.branches_unknown().into_iter().collect());
    }
    Ok((outcome, committed))
}

/// Reads a proposal again; refuses where it waits no more.
fn still_waiting(
    workspace: &Workspace,
    staged: &StagedProposal,
) -> std::result::Result<StagedProposal, Stop> {
    staging::read_waiting(workspace.store.layout(), &staged.id)?.ok_or_else(|| {
        let message = format!("`{}` was decided meanwhile", staged.id);
        let hint = "`agent-memory log` shows what was decided";
        Refusal::new(Reason::StagingNotFound, message, hint).into()
    })
}

/// Tells what took the place of a proposal since these names were all that waited. Where there is no other, nothing did,
/// and the queue is not read again for each proposal in it.
fn superseded_since(
    workspace: &Workspace,
    staged: &StagedProposal,
    known: &BTreeSet<String>,
) -> Result<Superseded> {
    let layout = workspace.store.layout();
    if staging::names(layout)?.iter().all(|name| known.contains(name)) {
        return Ok(Superseded::default());
    }
    Superseded::around(workspace, &staging::read_queue(layout)?, staged)
}
