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
    let keywords = &*KEYWORDS;
    let mut key = 0;
    // One more step than there are bytes, so that the shortest keyword may end with the text.
    for end in 0..bytes.len() + 1 {
        key = (key << SYMBOL_BITS | symbol(bytes.get(end).copied().unwrap_or(0))) % KEYS;
        if keywords.may_begin(key) && end >= LOOKED_AT - 1 {
            let start = end + 1 - LOOKED_AT;
            for (_, row, keyword) in keywords.starting_with(key >> SYMBOL_BITS) {
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
    /// One bit for each hash of four symbols that some keyword begins with.
    beginnings: Vec<u64>,
    /// The first three symbols, row and keyword, sorted.
    sorted: Vec<(usize, usize, &'static str)>,
}

static KEYWORDS: LazyLock<Keywords> = LazyLock::new(|| {
    let rows = rules().iter().enumerate();
    Keywords::new(rows.flat_map(|(row, rule)| rule.keywords.iter().map(move |word| (row, *word))))
});

impl Keywords {
    fn new(keywords: impl Iterator<Item = (usize, &'static str)>) -> Self {
        let mut beginnings = vec![0; BITS / 64];
        let mut sorted: Vec<_> = keywords
            .map(|(row, keyword)| {
                let bytes = keyword.as_bytes();
                let first = key_of(&bytes[..SHORTEST]);
                let fourth = bytes.get(SHORTEST).map(|byte| symbol(*byte));
                for fourth in fourth.map_or(0..SYMBOLS, |fourth| fourth..fourth + 1) {
                    let bit = hash(first << SYMBOL_BITS | fourth);
                    beginnings[bit / 64] |= 1_u64 << (bit % 64);
                }
                (first, row, keyword)
            })
            .collect();
        sorted.sort_unstable();
        Self { beginnings, sorted }
    }

    fn may_begin(&self, key: usize) -> bool {
        let bit = hash(key);
        self.beginnings[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn starting_with(&self, first: usize) -> &[(usize, usize, &'static str)] {
        let from = self.sorted.partition_point(|(other, ..)| *other < first);
        let rest = &self.sorted[from..];
        &rest[..rest.iter().take_while(|(other, ..)| *other == first).count()]
    }
}

/// No keyword is shorter.
pub(super) const SHORTEST: usize = 3;
/// How many symbols decide whether to look closer.
const LOOKED_AT: usize = SHORTEST + 1;
const SYMBOL_BITS: usize = 6;
const SYMBOLS: usize = 1 << SYMBOL_BITS;
const KEYS: usize = 1 << (SYMBOL_BITS * LOOKED_AT);
/// Small enough to stay in the nearest cache, and large enough to be almost empty.
const BITS: usize = 1 << 17;

/// Spreads four symbols over the bits.
fn hash(key: usize) -> usize {
    (key.wrapping_mul(0x9e37_79b1) >> 12) % BITS
}

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
        check("sk-proj-sk_live_api_keyjwt.akiaasia -Us1-us9 a3t");
        check("a3t");
    }

    #[test]
    fn a_text_shorter_than_a_keyword_has_none() {
        check("");
        check("s");
        check("é");
    }
}
