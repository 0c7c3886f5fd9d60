//! `log --unreviewed`: what was applied without a person's look since a person last asked for it.

use serde::Serialize;
use serde_json::Value;

use super::log::last_of;
use super::project::Project;
use crate::contract::Moment;
use crate::error::Result;
use crate::project::store::{Looked, looked, note_looked};

/// What was applied without review, newest first.
pub(crate) struct Unreviewed {
    pub(crate) decisions: Vec<Value>,
    /// When a person last looked.
    pub(crate) since: Option<Moment>,
    /// The end of the log when this was read: what is applied later was not seen.
    end: u64,
}

/// How many changes were applied without review.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[schemars(inline)]
pub struct UnreviewedCount {
    /// How many there are.
    pub changes: usize,
    /// When a person last looked, RFC 3339 UTC; absent if no person has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub since: Option<Moment>,
}

pub(crate) fn unreviewed(project: &Project) -> Result<Unreviewed> {
    let layout = project.store.layout();
    let known = looked(layout)?;
    let end = layout.signed_log().length()?;
    let mut decisions = layout.signed_log().read_since(known.map_or(0, |known| known.mark))?;
    decisions.reverse();
    let last = last_of(&decisions);
    let stands = |entry: &Value| {
        let last = entry["id"].as_str().and_then(|id| last.get(id));
        last.is_some_and(|last| last.decision == "applied")
    };
    decisions.retain(|entry| {
        entry["decision"] == "applied" && entry["approver"].is_null() && stands(entry)
    });
    decisions.reverse();
    Ok(Unreviewed { decisions, since: known.map(|known| known.time), end })
}

/// Counts the same; none where there is nothing.
pub(super) fn count_unreviewed(project: &Project) -> Result<Option<UnreviewedCount>> {
    let Unreviewed { decisions, since, .. } = unreviewed(project)?;
    let changes = decisions.len();
    Ok((changes > 0).then_some(UnreviewedCount { changes, since }))
}

/// Remembers that a person has seen them. Where it cannot be written, they are shown again.
pub(crate) fn seen_by_person(project: &Project, seen: &Unreviewed) {
    if project.config.newer.is_some() {
        return;
    }
    let looked = Looked { mark: seen.end, time: project.session.now };
    let _ = note_looked(project.store.layout(), looked);
}
