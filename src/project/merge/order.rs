//! Finds an order for the parts of two files that keeps each side's own.

use std::collections::{BTreeMap, BTreeSet};

use super::part_text::places;
use crate::markdown::FilePart;

/// Returns every part of either side once, in an order that does not depend on which side is which.
pub(super) fn merge_order<'p, 'a>(
    base: &'p [FilePart<'a>],
    ours: &'p [FilePart<'a>],
    theirs: &'p [FilePart<'a>],
) -> Vec<&'p FilePart<'a>> {
    let keys = |parts: &'p [FilePart<'a>]| -> BTreeSet<&'p str> {
        parts.iter().map(|part| part.key.as_str()).collect()
    };
    let common: BTreeSet<&str> = keys(ours).intersection(&keys(theirs)).copied().collect();
    let order = |parts: &'p [FilePart<'a>]| -> Vec<&'p str> {
        parts.iter().map(|part| part.key.as_str()).filter(|key| common.contains(key)).collect()
    };
    // The side that moved sections decides the order; if both did, ours does.
    let moved = order(ours) != order(base);
    let (lead, other) = if moved { (ours, theirs) } else { (theirs, ours) };
    let (lead_places, other_places) = (places(lead), places(other));
    let runs_behind = |key: Option<&str>| {
        side_by_side(
            run_behind(key, lead, &lead_places, &common),
            run_behind(key, other, &other_places, &common),
        )
    };
    let mut merged = Vec::new();
    let mut placed = BTreeSet::new();
    let mut add = |parts: Vec<&'p FilePart<'a>>| {
        merged.extend(parts.into_iter().filter(|part| placed.insert(part.key.as_str())));
    };
    add(runs_behind(None));
    for part in lead.iter().filter(|part| common.contains(part.key.as_str())) {
        add(vec![part]);
        add(runs_behind(Some(part.key.as_str())));
    }
    merged
}

/// Returns the parts of one side alone that stand behind a common one, or first.
fn run_behind<'p, 'a>(
    key: Option<&str>,
    parts: &'p [FilePart<'a>],
    places: &BTreeMap<&str, usize>,
    common: &BTreeSet<&str>,
) -> Vec<&'p FilePart<'a>> {
    let start = match key {
        None => Some(0),
        Some(key) => places.get(key).map(|at| at + 1),
    };
    let behind = parts[start.unwrap_or(parts.len())..].iter();
    behind.take_while(|part| !common.contains(part.key.as_str())).collect()
}

/// Puts two runs behind the same part: what belongs to that part first, or it would belong to another.
fn side_by_side<'p, 'a>(
    one: Vec<&'p FilePart<'a>>,
    other: Vec<&'p FilePart<'a>>,
) -> Vec<&'p FilePart<'a>> {
    if one.is_empty() || other.is_empty() {
        return [one, other].concat();
    }
    let level = one.iter().chain(&other).map(|part| part.level).min().unwrap_or(0);
    let split = |run: &[&'p FilePart<'a>]| {
        let at = run.iter().position(|part| part.level == level).unwrap_or(run.len());
        (run[..at].to_vec(), run[at..].to_vec())
    };
    let ((deep, shallow), (other_deep, other_shallow)) = (split(&one), split(&other));
    let first_key = |run: &[&FilePart<'_>]| run.first().map(|part| part.key.clone());
    let mut shallow = [shallow, other_shallow];
    shallow.sort_by_key(|run| first_key(run));
    [side_by_side(deep, other_deep), shallow.concat()].concat()
}
