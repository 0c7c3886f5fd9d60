//! Finds superseded proposals: the same owner proposed something newer about the same sections.
//!
//! It is read from the queue each time, so it ends when the newer proposal leaves the queue.

use std::collections::BTreeMap;

use super::project::Project;
use super::reopen::placed;
use crate::error::Result;
use crate::project::pipeline::{Claims, last_words};
use crate::project::request::ProposalId;
use crate::project::store::staging::{Queue, StagedProposal};

/// For each superseded proposal, the newest that replaces it.
#[derive(Debug, Default)]
pub(super) struct Superseded(BTreeMap<ProposalId, ProposalId>);

impl Superseded {
    pub(super) fn in_queue(project: &Project, queue: &Queue) -> Result<Self> {
        let mut owners: BTreeMap<&str, Vec<&StagedProposal>> = BTreeMap::new();
        for each in &queue.proposals {
            // Two proposals without an owner may be of two agents.
            if let Some(owner) = &each.owner {
                owners.entry(owner).or_default().push(each);
            }
        }
        let mut superseded = Self::default();
        for proposals in owners.values() {
            superseded.add_of_owner(project, proposals)?;
        }
        Ok(superseded)
    }

    /// Compares one proposal with the others of its owner.
    pub(super) fn around(
        project: &Project,
        queue: &Queue,
        staged: &StagedProposal,
    ) -> Result<Self> {
        let is_peer = |each: &&StagedProposal| each.owner.is_some() && each.owner == staged.owner;
        let peers: Vec<&StagedProposal> = queue.proposals.iter().filter(is_peer).collect();
        let mut superseded = Self::default();
        superseded.add_of_owner(project, &peers)?;
        Ok(superseded)
    }

    pub(super) fn by(&self, id: &ProposalId) -> Option<&ProposalId> {
        self.0.get(id)
    }

    /// Compares the proposals of one owner, oldest first.
    fn add_of_owner(&mut self, project: &Project, proposals: &[&StagedProposal]) -> Result<()> {
        if proposals.len() < 2 {
            return Ok(());
        }
        let claims = |each: &&StagedProposal| {
            let placed = placed(project, each)?;
            Ok(placed.map(|(proposal, placed)| proposal.claims(&placed)))
        };
        let claims: Vec<Option<Claims>> = proposals.iter().map(claims).collect::<Result<_>>()?;
        let later = last_words(&claims, |later| proposals[later].expires_at >= project.session.now);
        let pairs = proposals.iter().zip(later);
        self.0.extend(
            pairs.filter_map(|(it, later)| Some((it.id.clone(), proposals[later?].id.clone()))),
        );
        Ok(())
    }
}
