//! What became of the queue, at the end of a review.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::queue::Stores;
use super::session::{Decided, Session};
use crate::project::verbs::waiting_ids;
use crate::text::count;

impl Session<'_> {
    /// Says at the end what became of the queue.
    pub(super) fn say_what_was_decided(&self) {
        let number = |decided| self.decided.iter().filter(|(_, each)| *each == decided).count();
        let (applied, rejected) = (number(Decided::Applied), number(Decided::Rejected));
        let left = self.left();
        let mut said =
            format!("{applied} applied, {rejected} rejected, {} left", count(left, "proposal"));
        let elsewhere = self.queue.len() - self.decided.len() - left;
        if elsewhere > 0 {
            said += &format!(", {elsewhere} decided by somebody else");
        }
        self.talk(&said);
    }

    /// Counts what still waits: others decide too. Of a queue that cannot be read nobody can tell, and what
    /// was decided stands all the same.
    fn left(&self) -> usize {
        let open = self.queue.iter().enumerate().filter(|(at, _)| !self.is_decided(*at));
        let mut queues: BTreeMap<Option<&PathBuf>, Option<BTreeSet<String>>> = BTreeMap::new();
        let mut left = 0;
        for (_, waiting) in open {
            let queue = match queues.entry(waiting.other_root.as_ref()) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(unknown) => {
                    let stores = Stores::of(waiting, self.context).ok();
                    unknown.insert(stores.and_then(|each| waiting_ids(each.home()).ok()))
                }
            };
            let waits = queue.as_ref().is_none_or(|ids| ids.contains(&waiting.pending.id));
            left += usize::from(waits);
        }
        left
    }
}
