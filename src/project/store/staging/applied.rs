//! Reads proposals that were applied while others were pending: an older one of the same owner stays superseded.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::proposal::StagedProposal;
use super::queue::Queue;
use super::read::read_all_decided;
use crate::contract::Moment;
use crate::error::Result;
use crate::project::request::ProposalId;
use crate::project::store::layout::Layout;

/// A proposal that was applied, and not undone since.
#[derive(Debug)]
pub(crate) struct AppliedProposal {
    pub(crate) proposal: StagedProposal,
    /// The operations that were applied, if a person chose only some.
    pub(crate) operations: Option<Vec<usize>>,
}

/// Reads what the owners of some pending proposals had applied since the oldest of them, here or on a merged branch.
pub(crate) fn read_applied(
    layout: &Layout,
    queue: &Queue,
    pending: &[&StagedProposal],
) -> Result<Vec<AppliedProposal>> {
    let owners: BTreeSet<&str> = pending.iter().filter_map(|each| each.owner.as_deref()).collect();
    let Some(since) = pending.iter().map(|each| each.submitted_at).min() else {
        return Ok(Vec::new());
    };
    // The log does not say when a proposal of another clone came.
    let mark = pending.iter().map(|each| each.arrival.unwrap_or_default()).min();
    let lines = applied_since(layout, mark.unwrap_or_default())?;
    let is_own = |line: &Value| line["owner"].as_str().is_some_and(|owner| owners.contains(owner));
    let here = lines.iter().filter(|(_, line)| is_own(line));
    let here = here.map(|(id, line)| (id.clone(), line["request"].as_str().map(str::to_owned)));
    let mut wanted: BTreeMap<ProposalId, Option<String>> = applied_elsewhere(queue, since);
    wanted.extend(here.filter(|(_, hash)| hash.is_some()));
    let found = read_all_decided(layout, &wanted)?.into_iter();
    let found = found.filter(|it| it.owner.as_deref().is_some_and(|it| owners.contains(it)));
    Ok(found
        .map(|proposal| AppliedProposal {
            operations: lines.get(&proposal.id).and_then(chosen_operations),
            proposal,
        })
        .collect())
}

/// Returns the lines of the log behind a mark that say of a proposal that it was applied, where that is the last word.
fn applied_since(layout: &Layout, mark: u64) -> Result<BTreeMap<ProposalId, Value>> {
    let mut last = BTreeMap::new();
    for line in layout.signed_log().read_since(mark)? {
        let id = line["id"].as_str().and_then(ProposalId::parse);
        // The decision about what was cleared from the queue came before.
        if let Some(id) = id.filter(|_| line["decision"] != "cleared") {
            last.entry(id).or_insert(line);
        }
    }
    last.retain(|_, line| line["decision"] == "applied" || line["decision"] == "moved");
    Ok(last)
}

/// Returns what git says was applied, in proposals that were made since a time; which operations is not known.
fn applied_elsewhere(queue: &Queue, since: Moment) -> BTreeMap<ProposalId, Option<String>> {
    let decided = queue.decided.iter().chain(&queue.settled);
    let applied = decided.filter(|each| each.decision.starts_with("applied"));
    let later = applied.filter(|each| each.id.submitted_at().is_some_and(|time| time >= since));
    later.map(|each| (each.id.clone(), None)).collect()
}

/// Returns the operations that a line of the log says were applied, numbered from 0; none where these are all.
pub(crate) fn chosen_operations(line: &Value) -> Option<Vec<usize>> {
    let numbers = line["operations"].as_array()?;
    Some(numbers.iter().filter_map(|number| usize::try_from(number.as_u64()?).ok()).collect())
}
