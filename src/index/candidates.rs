//! Documents that may be answers: each text once, and what passes others among the first.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use super::losses::ScorePart;
use super::question::Order;
use super::source::{KeptDocument, Standing};

/// A document that answers a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SearchHit {
    pub(crate) file: String,
    pub(crate) name: Option<String>,
    /// The titles from the outermost down to its own, without empty ones.
    pub(crate) titles: Vec<String>,
    pub(crate) line: usize,
    /// Higher is better; comparable within one answer only.
    pub(crate) score: f64,
    pub(crate) parts: Vec<ScorePart>,
    /// The one to three lines that answer best, as they stand.
    pub(crate) snippet: String,
    /// Bytes of the snippet where words of the question stand, as start and end.
    pub(crate) matches: Vec<(usize, usize)>,
    pub(crate) hash: String,
    pub(crate) kind: Option<String>,
    pub(crate) archived: bool,
    /// The day it is about, if it says so.
    pub(crate) day: Option<String>,
    /// When the file was last written, in seconds since 1970.
    pub(crate) modified: i64,
    /// Whether its standing lets it gain.
    pub(crate) gains: bool,
    /// What its system wrote beside it.
    pub(crate) note: String,
    /// What came in its place, and stands before it.
    pub(crate) successor: Option<KeptDocument>,
    /// File and line of what says the same in the same words, and is left out.
    pub(crate) duplicates: Vec<(String, usize)>,
}

impl SearchHit {
    /// Raises its score to that of another, under the name of the reason.
    pub(super) fn raise_to(&mut self, score: f64, reason: &'static str) {
        if self.score < score {
            self.parts.push((reason, score - self.score));
            self.score = score;
        }
    }
}

/// A document that may be an answer, as it was read.
pub(super) struct SearchCandidate {
    /// Without its snippet, which only a page has.
    pub(super) hit: SearchHit,
    /// The day that counts when it comes to time.
    pub(super) day: String,
    pub(super) body: String,
    /// Equal for documents that say the same.
    pub(super) duplicate_key: Option<u64>,
    pub(super) standing: Standing,
}

impl SearchCandidate {
    /// Joins a document that says the same. The one with the higher precedence stands for both. In the order of time the newer
    /// of equals does, but no archived one for one that is not.
    fn join(&mut self, mut other: Self, order: Order) {
        let worth = |found: &Self| (!found.hit.archived, found.day.clone());
        let stands_for_both = match other.standing.precedence.cmp(&self.standing.precedence) {
            Ordering::Greater => true,
            Ordering::Less => false,
            Ordering::Equal => order == Order::Time && worth(&other) > worth(self),
        };
        if stands_for_both {
            if other.standing.precedence > self.standing.precedence {
                other.hit.raise_to(self.hit.score, "equal");
            }
            std::mem::swap(&mut self.hit.duplicates, &mut other.hit.duplicates);
            std::mem::swap(self, &mut other);
        }
        self.hit.duplicates.push((other.hit.file, other.hit.line));
    }
}

/// The candidates in order, each text once.
#[derive(Default)]
pub(super) struct DistinctCandidates {
    pub(super) candidates: Vec<SearchCandidate>,
    pub(super) seen: HashSet<i64>,
    known: HashMap<u64, usize>,
}

impl DistinctCandidates {
    pub(super) fn add(&mut self, document: i64, found: SearchCandidate, order: Order) {
        self.seen.insert(document);
        let next = self.candidates.len();
        match found.duplicate_key.map_or(next, |it| *self.known.entry(it).or_insert(next)) {
            first if first < next => self.candidates[first].join(found, order),
            _ => self.candidates.push(found),
        }
    }
}

/// Adds what the first answers gain, and sorts them again. What came in the place of another one stays before it, as what
/// is outdated gains nothing.
pub(super) fn add_gains(first: &mut [SearchCandidate]) {
    for SearchCandidate { hit, standing, .. } in first.iter_mut() {
        if let Some((name, share)) = standing.gain {
            hit.raise_to(hit.score * (1.0 + share), name);
        }
    }
    first.sort_by(|one, other| other.hit.score.total_cmp(&one.hit.score));
}
