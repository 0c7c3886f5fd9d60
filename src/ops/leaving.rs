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
        // Somebody may have written a secret into it, in letters or as JSON can say them; some are known only beside
        // their name, others only without the escapes that a string takes.
        let is_fit = |text: &str| {
            let is_clean = |text: &str| self.scanner.scan(text).is_empty();
            let read = read_json(text)
                .is_ok_and(|value| is_clean(&value.to_string()) && cleaned(&value, self) == value);
            read && is_clean(text)
        };
        let is_tracked = self.config.staging.track;
        let kept = is_tracked.then(|| staging::keep(layout, id, is_fit)).flatten();
        std::iter::once(staging::retire(layout, id)).chain(kept).collect()
    }

    /// Returns the steps that decide a proposal; where the queue is kept in git, one of them tells the other branches.
    pub(super) fn decide(&self, id: &ProposalId, decision: &str) -> Vec<Step> {
        let mut steps = self.leave_queue(id);
        steps.extend(self.config.staging.track.then(|| staging::mark(id, decision)));
        steps
    }
}
