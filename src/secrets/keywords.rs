//! Finds every keyword of every rule in one pass over a text.
//!
//! Built by hand and by the compiler, because a command scans a few kilobytes and ends: the automaton that
//! fits this many keywords takes milliseconds to make, and this table is there.

use std::ops::Range;

use crate::secrets::rules::RULES;

/// Calls back for each keyword in either case that begins in a part of the text, with the row of its rule,
/// by ascending start.
pub(super) fn for_each_keyword(
    text: &str,
    part: Range<usize>,
    mut found: impl FnMut(usize, Range<usize>),
) {
    let bytes = text.as_bytes();
    // Without an end, a part without keywords would be searched together with all that follow.
    let near = &bytes[..bytes.len().min(part.end + size_of::<u64>() - 1)];
    let mut at = part.start;
    while let Some((start, lower)) = KEYWORDS.next_beginning(near, at)
        && start < part.end
    {
        at = start + 1;
        for Keyword { row, word, .. } in KEYWORDS.beginning_with(lower) {
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
    /// For each hash of four symbols which are the fifth ones of the keywords that begin so; none if none does.
    beginnings: [FifthSymbols; PLACES],
    /// For each hash of three symbols, where its keywords begin in `sorted`; one more at the end.
    buckets: [u16; BUCKETS + 1],
    /// By the hash of the first three symbols.
    sorted: [Keyword; COUNT],
}

#[derive(Clone, Copy)]
struct Keyword {
    row: usize,
    word: &'static str,
    /// Its first symbols, as many as fit and it has.
    first: u64,
    /// The bits that they take.
    mask: u64,
}

static KEYWORDS: Keywords = Keywords::new();

/// How many keywords all rules have.
const COUNT: usize = {
    let (mut count, mut row) = (0, 0);
    while row < RULES.len() {
        count += RULES[row].keywords.len();
        row += 1;
    }
    count
};

impl Keyword {
    const fn new(row: usize, word: &'static str) -> Self {
        let mask = if word.len() < 8 { (1 << (8 * word.len())) - 1 } else { u64::MAX };
        let (mut first, mut at) = (0, 0);
        while at < word.len() && at < 8 {
            first |= (word.as_bytes()[at] as u64) << (8 * at);
            at += 1;
        }
        Self { row, word, first: lower(first) & mask, mask }
    }
}

impl Keywords {
    const fn new() -> Self {
        let keywords = all();
        let mut beginnings = [0; PLACES];
        let mut buckets = [0; BUCKETS + 1];
        let mut at = 0;
        while at < COUNT {
            let Keyword { word, first, .. } = keywords[at];
            buckets[bucket_of(first) + 1] += 1;
            let fourths = if word.len() == SHORTEST { 1 << FOURTH_BITS } else { 1 };
            let fifths = if word.len() <= HASHED { FifthSymbols::MAX } else { fifth_symbol(first) };
            let mut fourth = 0;
            while fourth < fourths {
                beginnings[place_of(first as u32 | fourth << FOURTH)] |= fifths;
                fourth += 1;
            }
            at += 1;
        }
        let mut bucket = 1;
        while bucket < buckets.len() {
            buckets[bucket] += buckets[bucket - 1];
            bucket += 1;
        }
        Self { beginnings, buckets, sorted: sorted(&keywords, buckets) }
    }

    /// Returns the next place where some keyword may begin, and the eight symbols from there. Nearly all time
    /// is spent here.
    #[inline(never)]
    fn next_beginning(&self, bytes: &[u8], from: usize) -> Option<(usize, u64)> {
        let close_look = |start: usize| {
            let lower = lower(eight_at(bytes, start));
            (self.fifths(lower) & fifth_symbol(lower) != 0).then_some((start, lower))
        };
        let mut at = from;
        // Eight bytes are lowered at once; five words begin and end in them.
        while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
            let lower = lower(u64::from_le_bytes(*chunk));
            // One branch for all of them, as hardly ever one does.
            let any = (0..5).fold(0, |any, offset| any | self.fifths(lower >> (8 * offset)));
            if any != 0
                && let Some(found) = (at..at + 5).find_map(close_look)
            {
                return Some(found);
            }
            at += 5;
        }
        // The shortest keyword may end with the text.
        let end = (bytes.len() + 1).saturating_sub(SHORTEST);
        (at..end).find_map(close_look)
    }

    fn fifths(&self, lower: u64) -> FifthSymbols {
        self.beginnings[place_of(lower as u32)]
    }

    /// The keywords that a text may begin with.
    fn beginning_with(&self, lower: u64) -> impl Iterator<Item = &Keyword> {
        let bucket = bucket_of(lower);
        let range = usize::from(self.buckets[bucket])..usize::from(self.buckets[bucket + 1]);
        self.sorted[range].iter().filter(move |keyword| lower & keyword.mask == keyword.first)
    }
}

/// Returns the keywords of all rules, in the order of the table.
const fn all() -> [Keyword; COUNT] {
    let mut all = [Keyword::new(0, ""); COUNT];
    let (mut next, mut row) = (0, 0);
    while row < RULES.len() {
        let mut at = 0;
        while at < RULES[row].keywords.len() {
            all[next] = Keyword::new(row, RULES[row].keywords[at]);
            (next, at) = (next + 1, at + 1);
        }
        row += 1;
    }
    all
}

/// Puts each keyword into its bucket, of which `next` is the first free place.
const fn sorted(keywords: &[Keyword; COUNT], mut next: [u16; BUCKETS + 1]) -> [Keyword; COUNT] {
    let mut sorted = *keywords;
    let mut at = 0;
    while at < COUNT {
        let place = &mut next[bucket_of(keywords[at].first)];
        sorted[*place as usize] = keywords[at];
        *place += 1;
        at += 1;
    }
    sorted
}

/// A bit for each kind of fifth symbol, by its three lowest bits.
type FifthSymbols = u8;

/// No keyword is shorter.
pub(super) const SHORTEST: usize = 3;
/// So many symbols are hashed to a place.
const HASHED: usize = 4;
/// Where the fourth byte of a word begins.
const FOURTH: u32 = 24;
/// Bits of the fourth byte that play a role: with all of them, each keyword of three would take 256 places.
const FOURTH_BITS: u32 = 2;
/// Small enough to stay in the nearest cache, and large enough to be almost empty.
const PLACES: usize = 1 << 15;
const BUCKETS: usize = 1 << 12;

/// Eight bytes as one number; zeros stand for what is beyond the end.
fn eight_at(bytes: &[u8], start: usize) -> u64 {
    let rest = bytes.get(start..).unwrap_or_default();
    match rest.first_chunk() {
        Some(eight) => u64::from_le_bytes(*eight),
        None => rest.iter().rev().fold(0, |eight, byte| eight << 8 | u64::from(*byte)),
    }
}

/// Brings letters to lower case. Some other bytes fall together too, which is why a keyword is compared
/// once more.
const fn lower(bytes: u64) -> u64 {
    bytes | 0x2020_2020_2020_2020
}

/// The kind of the fifth of eight symbols.
const fn fifth_symbol(lower: u64) -> FifthSymbols {
    1 << (lower >> (8 * HASHED) & 7)
}

const SPREAD: u32 = 0x9e37_79b1;

/// Spreads words over the places; the multiplication drops what does not count of the fourth byte.
const fn place_of(lower: u32) -> usize {
    (lower.wrapping_mul(SPREAD << (8 - FOURTH_BITS)) >> (u32::BITS - PLACES.ilog2())) as usize
}

/// Spreads the first three bytes over the buckets.
const fn bucket_of(lower: u64) -> usize {
    let word = (lower as u32) << (u32::BITS - FOURTH);
    (word.wrapping_mul(SPREAD) >> (u32::BITS - BUCKETS.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::for_each_keyword;
    use crate::secrets::rules::RULES;

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
        for (row, rule) in RULES.iter().enumerate() {
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
        for keyword in RULES.iter().flat_map(|rule| rule.keywords) {
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
