//! Finds every keyword of every rule in one pass over a text.
//!
//! Built by hand, because a command scans a few kilobytes and ends: the automaton that fits this many
//! keywords takes milliseconds to make, and this table takes microseconds.

use std::ops::Range;
use std::sync::LazyLock;

use crate::secrets::rules::rules;

/// Calls back for each keyword in either case that begins in a part of the text, with the row of its rule,
/// by ascending start.
pub(super) fn for_each_keyword(
    text: &str,
    part: Range<usize>,
    mut found: impl FnMut(usize, Range<usize>),
) {
    let bytes = text.as_bytes();
    let keywords = &*KEYWORDS;
    // Without an end, a part without keywords would be searched together with all that follow.
    let near = &bytes[..bytes.len().min(part.end + size_of::<u32>() - 1)];
    let mut at = part.start;
    while let Some(start) = keywords.next_beginning(near, at).filter(|start| *start < part.end) {
        at = start + 1;
        let first = fold(word_at(bytes, start));
        for Keyword { row, word, .. } in keywords.beginning_with(first) {
            let range = start..start + word.len();
            let here = bytes.get(range.clone());
            if here.is_some_and(|here| here.eq_ignore_ascii_case(word.as_bytes())) {
                found(*row, range);
            }
        }
    }
}

/// The keywords by their first symbols.
struct Keywords {
    /// One bit for each hash of four symbols that some keyword begins with.
    beginnings: Box<[u64; BITS / 64]>,
    /// For each hash of three symbols, where its keywords begin in `sorted`; one more at the end.
    buckets: Box<[u16; BUCKETS + 1]>,
    /// By the hash of the first three symbols.
    sorted: Vec<Keyword>,
}

#[derive(Clone, Copy, Default)]
struct Keyword {
    row: usize,
    word: &'static str,
    /// Its first symbols, as many as fit and it has.
    first: u32,
    /// The bits that they take.
    mask: u32,
}

static KEYWORDS: LazyLock<Keywords> = LazyLock::new(|| {
    let rows = rules().iter().enumerate();
    Keywords::new(
        rows.flat_map(|(row, rule)| rule.keywords.iter().map(move |word| Keyword::new(row, word))),
    )
});

impl Keyword {
    fn new(row: usize, word: &'static str) -> Self {
        let mask = if word.len() == SHORTEST { (1 << FOURTH) - 1 } else { u32::MAX };
        Self { row, word, first: fold(word_at(word.as_bytes(), 0)) & mask, mask }
    }
}

impl Keywords {
    fn new(keywords: impl Iterator<Item = Keyword>) -> Self {
        let keywords: Vec<_> = keywords.collect();
        let mut beginnings = Box::new([0; BITS / 64]);
        let mut buckets = Box::new([0; BUCKETS + 1]);
        for Keyword { word, first, .. } in &keywords {
            buckets[bucket_of(*first) + 1] += 1;
            let fourths = match word.len() {
                SHORTEST => 0..1 << 6,
                _ => 0..1,
            };
            for fourth in fourths {
                let bit = bit_of(first | fourth << FOURTH);
                beginnings[bit / 64] |= 1_u64 << (bit % 64);
            }
        }
        for index in 1..buckets.len() {
            buckets[index] += buckets[index - 1];
        }
        // Sorted by counting: every process does it, and comparing took longer than all the rest.
        let mut next = buckets.clone();
        let mut sorted = vec![Keyword::default(); keywords.len()];
        for keyword in keywords {
            let place = &mut next[bucket_of(keyword.first)];
            sorted[usize::from(*place)] = keyword;
            *place += 1;
        }
        Self { beginnings, buckets, sorted }
    }

    /// Returns the next place where some keyword may begin. Nearly all time is spent here.
    #[inline(never)]
    fn next_beginning(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        // Eight bytes are folded at once; five words begin and end in them.
        while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
            let folded = fold_eight(u64::from_le_bytes(*chunk));
            let begins = |offset: usize| self.may_begin((folded >> (8 * offset)) as u32);
            if let Some(offset) = (0..5).find(|offset| begins(*offset)) {
                return Some(at + offset);
            }
            at += 5;
        }
        // The shortest keyword may end with the text.
        let end = (bytes.len() + 1).saturating_sub(SHORTEST);
        (at..end).find(|start| self.may_begin(fold(word_at(bytes, *start))))
    }

    fn may_begin(&self, folded: u32) -> bool {
        let bit = bit_of(folded);
        self.beginnings[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// The keywords that may begin with folded symbols.
    fn beginning_with(&self, first: u32) -> impl Iterator<Item = &Keyword> {
        let bucket = bucket_of(first);
        let range = usize::from(self.buckets[bucket])..usize::from(self.buckets[bucket + 1]);
        self.sorted[range].iter().filter(move |keyword| first & keyword.mask == keyword.first)
    }
}

/// No keyword is shorter.
pub(super) const SHORTEST: usize = 3;
/// Where the fourth byte of a word begins.
const FOURTH: u32 = 24;
/// Small enough to stay in the nearest cache, and large enough to be almost empty.
const BITS: usize = 1 << 17;
const BUCKETS: usize = 1 << 12;

/// Four bytes as one number; zeros stand for what is beyond the end.
fn word_at(bytes: &[u8], start: usize) -> u32 {
    let byte = |offset: usize| bytes.get(start + offset).copied().unwrap_or(0);
    u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)])
}

/// Folds each of four bytes into six bits. The cases of a letter fall together; so do some other bytes,
/// which is why a keyword is compared once more.
fn fold(word: u32) -> u32 {
    (word & 0x4040_4040) >> 1 | (word & 0x1f1f_1f1f)
}

/// Does the same to eight bytes.
fn fold_eight(bytes: u64) -> u64 {
    (bytes & 0x4040_4040_4040_4040) >> 1 | (bytes & 0x1f1f_1f1f_1f1f_1f1f)
}

/// Spreads folded words over numbers of so many bits.
fn spread(word: u32, bits: u32) -> usize {
    (word.wrapping_mul(0x9e37_79b1) >> (u32::BITS - bits)) as usize
}

fn bit_of(word: u32) -> usize {
    spread(word, BITS.ilog2())
}

fn bucket_of(word: u32) -> usize {
    spread(word << (u32::BITS - FOURTH), BUCKETS.ilog2())
}

#[cfg(test)]
mod tests {
    use super::for_each_keyword;
    use crate::secrets::rules::rules;

    fn found(text: &str) -> Vec<(usize, usize, usize)> {
        let mut found = Vec::new();
        for_each_keyword(text, 0..text.len(), |row, range| {
            found.push((range.start, range.end, row))
        });
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
