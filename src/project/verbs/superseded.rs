//! Which proposals that wait are superseded: the same owner said something later about the same sections.
//!
//! It is read from the queue each time, so that it ends when the later one leaves the queue.

use std::collections::BTreeMap;

use super::Workspace;
use super::pending::{question, recorded};
use crate::contract::ProposalId;
use crate::error::Result;
use crate::project::pipeline::{Claims, last_words};
use crate::project::store::staging::{Queue, StagedProposal};

/// For each proposal that is superseded, the youngest that took its place.
#[derive(Debug, Default)]
pub(super) struct Superseded(BTreeMap<ProposalId, ProposalId>);

impl Superseded {
    /// Looks at the whole queue.
    pub(super) fn in_queue(workspace: &Workspace, queue: &Queue) -> Result<Self> {
        let mut owners: BTreeMap<&str, Vec<&StagedProposal>> = BTreeMap::new();
        for each in &queue.proposals {
            // Nobody knows whether two without a name are the same.
            if let Some(owner) = &each.owner {
                owners.entry(owner).or_default().push(each);
            }
        }
        let mut superseded = Self::default();
        for proposals in owners.values() {
            superseded.add_of_owner(workspace, proposals)?;
        }
        Ok(superseded)
    }

    /// Looks at what one proposal waits with.
    pub(super) fn around(
        workspace: &Workspace,
        queue: &Queue,
        staged: &StagedProposal,
    ) -> Result<Self> {
        let is_peer = |each: &&StagedProposal| each.owner.is_some() && each.owner == staged.owner;
        let mut superseded = Self::default();
        superseded
            .add_of_owner(workspace, &queue.proposals.iter().filter(is_peer).collect::<Vec<_>>())?;
        Ok(superseded)
    }

    /// Returns what took the place of a proposal.
    pub(super) fn by(&self, id: &ProposalId) -> Option<&ProposalId> {
        self.0.get(id)
    }

    /// Adds what the proposals of one owner, oldest first, do to each other.
    fn add_of_owner(&mut self, workspace: &Workspace, proposals: &[&StagedProposal]) -> Result<()> {
        if proposals.len() < 2 {
            return Ok(());
        }
        let claims: Vec<Option<Claims>> =
            proposals.iter().map(|each| claims(workspace, each)).collect::<Result<_>>()?;
        let later = last_words(&claims, |later| proposals[later].expires_at >= workspace.now);
        let pairs = proposals.iter().zip(later);
        self.0.extend(
            pairs.filter_map(|(it, later)| Some((it.id.clone(), proposals[later?].id.clone()))),
        );
        Ok(())
    }
}

/// Returns what a proposal speaks for; none if its request cannot be read any more.
fn claims(workspace: &Workspace, staged: &StagedProposal) -> Result<Option<Claims>> {
    let rules = workspace.rules()?;
    let Ok(proposal) = question(workspace, staged) else { return Ok(None) };
    let placed = proposal.place(rules, &recorded(workspace, staged));
    Ok(placed.ok().map(|(placed, _)| proposal.claims(&placed)))
}
