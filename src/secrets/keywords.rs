//! Finds every keyword of every rule in one pass over a text.
//!
//! Built by hand, because a command scans a few kilobytes and ends: the automaton that fits this many
//! keywords takes milliseconds to make, and this table takes microseconds.

use std::ops::Range;
use std::sync::LazyLock;

use crate::secrets::rules::rules;

/// Calls back for each keyword in either case, with the row of its rule, by ascending start.
pub(super) fn for_each_keyword(text: &str, mut found: impl FnMut(usize, Range<usize>)) {
    let bytes = text.as_bytes();
    let mut key = 0;
    // Two more steps than there are bytes, so that a keyword may end with the text.
    for end in 0..bytes.len() + 2 {
        key = (key << SYMBOL_BITS | symbol(bytes.get(end).copied().unwrap_or(0))) % KEYS;
        if end >= 2 && KEYWORDS.begins(key) {
            let start = end - 2;
            for (row, keyword) in KEYWORDS.starting_with(key >> SYMBOL_BITS) {
                let range = start..start + keyword.len();
                let here = bytes.get(range.clone());
                if here.is_some_and(|here| here.eq_ignore_ascii_case(keyword.as_bytes())) {
                    found(*row, range);
                }
            }
        }
    }
}

/// The keywords by their first symbols.
struct Keywords {
    /// One bit for each three symbols that some keyword begins with.
    beginnings: Vec<u64>,
    /// Row and keyword, sorted by the first two symbols.
    sorted: Vec<(usize, &'static str)>,
    /// For each two symbols, where their keywords begin in `sorted`; one more at the end.
    offsets: Vec<u16>,
}

static KEYWORDS: LazyLock<Keywords> = LazyLock::new(|| {
    let rows = rules().iter().enumerate();
    Keywords::new(rows.flat_map(|(row, rule)| rule.keywords.iter().map(move |word| (row, *word))))
});

impl Keywords {
    fn new(keywords: impl Iterator<Item = (usize, &'static str)>) -> Self {
        let pair = |keyword: &str| key_of(&keyword.as_bytes()[..2]);
        let mut sorted: Vec<_> = keywords.collect();
        sorted.sort_unstable_by_key(|(row, keyword)| (pair(keyword), *row));
        let mut beginnings = vec![0; KEYS / 64];
        let mut offsets = vec![0; PAIRS + 1];
        for (_, keyword) in &sorted {
            offsets[pair(keyword) + 1] += 1;
            let third = keyword.as_bytes().get(2).map(|byte| symbol(*byte));
            for third in third.map_or(0..SYMBOLS, |third| third..third + 1) {
                let key = pair(keyword) << SYMBOL_BITS | third;
                beginnings[key / 64] |= 1_u64 << (key % 64);
            }
        }
        for index in 1..offsets.len() {
            offsets[index] += offsets[index - 1];
        }
        Self { beginnings, sorted, offsets }
    }

    fn begins(&self, key: usize) -> bool {
        self.beginnings[key / 64] >> (key % 64) & 1 == 1
    }

    fn starting_with(&self, pair: usize) -> &[(usize, &'static str)] {
        &self.sorted[usize::from(self.offsets[pair])..usize::from(self.offsets[pair + 1])]
    }
}

const SYMBOL_BITS: usize = 6;
const SYMBOLS: usize = 1 << SYMBOL_BITS;
const PAIRS: usize = SYMBOLS * SYMBOLS;
const KEYS: usize = PAIRS * SYMBOLS;

/// Folds a byte into six bits. The cases of a letter fall together; so do some other bytes, which is
/// why a keyword is compared once more.
fn symbol(byte: u8) -> usize {
    usize::from((byte & 0x40) >> 1 | (byte & 0x1f))
}

fn key_of(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |key, byte| key << SYMBOL_BITS | symbol(*byte))
}

#[cfg(test)]
mod tests {
    use super::for_each_keyword;
    use crate::secrets::rules::rules;

    fn found(text: &str) -> Vec<(usize, usize, usize)> {
        let mut found = Vec::new();
        for_each_keyword(text, |row, range| found.push((range.start, range.end, row)));
        found.sort_unstable();
        found
    }

    /// The same by looking for each keyword alone.
    fn check(text: &str) {
        let lower = text.to_ascii_lowercase();
        let mut expected = Vec::new();
        for (row, rule) in rules().iter().enumerate() {
            for keyword in rule.keywords {
                let starts = (0..lower.len())
                    .filter(|start| lower.as_bytes()[*start..].starts_with(keyword.as_bytes()));
                expected.extend(starts.map(|start| (start, start + keyword.len(), row)));
            }
        }
        expected.sort_unstable();
        assert_eq!(found(text), expected, "{text}");
    }

    #[test]
    fn every_keyword_is_found_alone() {
        for keyword in rules().iter().flat_map(|rule| rule.keywords) {
            check(keyword);
            check(&keyword.to_ascii_uppercase());
            check(&format!("ß{keyword}ß"));
        }
    }

    #[test]
    fn keywords_may_overlap() {
        check("sk-proj-sk_live_api_keyjwt.akiaasia -Us-us a3t");
    }

    #[test]
    fn a_text_shorter_than_a_keyword_has_none() {
        check("");
        check("s");
        check("é");
    }
}
