//! Finds words that a merge would bring back: one side deleted them, and the other put them elsewhere.

use std::collections::{BTreeMap, BTreeSet};

/// Lines that may not stand in what is merged without a conflict.
pub(super) struct DeletedLines<'a> {
    /// One side has it nowhere any more, and the other as often as before or less.
    gone: BTreeSet<&'a str>,
    /// All three have it once, so that it may not come twice.
    once: BTreeSet<&'a str>,
}

impl<'a> DeletedLines<'a> {
    pub(super) fn of(files: [&'a str; 3]) -> Self {
        let [base, ours, theirs] = files.map(counts);
        let (mut gone, mut once) = (BTreeSet::new(), BTreeSet::new());
        for (line, before) in base {
            let now = [&ours, &theirs].map(|side| side.get(line).copied().unwrap_or_default());
            // A side that has more of them wrote them itself.
            if now.contains(&0) && now.iter().all(|count| *count <= before) {
                gone.insert(line);
            } else if before == 1 && now == [1, 1] {
                once.insert(line);
            }
        }
        Self { gone, once }
    }

    /// Tells for each of some merged texts whether a line stands there that may not.
    pub(super) fn come_back<'t>(&self, merged: impl Iterator<Item = &'t str> + Clone) -> Vec<bool> {
        let mut again: BTreeMap<&str, usize> = BTreeMap::new();
        for line in merged.clone().flat_map(lines).filter(|line| self.once.contains(line)) {
            *again.entry(line).or_default() += 1;
        }
        let is_wrong = |line: &str| {
            self.gone.contains(line) || again.get(line).is_some_and(|count| *count > 1)
        };
        merged.map(|text| lines(text).any(is_wrong)).collect()
    }
}

fn counts(text: &str) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    lines(text).for_each(|line| *counts.entry(line).or_default() += 1);
    counts
}

/// Returns the lines with words, each without the marks of a list, quote or heading before it. Fences have no words, nor
/// have the comments that name sections and sources.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '>' | '-' | '*' | '+' | '#');
    let plain = text.lines().map(move |line| {
        let line = line.trim_start_matches(is_mark).trim_end();
        let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
        number.strip_prefix(". ").or(number.strip_prefix(") ")).unwrap_or(line)
    });
    plain.filter(|line| {
        let has_words = line.contains(char::is_alphanumeric);
        has_words && !["<!-- @", "```", "~~~"].iter().any(|mark| line.starts_with(mark))
    })
}
