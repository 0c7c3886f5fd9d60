//! Takes a section for one with all that stands in it, where one side deleted it so and the other changed some of it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::replaced::replacement;
use super::split;
use crate::markdown::Part;

/// A file and its parts.
pub(super) struct File<'a> {
    pub(super) text: &'a str,
    pub(super) parts: Vec<Part<'a>>,
}

/// Joins the parts of each section that is deleted in one file and changed in the other: what was added below it
/// would end up in the section before.
pub(super) fn join_families<'a>(base: &mut File<'a>, deleted: &[Part<'a>], changed: &mut File<'a>) {
    let kept: BTreeSet<&str> = deleted.iter().map(|part| part.key.as_str()).collect();
    let words: BTreeMap<String, &str> =
        base.parts.iter().map(|part| (part.key.clone(), split(part).0)).collect();
    let keys: Vec<String> =
        words.keys().filter(|key| !kept.contains(key.as_str())).cloned().collect();
    for key in keys {
        let (Some(before), Some(now)) = (family(base, &key), family(changed, &key)) else {
            continue;
        };
        let mut all = base.parts[before.clone()].iter().chain(&changed.parts[now.clone()]);
        let is_changed = |part: &Part<'_>| words.get(&part.key) != Some(&split(part).0);
        let is_deleted = all.all(|part| !kept.contains(part.key.as_str()));
        if is_deleted
            && changed.parts[now.clone()].iter().any(is_changed)
            && replacement(&base.parts[before.start], &base.parts, deleted).is_none()
        {
            join(base, before);
            join(changed, now);
        }
    }
}

/// Returns which parts a section has: its own and those of the sections in it.
fn family(file: &File<'_>, key: &str) -> Option<Range<usize>> {
    let start = file.parts.iter().position(|part| part.level > 0 && part.key == key)?;
    let level = file.parts[start].level;
    let inside = file.parts[start + 1..].iter().take_while(|part| part.level > level).count();
    Some(start..start + 1 + inside)
}

fn join(file: &mut File<'_>, family: Range<usize>) {
    let length = |parts: &[Part<'_>]| -> usize { parts.iter().map(|part| part.text.len()).sum() };
    // The parts are every byte of the file, in order.
    let start = length(&file.parts[..family.start]);
    let end = start + length(&file.parts[family.clone()]);
    file.parts[family.start].text = &file.text[start..end];
    file.parts.drain(family.start + 1..family.end);
}
