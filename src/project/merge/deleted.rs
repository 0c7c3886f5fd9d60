//! Finds words that a merge would bring back: one side deleted them, and the other put them elsewhere or changed them.
//!
//! Compared are the words that a reader sees of a line, next to each other and in their order, wherever lines end. Those
//! that one side has nowhere any more, and the other not more often than before, may not stand in what is merged, nor may
//! those twice that all have once. Where neither side has a line any more, it may not be merged what one side alone wrote
//! instead and what is like it.

use std::collections::{BTreeMap, BTreeSet};

use similar::{DiffOp, TextDiff};

use crate::markdown::line_letters;
use crate::text::{are_alike, occurrences};

/// What may not stand in what is merged without a conflict.
pub(super) struct DeletedLines {
    /// One side has it nowhere any more, and the other as often as before or less.
    gone: BTreeSet<String>,
    /// All three have it once, so that it may not come twice; as a line, or else somewhere.
    once: BTreeMap<String, bool>,
    /// What one side wrote where a line was that neither side has any more.
    instead: BTreeSet<String>,
}

/// Fewer bytes than this are too common to be looked for inside of lines: they count as a whole line alone.
const SHORT: usize = 12;

impl DeletedLines {
    pub(super) fn of(texts: [&str; 3]) -> Self {
        let files = texts.map(Words::of);
        let [base, ours, theirs] = &files;
        let (mut gone, mut once, mut lost) = (BTreeSet::new(), BTreeMap::new(), BTreeSet::new());
        for (line, before) in &base.lines {
            // Most lines are as they were, and need no search through the texts.
            let is_line = [ours, theirs].iter().all(|side| side.lines.contains_key(line));
            let count = |words: &Words| if is_line { words.lines[line] } else { words.count(line) };
            let before = if is_line { *before } else { base.count(line) };
            let now = [ours, theirs].map(count);
            // A side that has more of them wrote them itself.
            if now.contains(&0) && now.iter().all(|count| *count <= before) {
                gone.insert(line.clone());
            } else if before == 1 && now == [1, 1] {
                once.insert(line.clone(), is_line);
            }
            if now == [0, 0] {
                lost.insert(line.as_str());
            }
        }
        let instead = [(1, 2), (2, 1)]
            .into_iter()
            .flat_map(|(side, other)| replaced([texts[0], texts[side]], &lost, &files[other]));
        let instead = instead.filter(|line| base.count(line) == 0).collect();
        Self { gone, once, instead }
    }

    /// Tells for each of some merged texts whether something stands there that may not.
    pub(super) fn come_back<'t>(&self, merged: impl Iterator<Item = &'t str>) -> Vec<bool> {
        let merged: Vec<Words> = merged.map(Words::of).collect();
        let mut as_lines: BTreeMap<&String, usize> = BTreeMap::new();
        for (line, count) in merged.iter().flat_map(|words| &words.lines) {
            *as_lines.entry(line).or_default() += count;
        }
        let count_all = |line: &String, is_line: bool| match is_line {
            true => as_lines.get(line).copied().unwrap_or_default(),
            false => merged.iter().map(|words| words.count(line)).sum(),
        };
        let twice = self.once.iter().filter(|(line, is_line)| count_all(line, **is_line) > 1);
        let twice: Vec<&String> = twice.map(|(line, _)| line).collect();
        let is_wrong = |words: &Words| {
            self.gone.iter().chain(twice.iter().copied()).any(|line| words.count(line) > 0)
                || self.instead.iter().any(|line| words.lines.contains_key(line))
        };
        merged.iter().map(is_wrong).collect()
    }
}

/// The words of a text, as a reader takes them.
struct Words {
    /// How many lines have the same words.
    lines: BTreeMap<String, usize>,
    /// All of them, one behind the other.
    whole: String,
}

impl Words {
    fn of(text: &str) -> Self {
        let (mut lines, mut whole) = (BTreeMap::new(), String::new());
        for line in text.lines().map(line_letters).filter(|line| !line.is_empty()) {
            whole.push_str(&line);
            *lines.entry(line).or_default() += 1;
        }
        Self { lines, whole }
    }

    fn count(&self, line: &str) -> usize {
        match line.len() < SHORT {
            true => self.lines.get(line).copied().unwrap_or_default(),
            false => occurrences(&self.whole, line),
        }
    }
}

/// Returns the lines that a side has in place of lost ones that they are like, and that the other does not have.
fn replaced([base, side]: [&str; 2], lost: &BTreeSet<&str>, other: &Words) -> Vec<String> {
    if lost.is_empty() {
        return Vec::new();
    }
    let diff = TextDiff::from_lines(base, side);
    let mut instead = Vec::new();
    for op in diff.ops() {
        let DiffOp::Replace { .. } = op else { continue };
        let old = op.old_range().filter_map(|index| diff.old_slice(index)).map(line_letters);
        let old: Vec<String> = old.filter(|line| lost.contains(line.as_str())).collect();
        let new = op.new_range().filter_map(|index| diff.new_slice(index)).map(line_letters);
        let new: Vec<String> = new.filter(|line| !line.is_empty()).collect();
        let is_large = old.len() * new.len() > MOST_PAIRS;
        let is_like = |new: &String| old.iter().any(|old| is_large || is_changed(old, new));
        instead.extend(new.into_iter().filter(is_like));
    }
    instead.retain(|line| other.count(line) == 0);
    instead
}

/// Pairs of lines that are compared; of more, each is taken for a changed one.
const MOST_PAIRS: usize = 1_000;

/// Tells whether a line may be what became of another one.
fn is_changed(old: &str, new: &str) -> bool {
    are_alike(old, new) || (old.len() >= 4 && new.contains(old))
}
