//! Finds deleted words that a merge would bring back.
//!
//! The letters of lines are compared, wherever lines end. A merged text is a conflict if it holds
//! 1. a line that one side deleted and the other did not add itself,
//! 2. twice a line that all three versions have once, or
//! 3. a line that one side wrote in place of one that is gone on both sides, and that resembles it.

use std::collections::{BTreeMap, BTreeSet};

use similar::{DiffOp, TextDiff};

use super::words::{Sought, Words};
use crate::markdown::{FilePart, line_letters};
use crate::text::are_alike;

/// What may not stand in what is merged without a conflict.
pub(super) struct DeletedLines {
    /// One side has it nowhere any more, and the other added none itself.
    gone: BTreeSet<String>,
    /// All three have it once as a line, so that it may not come twice.
    unique: BTreeSet<String>,
    /// All three have it once, and not each as a line of its own.
    unique_within: BTreeSet<String>,
    /// What one side wrote where a line was that neither side has any more.
    replacements: BTreeSet<String>,
}

impl DeletedLines {
    pub(super) fn of(texts: [&str; 3], files: [&[FilePart<'_>]; 3]) -> Self {
        let files = files.map(sections);
        let lines = files.each_ref().map(|sections| count_lines(sections.values()));
        let [base, ours, theirs] = &lines;
        let is_line = |line: &&String| ours.contains_key(*line) && theirs.contains_key(*line);
        // Most lines are as they were, and need no search through the texts.
        let (left, sought): (Vec<&String>, Vec<&String>) = base.keys().copied().partition(is_line);
        let is_once = |line: &&String| lines.iter().all(|lines| lines[*line] == 1);
        let unique = left.into_iter().filter(is_once).cloned().collect();
        let search = Sought::of(sought.iter().copied());
        let found = files.each_ref().map(|sections| find(&search, sections));
        let (mut gone, mut unique_within) = (BTreeSet::new(), BTreeSet::new());
        let mut lost = BTreeSet::new();
        let nowhere = LinePlaces::new();
        for line in sought {
            let [before, ours, theirs] =
                found.each_ref().map(|found| found.get(line.as_str()).unwrap_or(&nowhere));
            let now = [ours, theirs].map(total);
            if now.contains(&0) && !is_added(before, ours) && !is_added(before, theirs) {
                gone.insert(line.clone());
            } else if total(before) == 1 && now == [1, 1] {
                unique_within.insert(line.clone());
            }
            if now == [0, 0] {
                lost.insert(line.as_str());
            }
        }
        Self { gone, unique, unique_within, replacements: replacements(texts, &lost, &files) }
    }

    /// Tells for each of some merged texts whether something stands there that may not.
    pub(super) fn come_back<'t>(&self, merged: impl Iterator<Item = &'t str>) -> Vec<bool> {
        let merged: Vec<Words> = merged.map(Words::of).collect();
        let lines = count_lines(&merged);
        let as_lines = self.unique.iter().filter(|line| lines.get(line).is_some_and(|it| *it > 1));
        let search = Sought::of(&self.unique_within);
        let mut within: BTreeMap<&str, usize> = BTreeMap::new();
        for (line, count) in merged.iter().flat_map(|words| search.count(words)) {
            *within.entry(line).or_default() += count;
        }
        let is_twice = |line: &&String| within.get(line.as_str()).is_some_and(|it| *it > 1);
        let within = self.unique_within.iter().filter(is_twice);
        let wrong = Sought::of(self.gone.iter().chain(as_lines).chain(within));
        let is_replacement =
            |words: &Words| words.lines.keys().any(|line| self.replacements.contains(line));
        merged.iter().map(|words| wrong.is_in(words) || is_replacement(words)).collect()
    }
}

/// The words of each section, by its name.
type SectionWords<'f> = BTreeMap<&'f str, Words>;

/// How many times a line stands in each section that has it.
type LinePlaces<'f> = BTreeMap<&'f str, usize>;

fn sections<'f>(parts: &'f [FilePart<'_>]) -> SectionWords<'f> {
    parts.iter().map(|part| (part.key.as_str(), Words::of(part.text))).collect()
}

fn count_lines<'w>(all: impl IntoIterator<Item = &'w Words>) -> BTreeMap<&'w String, usize> {
    let mut counts = BTreeMap::new();
    for (line, count) in all.into_iter().flat_map(|words| &words.lines) {
        *counts.entry(line).or_default() += count;
    }
    counts
}

fn find<'l, 'f>(
    search: &Sought<'l>,
    sections: &SectionWords<'f>,
) -> BTreeMap<&'l str, LinePlaces<'f>> {
    let mut found: BTreeMap<&str, LinePlaces<'_>> = BTreeMap::new();
    for (name, words) in sections {
        for (line, count) in search.count(words) {
            found.entry(line).or_default().insert(name, count);
        }
    }
    found
}

fn total(places: &LinePlaces<'_>) -> usize {
    places.values().sum()
}

/// Tells whether a side wrote a line itself once more: it left those that there were in their sections. Else it may have
/// moved one of them and doubled it.
fn is_added(before: &LinePlaces<'_>, now: &LinePlaces<'_>) -> bool {
    let is_left = |(name, count): (&&str, &usize)| now.get(name).is_some_and(|now| now >= count);
    total(now) > total(before) && before.iter().all(is_left)
}

/// Returns the lines that a side alone has in place of lost ones that they are like.
fn replacements(
    [base, ours, theirs]: [&str; 3],
    lost: &BTreeSet<&str>,
    [in_base, in_ours, in_theirs]: &[SectionWords<'_>; 3],
) -> BTreeSet<String> {
    if lost.is_empty() {
        return BTreeSet::new();
    }
    let mut replacements = BTreeSet::new();
    for (side, other) in [(ours, in_theirs), (theirs, in_ours)] {
        let mut lines = replaced([base, side], lost);
        let search = Sought::of(&lines);
        let elsewhere = in_base.values().chain(other.values());
        let elsewhere = elsewhere.flat_map(|words| search.count(words));
        let elsewhere: BTreeSet<String> = elsewhere.map(|(line, _)| line.to_owned()).collect();
        lines.retain(|line| !elsewhere.contains(line));
        replacements.extend(lines);
    }
    replacements
}

fn replaced([base, side]: [&str; 2], lost: &BTreeSet<&str>) -> Vec<String> {
    let diff = TextDiff::from_lines(base, side);
    let mut replaced = Vec::new();
    for op in diff.ops() {
        let DiffOp::Replace { .. } = op else { continue };
        let old = op.old_range().filter_map(|index| diff.old_slice(index)).map(line_letters);
        let old: Vec<String> = old.filter(|line| lost.contains(line.as_str())).collect();
        let new = op.new_range().filter_map(|index| diff.new_slice(index)).map(line_letters);
        let new: Vec<String> = new.filter(|line| !line.is_empty()).collect();
        let is_large = old.len() * new.len() > MOST_PAIRS;
        let is_like = |new: &String| old.iter().any(|old| is_large || is_changed(old, new));
        replaced.extend(new.into_iter().filter(is_like));
    }
    replaced
}

/// Pairs of lines that are compared; of more, each is taken for a changed one.
const MOST_PAIRS: usize = 1_000;

/// Tells whether a line may be what became of another one.
fn is_changed(old: &str, new: &str) -> bool {
    are_alike(old, new) || (old.len() >= 4 && new.contains(old))
}
