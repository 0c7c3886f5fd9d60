//! Looks closer at the sections that may answer best: what their text says beside the words it holds.
//!
//! Documents and logs answer in different ways. A document defines: the words of the question stand
//! together, early, in their very form. In a log somebody said something on a day.

use super::flaws::Flaws;
use super::forms::{Beginnings, stem};
use super::query::Weights;
use super::words::{head, words};
use crate::provenance::Freshness;

/// A part of a score, with the name of its signal.
pub type Part = (&'static str, f64);

/// A word of a question, or some that stand in a row, as those of `refresh_token` do.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Term {
    pub(super) words: Vec<String>,
    pub(super) stems: Vec<String>,
    /// Whether the last word may go on.
    pub(super) is_beginning: bool,
    /// How telling it is.
    pub(super) weight: f64,
}

impl Term {
    pub(super) fn of(text: &str, weight: f64) -> Self {
        let (words, stems) =
            words(text).map(|word| (text[word.clone()].to_owned(), stem(&text[word]))).unzip();
        Self { words, stems, is_beginning: false, weight }
    }

    /// Tells whether it is these words, by their stems.
    fn is<'a>(&self, stems: impl ExactSizeIterator<Item = &'a String>) -> bool {
        let fits = |(at, (here, asked)): (usize, (&String, &String))| match self.is_beginning {
            true if at + 1 == self.stems.len() => here.starts_with(asked.as_str()),
            true | false => here == asked,
        };
        stems.len() == self.stems.len() && stems.zip(&self.stems).enumerate().all(fits)
    }

    /// Tells whether one of its words has a stem.
    fn has(&self, stem: &String) -> bool {
        let goes_on = || self.stems.last().is_some_and(|last| stem.starts_with(last.as_str()));
        self.stems.contains(stem) || (self.is_beginning && goes_on())
    }
}

/// What the question is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sought {
    Time,
    Number,
    Anything,
}

/// A section that is looked at.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) heading: String,
    pub(super) body: String,
    pub(super) is_log: bool,
    /// Whether it is of the days that the question names.
    pub(super) is_of_days: bool,
    pub(super) archived: bool,
    pub(super) freshness: Option<Freshness>,
}

/// Reads sections for a question.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    terms: &'a [Term],
    weights: &'a Weights,
    sought: Sought,
    beginnings: Beginnings,
    /// How many sections there are.
    total: f64,
}

/// Where the words of a question stand in a text.
struct Reading {
    /// Positions by term, counted in words.
    places: Vec<Vec<usize>>,
    exact: Vec<bool>,
    /// Whether it stands in the heading.
    named: Vec<bool>,
}

/// A term that was found in a text.
struct Finding {
    term: usize,
    /// Counted in words.
    place: usize,
    /// Whether it has the very form of the question.
    is_exact: bool,
}

/// Bytes of a section that are looked at.
const LOOKED_AT: usize = 16 * 1024;

/// Words between two that still stand together.
const TOGETHER: usize = 8;

/// Words after which the beginning of a text is half over.
const BEGINNING: f64 = 30.0;

const TIME_WORDS: &[&str] = &[
    "ago",
    "april",
    "august",
    "december",
    "evening",
    "february",
    "friday",
    "january",
    "july",
    "june",
    "last",
    "march",
    "monday",
    "month",
    "months",
    "morning",
    "next",
    "night",
    "november",
    "october",
    "recently",
    "saturday",
    "september",
    "since",
    "sunday",
    "thursday",
    "today",
    "tomorrow",
    "tonight",
    "tuesday",
    "wednesday",
    "week",
    "weekend",
    "weeks",
    "year",
    "years",
    "yesterday",
];

const NUMBER_WORDS: &[&str] = &[
    "couple", "dozen", "eight", "few", "five", "four", "nine", "once", "one", "seven", "several",
    "six", "ten", "three", "twice", "two",
];

impl<'a> Reader<'a> {
    pub(super) fn new(
        question: &str,
        terms: &'a [Term],
        weights: &'a Weights,
        total: usize,
    ) -> Self {
        let beginnings =
            Beginnings::of(terms.iter().flat_map(|term| &term.stems).map(String::as_str));
        Self { terms, weights, sought: sought(question), beginnings, total: total as f64 }
    }

    /// Returns the parts that each section's score has, the given one first.
    pub(super) fn read(&self, candidates: &[(f64, Candidate)]) -> Vec<Vec<Part>> {
        let readings: Vec<Reading> =
            candidates.iter().map(|(_, candidate)| self.read_one(candidate)).collect();
        let pairs: Vec<Vec<usize>> =
            readings.iter().map(|reading| self.pairs_together(reading)).collect();
        let mut counts = vec![0.0; self.terms.len()];
        pairs.iter().flatten().for_each(|pair| counts[*pair] += 1.0);
        // A pair that few sections hold together tells more.
        let telling = |pair: &usize| ((self.total + 1.0) / (counts[*pair] + 0.5)).ln().max(0.0);
        let read = |((score, candidate), (reading, pairs)): (
            &(f64, Candidate),
            (&Reading, &Vec<usize>),
        )| {
            let near: f64 = pairs.iter().map(telling).sum();
            let mut parts = vec![("words", *score)];
            parts.extend(match candidate.is_log {
                true => self.of_log(candidate, reading),
                false => self.of_document(reading, near),
            });
            parts.retain(|(name, value)| *value != 0.0 || *name == "words");
            let Candidate { body, is_log, archived, freshness, .. } = candidate;
            let (is_log, archived, freshness) = (*is_log, *archived, *freshness);
            Flaws { body, is_log, archived, freshness }.take_off(&mut parts, self.weights);
            parts
        };
        candidates.iter().zip(readings.iter().zip(&pairs)).map(read).collect()
    }

    fn of_document(&self, reading: &Reading, near: f64) -> Vec<Part> {
        let sum = |worth: &dyn Fn(usize) -> f64| -> f64 {
            self.terms.iter().enumerate().map(|(at, term)| term.weight * worth(at)).sum()
        };
        let early = |at: usize| {
            let first = reading.places[at].first();
            first.map_or(0.0, |place| 1.0 / (1.0 + *place as f64 / BEGINNING))
        };
        let exact = |at: usize| f64::from(u8::from(reading.exact[at]));
        vec![
            ("near", self.weights.near * near),
            ("early", self.weights.early * sum(&early)),
            ("exact", self.weights.exact * sum(&exact)),
        ]
    }

    fn of_log(&self, candidate: &Candidate, reading: &Reading) -> Vec<Part> {
        let named = reading.named.iter().filter(|named| **named).count();
        let answers = match self.sought {
            Sought::Time => holds(&candidate.body, TIME_WORDS),
            Sought::Number => holds(&candidate.body, NUMBER_WORDS),
            Sought::Anything => false,
        };
        let if_so = |holds: bool, weight: f64| if holds { weight } else { 0.0 };
        vec![
            ("speaker", self.weights.speaker * named as f64),
            ("answer", if_so(answers, self.weights.answer)),
            // A day has no answer in its title alone.
            ("days", if_so(candidate.is_of_days && !candidate.body.is_empty(), self.weights.days)),
        ]
    }

    fn read_one(&self, candidate: &Candidate) -> Reading {
        let no = || vec![false; self.terms.len()];
        let places = vec![Vec::new(); self.terms.len()];
        let mut reading = Reading { places, exact: no(), named: no() };
        for found in self.find_in(&candidate.heading) {
            reading.named[found.term] = true;
        }
        for Finding { term, place, is_exact } in self.find_in(head(&candidate.body, LOOKED_AT)) {
            reading.places[term].push(place);
            reading.exact[term] |= is_exact;
        }
        reading
    }

    /// Returns where the terms stand in a text; each of them in order.
    fn find_in(&self, text: &str) -> Vec<Finding> {
        let mut known: Vec<(usize, &str, String)> = Vec::new();
        for (place, word) in words(text).enumerate() {
            let word = &text[word];
            if self.beginnings.may_begin(word) {
                let stem = stem(word);
                if self.terms.iter().any(|term| term.has(&stem)) {
                    known.push((place, word, stem));
                }
            }
        }
        let mut found = Vec::new();
        for (number, term) in self.terms.iter().enumerate() {
            for row in known.windows(term.stems.len().max(1)) {
                let place = row[0].0;
                let is_row = row[row.len() - 1].0 - place == row.len() - 1;
                if is_row && term.is(row.iter().map(|(_, _, stem)| stem)) {
                    let mut words = row.iter().map(|(_, word, _)| word).zip(&term.words);
                    let is_exact = words.all(|(word, asked)| word.eq_ignore_ascii_case(asked));
                    found.push(Finding { term: number, place, is_exact });
                }
            }
        }
        found
    }

    /// Returns the words that stand together with the one behind them in the question.
    fn pairs_together(&self, reading: &Reading) -> Vec<usize> {
        let is_together = |(one, other): (usize, usize)| {
            let (first, second) = (&reading.places[one], &reading.places[other]);
            let close = |place: &usize| second.iter().any(|it| it.abs_diff(*place) <= TOGETHER);
            first.iter().any(close) || (reading.named[one] && reading.named[other])
        };
        let is_word = |at: &usize| self.terms[*at].words.len() == 1;
        let words: Vec<usize> = (0..self.terms.len()).filter(is_word).collect();
        let pairs = words.windows(2).map(|pair| (pair[0], pair[1]));
        pairs.filter(|pair| is_together(*pair)).map(|(one, _)| one).collect()
    }
}

fn holds(text: &str, wanted: &[&str]) -> bool {
    let text = head(text, LOOKED_AT);
    words(text).any(|word| {
        let word = text[word].to_ascii_lowercase();
        word.starts_with(|c: char| c.is_ascii_digit()) || wanted.contains(&word.as_str())
    })
}

/// Tells from its first words what a question is for.
fn sought(question: &str) -> Sought {
    let first: Vec<String> =
        words(question).take(4).map(|word| question[word].to_lowercase()).collect();
    let first: Vec<&str> = first.iter().map(String::as_str).collect();
    let is_unit = |word: &str| ["day", "date", "year", "month", "time", "week"].contains(&word);
    match first.as_slice() {
        ["when", ..] | ["how", "long", ..] => Sought::Time,
        ["what" | "which", unit, ..] if is_unit(unit) => Sought::Time,
        ["in" | "on", "what" | "which", unit, ..] if is_unit(unit) => Sought::Time,
        ["how", "many" | "much" | "often" | "old", ..] => Sought::Number,
        _ => Sought::Anything,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(question: &str, body: &str, is_log: bool) -> Vec<&'static str> {
        let terms: Vec<Term> = question.split(' ').map(|word| Term::of(word, 1.0)).collect();
        let weights = Weights::STANDARD;
        let reader = Reader::new(question, &terms, &weights, 100);
        let candidate = Candidate {
            heading: "Ada 2026-11-20".to_owned(),
            body: body.to_owned(),
            is_log,
            is_of_days: false,
            archived: false,
            freshness: None,
        };
        let parts = reader.read(&[(1.0, candidate)]).remove(0);
        parts.into_iter().skip(1).map(|(name, _)| name).collect()
    }

    #[test]
    fn words_that_stand_together_count_in_a_document() {
        let far = format!("token {} rotates", "word ".repeat(20));
        assert_eq!(
            parts("token rotation", "The token rotates.", false),
            ["near", "early", "exact"]
        );
        assert_eq!(parts("token rotation", &far, false), ["early", "exact"]);
        assert_eq!(parts("tokens", "a token", false), ["early"]);
        assert_eq!(parts("go", "she went", false), ["early"]);
        assert_eq!(parts("take", "she took it", false), ["early"]);
        assert_eq!(parts("policy", "all policies", false), ["early"]);
    }

    #[test]
    fn what_stands_in_a_row_in_the_question_counts_in_a_row() {
        assert_eq!(parts("1.9.0", "Only regex 1.9.0 does.", false), ["early", "exact"]);
        assert_eq!(parts("1.9.0", "Only regex 1.9.1.0 does, 0.1.9 not.", false), [""; 0]);
        assert_eq!(parts("refresh_token", "the refresh_tokens", false), ["early"]);
        assert_eq!(parts("auth/refresh.rs", "see src/auth/refresh.rs", false), ["early", "exact"]);
    }

    #[test]
    fn who_spoke_and_what_answers_count_in_a_log() {
        assert_eq!(parts("when did ada go", "I went yesterday.", true), ["speaker", "answer"]);
        assert_eq!(parts("where did ada go", "I went yesterday.", true), ["speaker"]);
        assert_eq!(parts("how many tokens", "Twelve or 12.", true), ["answer"]);
    }

    #[test]
    fn a_question_is_no_answer() {
        assert_eq!(parts("token", "Which token?\n", true), ["asks"]);
        assert_eq!(parts("token", "Which token?\n", false), ["early", "exact"]);
    }
}
