//! Finds superseded proposals: the same owner proposed something newer about the same sections.
//!
//! It is read from the queue and from what was applied, each time: it ends when the newer proposal is rejected, undone or
//! expires.

use std::collections::BTreeMap;

use super::project::Project;
use super::reopen::placed;
use crate::error::Result;
use crate::project::pipeline::{Claims, last_words};
use crate::project::request::ProposalId;
use crate::project::store::staging::{self, AppliedProposal, Queue, StagedProposal};

/// For each superseded proposal, the newest that replaces it.
#[derive(Debug, Default)]
pub(super) struct Superseded(BTreeMap<ProposalId, Successor>);

/// A proposal that replaces an older one.
#[derive(Debug)]
pub(super) struct Successor {
    pub(super) id: ProposalId,
    /// Whether it was applied; else it is pending.
    pub(super) is_applied: bool,
}

/// A proposal of one owner, pending or applied.
struct OwnProposal<'a> {
    staged: &'a StagedProposal,
    is_applied: bool,
    /// The operations that were applied, if not all.
    operations: Option<&'a [usize]>,
}

impl Superseded {
    pub(super) fn in_queue(project: &Project, queue: &Queue) -> Result<Self> {
        // Two proposals without an owner may be of two agents.
        Self::among(project, queue, |each| each.owner.is_some())
    }

    /// Compares one proposal with the others of its owner.
    pub(super) fn around(
        project: &Project,
        queue: &Queue,
        staged: &StagedProposal,
    ) -> Result<Self> {
        Self::among(project, queue, |each| each.owner.is_some() && each.owner == staged.owner)
    }

    fn among(
        project: &Project,
        queue: &Queue,
        is_meant: impl Fn(&StagedProposal) -> bool,
    ) -> Result<Self> {
        let pending: Vec<_> = queue.proposals.iter().filter(|each| is_meant(each)).collect();
        let applied = staging::read_applied(project.store.layout(), queue, &pending)?;
        let mut owners: BTreeMap<_, Vec<OwnProposal<'_>>> = BTreeMap::new();
        let pending = pending.into_iter().map(OwnProposal::pending);
        for each in pending.chain(applied.iter().map(OwnProposal::applied)) {
            owners.entry(&each.staged.owner).or_default().push(each);
        }
        let mut superseded = Self::default();
        for proposals in owners.into_values() {
            superseded.add_of_owner(project, proposals)?;
        }
        Ok(superseded)
    }

    pub(super) fn by(&self, id: &ProposalId) -> Option<&Successor> {
        self.0.get(id)
    }

    fn add_of_owner(&mut self, project: &Project, proposals: Vec<OwnProposal<'_>>) -> Result<()> {
        if proposals.len() < 2 {
            return Ok(());
        }
        let proposals = staging::in_order(proposals, |each| each.staged);
        let claims = proposals.iter().map(|each| each.claims(project));
        let claims: Vec<Option<Claims>> = claims.collect::<Result<_>>()?;
        let now = project.session.now;
        let is_open = |later: usize| {
            let OwnProposal { staged, is_applied, .. } = proposals[later];
            // What came with git and says that it is of the future would be the newest for ever.
            let is_made = staged.arrival.is_some() || staged.submitted_at <= now;
            is_made && (is_applied || staged.expires_at >= now)
        };
        let later = last_words(&claims, is_open);
        let pairs = proposals.iter().zip(later).filter(|(each, _)| !each.is_applied);
        self.0.extend(pairs.filter_map(|(each, later)| {
            let OwnProposal { staged, is_applied, .. } = proposals[later?];
            Some((each.staged.id.clone(), Successor { id: staged.id.clone(), is_applied }))
        }));
        Ok(())
    }
}

impl Successor {
    /// Says what became of it.
    pub(super) fn state(&self) -> &'static str {
        if self.is_applied { "which was applied" } else { "which is still pending" }
    }
}

impl<'a> OwnProposal<'a> {
    fn pending(staged: &'a StagedProposal) -> Self {
        Self { staged, is_applied: false, operations: None }
    }

    fn applied(applied: &'a AppliedProposal) -> Self {
        let AppliedProposal { proposal, operations } = applied;
        Self { staged: proposal, is_applied: true, operations: operations.as_deref() }
    }

    fn claims(&self, project: &Project) -> Result<Option<Claims>> {
        let claims = claims_of(project, self.staged)?;
        Ok(claims.map(|claims| match self.operations {
            Some(operations) => claims.only(operations),
            None => claims,
        }))
    }
}

/// Returns which sections a pending proposal is about; none if its request is not valid any more.
pub(super) fn claims_of(project: &Project, staged: &StagedProposal) -> Result<Option<Claims>> {
    let placed = placed(project, staged)?;
    Ok(placed.map(|(proposal, placed)| proposal.claims(&placed)))
}
