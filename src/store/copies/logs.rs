//! What the copies of logs say of proposals.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::contract::ProposalId;
use crate::error::Result;
use crate::store::files;
use crate::store::folder::Spot;

/// Reads the copies of logs in a folder, the oldest first.
pub(super) fn logs_in(folder: &Spot) -> Result<Vec<String>> {
    // `log.jsonl` is the youngest.
    let number = |name: &str| match name.strip_prefix("log.")?.strip_suffix("jsonl")? {
        "" => Some(u32::MAX),
        number => number.strip_suffix('.')?.parse().ok(),
    };
    let names = files::list(folder)?.into_iter();
    let mut names: Vec<_> = names.filter_map(|name| Some((number(&name)?, name))).collect();
    names.sort_unstable();
    let texts = names.iter().map(|(_, name)| files::read_text(&folder.join(name)));
    Ok(texts.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// What logs say of proposals: whether each was decided last.
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
