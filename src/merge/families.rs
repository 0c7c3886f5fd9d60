//! Takes a section for one with all that stands in it, where one side deleted it so and the other changed some of it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::replaced::{NewParts, Work};
use super::{places, split};
use crate::markdown::Part;

/// A file and its parts.
pub(super) struct File<'a> {
    pub(super) text: &'a str,
    pub(super) parts: Vec<Part<'a>>,
}

/// Joins the parts of each section that is deleted in one file and changed in the other: what was added below it
/// would end up in the section before.
pub(super) fn join_families<'a>(
    base: &mut File<'a>,
    deleted: &[Part<'a>],
    changed: &mut File<'a>,
    work: &Work,
) {
    let kept: BTreeSet<&str> = deleted.iter().map(|part| part.key.as_str()).collect();
    let words: BTreeMap<&str, &str> =
        base.parts.iter().map(|part| (part.key.as_str(), split(part).0)).collect();
    let gone: Vec<&str> = words.keys().copied().filter(|key| !kept.contains(key)).collect();
    let new = NewParts::of(&base.parts, deleted, work);
    let (in_base, in_changed) = (places(&base.parts), places(&changed.parts));
    let (mut joined, mut joined_there) = (BTreeMap::new(), BTreeMap::new());
    for key in gone {
        let family = |parts: &[Part<'_>], places: &BTreeMap<&str, usize>| {
            let start = places.get(key).filter(|start| parts[**start].level > 0);
            start.map(|start| family(parts, *start))
        };
        let (Some(before), Some(now)) =
            (family(&base.parts, &in_base), family(&changed.parts, &in_changed))
        else {
            continue;
        };
        let mut all = base.parts[before.clone()].iter().chain(&changed.parts[now.clone()]);
        let is_changed = |part: &Part<'_>| words.get(part.key.as_str()) != Some(&split(part).0);
        let is_deleted = all.all(|part| !kept.contains(part.key.as_str()));
        if is_deleted
            && changed.parts[now.clone()].iter().any(is_changed)
            && new.replacement(&base.parts[before.start]).is_none()
        {
            joined.insert(before.start, before.end);
            joined_there.insert(now.start, now.end);
        }
    }
    base.parts = join(base, &joined);
    changed.parts = join(changed, &joined_there);
}

/// Returns which parts a section has: its own and those of the sections in it.
fn family(parts: &[Part<'_>], start: usize) -> Range<usize> {
    let level = parts[start].level;
    let inside = parts[start + 1..].iter().take_while(|part| part.level > level).count();
    start..start + 1 + inside
}

/// Returns the parts of a file with some families joined, by where they start and end; one in another goes with that.
fn join<'a>(file: &File<'a>, families: &BTreeMap<usize, usize>) -> Vec<Part<'a>> {
    let (mut parts, mut at, mut begin) = (Vec::new(), 0, 0);
    while let Some(first) = file.parts.get(at) {
        let end = families.get(&at).copied().unwrap_or(at + 1);
        // The parts are every byte of the file, in order.
        let length: usize = file.parts[at..end].iter().map(|part| part.text.len()).sum();
        parts.push(Part { text: &file.text[begin..begin + length], ..first.clone() });
        (at, begin) = (end, begin + length);
    }
    parts
}
