//! The words of a section as a reader takes them, and the search for them.

use std::collections::{BTreeMap, BTreeSet};

use crate::markdown::line_letters;
use crate::project::schema::read_fields;
use crate::text::PatternSet;

/// Fewer bytes than this are too common to be looked for inside of lines: they count as a whole line alone.
const SHORT: usize = 12;

/// The words of a text.
#[derive(Default)]
pub(super) struct Words {
    /// How many lines have the same words. A short line counts by itself, and once more together with the next ones of its
    /// paragraph, until these are long enough. Fields with a value of one word are left out: each section has its own
    /// `Status: active`, and who writes a new one brings nothing back.
    pub(super) lines: BTreeMap<String, usize>,
    /// All of them, one behind the other.
    whole: String,
}

impl Words {
    pub(super) fn of(text: &str) -> Self {
        let mut words = Self::default();
        let lines: Vec<&str> = text.lines().collect();
        for paragraph in lines.split(|line| line.trim().is_empty()) {
            let read = paragraph.iter().map(|line| (line_letters(line), is_plain_field(line)));
            let read = read.filter(|(letters, _)| !letters.is_empty());
            let (letters, fields): (Vec<String>, Vec<bool>) = read.unzip();
            words.whole.extend(letters.iter().map(String::as_str));
            for at in (0..letters.len()).filter(|at| !fields[*at]) {
                for line in with_next(&letters[at..]).into_iter().chain([letters[at].clone()]) {
                    *words.lines.entry(line).or_default() += 1;
                }
            }
        }
        words
    }
}

/// Tells whether a line is a field with a value of one word.
fn is_plain_field(line: &str) -> bool {
    let fields = read_fields(line);
    fields.first().is_some_and(|field| !field.value.trim().contains(char::is_whitespace))
}

/// Joins a short line with as many of the next ones as make it a long one.
fn with_next(lines: &[String]) -> Option<String> {
    let (first, next) = lines.split_first()?;
    if first.len() >= SHORT {
        return None;
    }
    let mut joined = first.clone();
    for line in next {
        joined += line;
        if joined.len() >= SHORT {
            return Some(joined);
        }
    }
    None
}

/// Lines to be looked for, all at once.
pub(super) struct Sought<'l> {
    short: BTreeSet<&'l str>,
    long: Vec<&'l str>,
    patterns: PatternSet,
}

impl<'l> Sought<'l> {
    pub(super) fn of(lines: impl IntoIterator<Item = &'l String>) -> Self {
        let lines = lines.into_iter().map(String::as_str);
        let (short, long): (BTreeSet<&str>, BTreeSet<&str>) =
            lines.partition(|line| line.len() < SHORT);
        let long = Vec::from_iter(long);
        let patterns = PatternSet::of(&long);
        Self { short, long, patterns }
    }

    /// Returns those that stand in some words, and how many times.
    pub(super) fn count(&self, words: &Words) -> Vec<(&'l str, usize)> {
        let short = words
            .lines
            .iter()
            .filter_map(|(line, count)| self.short.get(line.as_str()).map(|line| (*line, *count)));
        let long = self.patterns.count(&words.whole);
        short.chain(long.into_iter().map(|(number, count)| (self.long[number], count))).collect()
    }

    pub(super) fn is_in(&self, words: &Words) -> bool {
        self.patterns.is_in(&words.whole)
            || words.lines.keys().any(|line| self.short.contains(line.as_str()))
    }
}
