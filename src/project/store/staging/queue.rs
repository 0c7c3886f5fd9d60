//! The queue: all pending proposals, and how one of them is found.

use super::decided::{DecidedProposal, Disputed};
use super::proposal::StagedProposal;
use crate::project::request::{Answer, ProposalId, Reason, Refusal};

/// The content of `staging/`.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    /// Oldest first.
    pub(crate) proposals: Vec<StagedProposal>,
    /// Folders without a readable proposal.
    pub(crate) damaged: Vec<Damaged>,
    /// Decided on another branch, and not offered again.
    pub(crate) decided: Vec<DecidedProposal>,
    /// Decided on any branch or machine, and no longer in the queue.
    pub(crate) settled: Vec<DecidedProposal>,
    /// What of a proposal one branch applied and another rejected.
    pub(crate) disputed: Vec<(ProposalId, Disputed)>,
}

/// A folder without a readable proposal.
#[derive(Debug)]
pub(crate) struct Damaged {
    pub(crate) name: String,
    pub(crate) why: String,
}

impl Damaged {
    pub(crate) fn message(&self) -> String {
        format!("`staging/{}` cannot be read: {}", self.name, self.why)
    }

    pub(crate) fn hint(&self) -> String {
        format!("look at `staging/{}` and move it away", self.name)
    }
}

impl Queue {
    /// Returns a message with a hint for each damaged folder.
    pub(crate) fn unreadable(&self) -> impl Iterator<Item = String> {
        let told =
            |damaged: &Damaged| format!("{}; look at it and move it away", damaged.message());
        self.damaged.iter().map(told)
    }
}

impl Queue {
    /// Finds a proposal by its full id, a unique prefix or a unique part.
    pub(crate) fn find(&self, wanted: &str) -> Answer<&StagedProposal> {
        let ids: Vec<&ProposalId> = self.proposals.iter().map(|each| &each.id).collect();
        let hint =
            "`agent-memory status` lists what is pending, `agent-memory log` what was decided";
        let id = choose(&ids, wanted, "no pending proposal", hint).map_err(|refusal| {
            if refusal.reason != Reason::StagingNotFound {
                return refusal;
            }
            let decided = self.refuse_decided(wanted);
            decided.or_else(|| self.refuse_settled(wanted)).unwrap_or(refusal)
        })?;
        Ok(self.proposals.iter().find(|each| each.id == *id).expect("it is one of their ids"))
    }

    /// Refuses a proposal that was decided on another branch.
    pub(crate) fn refuse_decided(&self, wanted: &str) -> Option<Box<Refusal>> {
        let DecidedProposal { id, decision } = DecidedProposal::find(&self.decided, wanted)?;
        let message = format!("`{id}` was {decision} on another branch");
        let hint = "`agent-memory sweep` takes it out of the queue";
        Some(Refusal::new(Reason::StagingNotFound, message, hint))
    }

    /// Refuses a proposal that was decided anywhere, as far as the store knows.
    fn refuse_settled(&self, wanted: &str) -> Option<Box<Refusal>> {
        let DecidedProposal { id, decision } = DecidedProposal::find(&self.settled, wanted)?;
        let message = format!("`{id}` was {decision}, and is no longer pending");
        let hint = format!("`git log -- '*decided/{id}.*'` says when and by whom");
        Some(Refusal::new(Reason::StagingNotFound, message, hint))
    }

    /// Returns a message for each disputed proposal.
    pub(crate) fn disputes(&self) -> impl Iterator<Item = String> {
        self.disputed.iter().map(|(id, disputed)| disputed.told(id))
    }

    /// Returns the newest proposal.
    pub(crate) fn latest(&self) -> Answer<&StagedProposal> {
        self.proposals.last().ok_or_else(|| {
            let hint = "`agent-memory log` shows what was decided";
            Refusal::new(Reason::StagingNotFound, "nothing is pending", hint)
        })
    }
}

/// Finds the id that a person means; `none` and the hint are for a miss.
pub(crate) fn choose<'i>(
    ids: &[&'i ProposalId],
    wanted: &str,
    none: &str,
    hint: &str,
) -> Answer<&'i ProposalId> {
    let shown = crate::text::visible(wanted);
    ProposalId::choose(ids, wanted).map_err(|fitting| match fitting.as_slice() {
        [] => {
            let message = format!("{none} is called `{shown}`");
            Refusal::new(Reason::StagingNotFound, message, hint)
        }
        several => {
            let names: Vec<&str> = several.iter().map(|id| id.as_str()).collect();
            let message = format!("`{shown}` fits {} proposals: {}", names.len(), names.join(", "));
            Refusal::new(Reason::StagingAmbiguous, message, "give more of the id")
        }
    })
}
