//! What all steps of one recall work with.

use crate::contract::Timestamp;
use crate::service::recall::ContextHints;
use crate::service::request::{Memory, RecallRequest};
use crate::service::sqlite::{TagFilter, TenantView};
use crate::service::tags::{canonical, prefixes};
use crate::service::verbs::session::ServiceSession;

/// One recall, in one view of the database.
pub(super) struct RecallTask<'r> {
    pub(super) session: &'r ServiceSession,
    pub(super) view: &'r TenantView<'r>,
    pub(super) request: &'r RecallRequest,
    pub(super) hints: ContextHints,
}

impl RecallTask<'_> {
    /// Returns the wanted tags; none where any will do.
    pub(super) fn tag_filter(&self) -> Option<TagFilter> {
        let tags = self.request.tags.clone();
        let (all, exact) = (self.request.tags_all, self.request.tags_exact);
        (!tags.is_empty()).then_some(TagFilter { tags, all, exact })
    }

    /// Returns how recent a time is, 0 to 1.
    pub(super) fn recency(&self, time: Timestamp) -> f64 {
        let age = time.days_until(self.session.now).max(0.0);
        self.session.store.settings.recall.recency.at(age)
    }

    /// Tells whether a memory is in the stretch of time, and has no type and none of the tags that are not wanted.
    pub(super) fn is_wanted(&self, memory: &Memory) -> bool {
        let time = memory.said.timestamp;
        if self.session.store.settings.recall.excluded_types.contains(&memory.said.kind) {
            return false;
        }
        let is_in_time = self.request.window.is_none_or(|window| window.holds(time));
        let derived = memory.derived_tags();
        let tags = prefixes(memory.said.tags.iter().chain(&derived).map(String::as_str));
        let is_excluded =
            self.request.exclude_tags.iter().any(|tag| tags.contains(&canonical(tag)));
        is_in_time && !is_excluded
    }
}
