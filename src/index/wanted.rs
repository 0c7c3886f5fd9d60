//! Tells which terms of a question a text holds, and where.

use std::ops::Range;

use super::characters::{fold, is_mixed};
use super::finder::KnownPhrase;
use super::forms::stem;
use super::identifiers::identifier_parts;
use super::phrases::Phrase;
use super::terms::words;

/// The weight of a word for which the number of documents is not known.
const LEAST: f64 = 1e-9;

/// The terms of a question; a set of them is a number with a bit for each.
pub(super) struct WantedTerms {
    terms: Vec<String>,
    /// Which of them may go on.
    unfinished: Option<usize>,
    weights: Vec<f64>,
}

impl WantedTerms {
    pub(super) fn of(phrases: &[Phrase], known: &[KnownPhrase]) -> Self {
        let mut terms: Vec<String> = Vec::new();
        // First those that some document holds: there may be more terms than bits.
        let all = known.iter().map(|known| &known.terms);
        for term in all.chain(phrases.iter().map(|phrase| &phrase.terms)).flatten() {
            if terms.len() < u64::BITS as usize && !terms.contains(term) {
                terms.push(term.clone());
            }
        }
        let single = |term: &String| known.iter().find(|known| known.terms == [term.as_str()]);
        let weights = terms.iter().map(|term| single(term).map_or(LEAST, |known| known.weight));
        let weights = weights.collect();
        let is_unfinished = |term| single(term).is_some_and(|known| known.is_beginning);
        Self { unfinished: terms.iter().position(is_unfinished), weights, terms }
    }

    pub(super) fn worth(&self, found: u64) -> f64 {
        let is_found = |at: &usize| found >> at & 1 == 1;
        (0..self.weights.len()).filter(is_found).map(|at| self.weights[at]).sum()
    }

    /// Returns where the first of the most telling words begins; 0 if there is none.
    pub(super) fn most_telling(&self, line: &str) -> usize {
        let mut best = (0, 0.0);
        for word in words(line) {
            let here = &line[word.clone()];
            let inside = || if self.places_inside(here).is_empty() { 0.0 } else { LEAST };
            let worth = self.position(here).map_or_else(inside, |at| self.weights[at]);
            if worth > best.1 {
                best = (word.start, worth);
            }
        }
        best.0
    }

    pub(super) fn in_line(&self, line: &str) -> u64 {
        let bits = |word: &str| match self.position(word) {
            Some(at) => 1 << at,
            None => self.short_in(word).fold(0, |found, (at, _)| found | 1 << at),
        };
        words(line).fold(0, |found, word| found | bits(&line[word]))
    }

    /// Returns which terms stand within a word of a script without blanks.
    fn short_in<'w>(&'w self, word: &'w str) -> impl Iterator<Item = (usize, &'w str)> {
        let terms = if word.is_ascii() { &[] } else { self.terms.as_slice() };
        let terms = terms.iter().map(String::as_str).enumerate();
        terms.filter(move |(_, term)| is_mixed(term) && word.contains(term))
    }

    fn position(&self, word: &str) -> Option<usize> {
        let position = |word: &str| {
            let term = stem(word);
            let begun = self.unfinished.filter(|at| term.starts_with(&self.terms[*at]));
            self.terms.iter().position(|wanted| *wanted == term).or(begun)
        };
        position(&fold(word))
            .or_else(|| identifier_parts(word).iter().find_map(|part| position(part)))
    }

    /// Returns what of a word of a text is to be marked, as start and end.
    pub(super) fn places(&self, text: &str, word: Range<usize>) -> Vec<(usize, usize)> {
        let here = &text[word.clone()];
        if self.position(here).is_some() {
            return vec![(word.start, word.end)];
        }
        let places = self.places_inside(here).into_iter();
        places.map(|(start, end)| (word.start + start, word.start + end)).collect()
    }

    /// A word of a script without blanks is a whole clause, while the question was split into pairs.
    fn places_inside(&self, word: &str) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = self
            .short_in(word)
            .flat_map(|(_, term)| word.match_indices(term))
            .map(|(at, term)| (at, at + term.len()))
            .collect();
        found.sort_unstable();
        found.dedup_by(|next, last| {
            let meets = next.0 <= last.1;
            if meets {
                last.1 = last.1.max(next.1);
            }
            meets
        });
        found
    }
}
