//! Counts at the end of a review what became of the queue.

use super::queue::{Queued, Stores};
use super::state::{Review, ReviewDecision};
use crate::project::verbs::pending_ids;
use crate::text::count;

impl Review<'_> {
    pub(super) fn print_tally(&self) {
        let number = |decided| self.decided.iter().filter(|(_, each)| *each == decided).count();
        let (applied, rejected) =
            (number(ReviewDecision::Applied), number(ReviewDecision::Rejected));
        let left = self.left();
        let mut said =
            format!("{applied} applied, {rejected} rejected, {} left", count(left, "proposal"));
        let elsewhere = self.queue.len() - self.decided.len() - left;
        if elsewhere > 0 {
            said += &format!(", {elsewhere} decided by others");
        }
        self.talk(&said);
    }

    /// Counts what is still pending, as other reviewers decide too. A queue that cannot be read counts as unchanged.
    fn left(&self) -> usize {
        let all = self.queue.iter().enumerate();
        let open: Vec<&Queued> =
            all.filter(|(at, _)| !self.is_decided(*at)).map(|(_, queued)| queued).collect();
        let groups = open.chunk_by(|one, other| one.other_root == other.other_root);
        let left_in = |group: &[&Queued]| {
            let stores = Stores::of(group[0], self.context).ok();
            let ids = stores.and_then(|stores| pending_ids(stores.home()).ok());
            let is_pending =
                |each: &&&Queued| ids.as_ref().is_none_or(|ids| ids.contains(&each.pending.id));
            group.iter().filter(is_pending).count()
        };
        groups.map(left_in).sum()
    }
}
