//! Looks for many texts at once: one after the other, each would read the whole text again.

use std::collections::HashMap;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

pub(crate) struct PatternSet(AhoCorasick);

impl PatternSet {
    pub(crate) fn of<P: AsRef<[u8]>>(patterns: impl IntoIterator<Item = P>) -> Self {
        // Of the kinds, the one that many patterns make neither slow nor large.
        let automaton = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(patterns)
            .expect("the patterns of a file are smaller than 2 GiB");
        Self(automaton)
    }

    /// Counts how many times a text has each pattern, by its number; also where two of them overlap.
    pub(crate) fn count(&self, text: &str) -> HashMap<usize, usize> {
        let mut counts = HashMap::new();
        for found in self.0.find_overlapping_iter(text) {
            *counts.entry(found.pattern().as_usize()).or_default() += 1;
        }
        counts
    }

    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pattern_is_counted_wherever_it_stands() {
        let set = PatternSet::of(["abab", "b", "x", "ab"]);
        assert_eq!(set.count("ababab"), HashMap::from([(0, 2), (1, 3), (3, 3)]));
        assert!(set.is_in("-x-") && !set.is_in("a-a"));
        let none = PatternSet::of([""; 0]);
        assert!(none.count("ab").is_empty() && !none.is_in("ab"));
    }
}
