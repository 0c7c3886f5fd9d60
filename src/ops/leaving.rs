//! How a proposal leaves the queue, also where that is kept in git.

use super::Workspace;
use super::show::cleaned;
use crate::contract::ProposalId;
use crate::pipeline::read_json;
use crate::store::Step;
use crate::store::staging;

impl Workspace {
    /// Returns the steps by which a proposal leaves the queue; nothing of it is deleted.
    pub(super) fn leave_queue(&self, id: &ProposalId) -> Vec<Step> {
        let layout = self.store.layout();
        let is_tracked = self.config.staging.track;
        let keep = || staging::keep(layout, id, |text| self.is_fit_to_copy(text));
        let kept = is_tracked.then(keep).flatten();
        std::iter::once(staging::retire(layout, id)).chain(kept).collect()
    }

    /// Tells whether a `proposal.json` holds no secret: somebody may have written one into it, in letters or as JSON can
    /// say them. What was let pass when it was proposed passes here.
    pub(super) fn is_fit_to_copy(&self, text: &str) -> bool {
        read_json(text).is_ok_and(|value| cleaned(&value, self) == value)
    }

    /// Returns the steps that decide a proposal; where the queue is kept in git, one of them tells the other branches.
    pub(super) fn decide(&self, id: &ProposalId, decision: &str) -> Vec<Step> {
        let mut steps = self.leave_queue(id);
        if self.config.staging.track {
            steps.extend(staging::steady(self.store.layout()));
            steps.push(staging::mark(id, decision));
        }
        steps
    }
}
