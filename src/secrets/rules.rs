//! Holds the table of rules, most specific first.

mod artificial;
mod cloud;
mod commerce;
mod forges;
mod messaging;
mod passages;
mod prefixed;
mod services;
pub(super) mod words;

use regex::bytes::{Regex, RegexBuilder};

use crate::secrets::assignment::Assignment;
use crate::secrets::checks::Candidate;

/// One row: what a secret looks like, and what to do when it is found.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Names the rule in findings and in withheld text. Never changes.
    pub id: &'static str,
    /// Finishes the sentence "this looks like …".
    pub description: &'static str,
    /// What a person does about it: usually to revoke the value, which editing a text cannot do.
    pub remedy: &'static str,
    /// The pattern is tried only near one of these. In lower case, but matches either.
    pub keywords: &'static [&'static str],
    /// The last group that takes part in a match is the value.
    pub pattern: &'static str,
    /// How far from its keyword a match may reach.
    pub shape: Shape,
    /// Has the last word on a match of the pattern.
    pub check: fn(&Candidate) -> bool,
    /// Texts with a secret, in pieces, so that other scanners stay calm about this file.
    pub examples: &'static [&'static [&'static str]],
    /// Texts that come close but hold no secret, in pieces too.
    pub counter_examples: &'static [&'static [&'static str]],
}

/// How a pattern meets the text around it.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A word of its own, not a part of a longer one. At least 20 characters, none of them a space.
    Token,
    /// A name, and a value after it.
    Named,
    /// A name and a key: somewhere in it stand 32 symbols at least, none of them a blank.
    NamedKey,
    /// A longer stretch with its own borders.
    Passage,
    /// A name with its value in any way of writing; has no pattern but a judge.
    Assignment(Judge),
}

/// Decides on a name with its value.
pub(crate) type Judge = fn(&Assignment) -> bool;

impl Shape {
    /// Returns how many bytes before a keyword a match may begin.
    pub(crate) fn reach_before(self) -> usize {
        match self {
            Self::Token | Self::Named | Self::NamedKey | Self::Assignment(_) => 96,
            Self::Passage => 160,
        }
    }

    /// Returns how many bytes after a keyword a match may end.
    pub(crate) fn reach_after(self) -> usize {
        match self {
            Self::Token => 1024,
            Self::Named | Self::NamedKey | Self::Assignment(_) => 384,
            Self::Passage => 16 * 1024,
        }
    }
}

impl Rule {
    /// Compiles the pattern. ASCII classes only: keys are ASCII, and the automaton stays small.
    pub(super) fn compile(&self) -> Regex {
        let pattern = match self.shape {
            // In JSON a key may follow a line break that is written `\n`.
            Shape::Token => format!(r"(?:\b|_|\\[nrt])({})", self.pattern),
            Shape::Named | Shape::NamedKey | Shape::Passage | Shape::Assignment(_) => {
                self.pattern.to_owned()
            }
        };
        RegexBuilder::new(&pattern)
            .unicode(false)
            .size_limit(32 << 20)
            .dfa_size_limit(8 << 20)
            .build()
            .expect("every row is compiled by a test")
    }
}

/// The rows by what they are about, in the order of the table.
const FAMILIES: [&[Rule]; 8] = [
    prefixed::RULES,
    artificial::RULES,
    cloud::RULES,
    forges::RULES,
    commerce::RULES,
    messaging::RULES,
    services::RULES,
    passages::RULES,
];

/// The table. An overlap goes to the row that comes first.
pub static RULES: [Rule; count_of(&FAMILIES)] = joined(&FAMILIES);

const fn count_of(families: &[&[Rule]]) -> usize {
    match families {
        [first, others @ ..] => first.len() + count_of(others),
        [] => 0,
    }
}

const fn joined<const COUNT: usize>(families: &[&[Rule]]) -> [Rule; COUNT] {
    let mut all = [families[0][0]; COUNT];
    let (mut next, mut family) = (0, 0);
    while family < families.len() {
        let mut row = 0;
        while row < families[family].len() {
            all[next] = families[family][row];
            (next, row) = (next + 1, row + 1);
        }
        family += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{RULES, Shape};
    use crate::secrets::{Scanner, Settings};

    /// What the whole table says about a text, and the rule that has the last word.
    fn found(pieces: &[&str]) -> Vec<&'static str> {
        let findings = Scanner::new(Settings::default()).scan(&pieces.concat());
        findings.into_iter().map(|finding| finding.rule).collect()
    }

    #[test]
    fn every_rule_finds_its_examples_and_no_other_rule_takes_them() {
        for rule in &RULES {
            assert!(!rule.examples.is_empty(), "{} has no example", rule.id);
            for example in rule.examples {
                assert_eq!(found(example), [rule.id], "{example:?}");
            }
        }
    }

    #[test]
    fn every_rule_passes_its_counter_examples() {
        for rule in &RULES {
            assert!(!rule.counter_examples.is_empty(), "{} has no counter-example", rule.id);
            for example in rule.counter_examples {
                assert!(found(example).is_empty(), "{}: {example:?}", rule.id);
            }
        }
    }

    /// A word of 32 symbols is looked for before the pattern is.
    #[test]
    fn no_key_with_a_name_is_found_in_words_of_31_symbols() {
        for rule in RULES.iter().filter(|rule| matches!(rule.shape, Shape::NamedKey)) {
            let pattern = rule.compile();
            for example in rule.examples.iter().map(|pieces| pieces.concat()) {
                assert!(pattern.is_match(example.as_bytes()), "{}", rule.id);
                for first in 0..=31.min(example.len()) {
                    let (head, tail) = example.as_bytes().split_at(first);
                    let words: Vec<&[u8]> = [head].into_iter().chain(tail.chunks(31)).collect();
                    assert!(!pattern.is_match(&words.join(&b' ')), "{}", rule.id);
                }
            }
        }
    }

    #[test]
    fn every_rule_says_what_it_is_and_what_to_do() {
        let mut ids = BTreeSet::new();
        for rule in &RULES {
            assert!(ids.insert(rule.id), "{} is there twice", rule.id);
            assert!(!rule.description.is_empty() && !rule.remedy.is_empty(), "{}", rule.id);
            let is_good = |word: &&str| {
                word.len() >= 3 && !word.contains('\n') && *word == word.to_ascii_lowercase()
            };
            assert!(rule.keywords.iter().all(is_good), "{}", rule.id);
        }
    }
}
