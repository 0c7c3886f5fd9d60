//! What logs say of proposals.

use std::collections::BTreeMap;

use serde_json::Value;

use super::adoption::ADOPTED;
use crate::contract::ProposalId;

/// Whether each proposal was decided last, or came in.
#[derive(Debug)]
pub(super) struct Decisions(BTreeMap<String, bool>);

impl Decisions {
    pub(super) fn of(entries: &[Value]) -> Self {
        let mut decisions = Self(BTreeMap::new());
        decisions.add(entries);
        decisions
    }

    /// Adds the lines of another log, oldest first. What was decided in one was decided.
    pub(super) fn add(&mut self, entries: &[Value]) {
        let mut last: BTreeMap<&str, bool> = BTreeMap::new();
        for entry in entries {
            let is_pending = entry["decision"] == "staged" || entry["decision"] == "restored";
            // What another machine signed says nothing about what is pending here.
            if is_pending && !entry[ADOPTED].is_null() {
                continue;
            }
            last.extend(entry["id"].as_str().map(|id| (id, !is_pending)));
        }
        for (id, is_decided) in last {
            *self.0.entry(id.to_owned()).or_default() |= is_decided;
        }
    }

    pub(super) fn has_decided(&self, id: &ProposalId) -> bool {
        self.0.get(id.as_str()).is_some_and(|is_decided| *is_decided)
    }
}
