//! Holds the table of rules, most specific first.

mod artificial;
mod cloud;
mod commands;
mod commerce;
pub(super) mod examples;
mod forges;
mod keys;
mod messaging;
mod passages;
mod prefixed;
mod services;
pub(super) mod words;

use super::rule::SecretRule;

/// The rows by what they are about, in the order of the table.
const FAMILIES: [&[SecretRule]; 10] = [
    prefixed::RULES,
    artificial::RULES,
    cloud::RULES,
    forges::RULES,
    commerce::RULES,
    messaging::RULES,
    services::RULES,
    keys::RULES,
    commands::RULES,
    passages::RULES,
];

/// The table. An overlap goes to the row that comes first.
pub static RULES: [SecretRule; count_of(&FAMILIES)] = joined(&FAMILIES);

const fn count_of(families: &[&[SecretRule]]) -> usize {
    match families {
        [first, others @ ..] => first.len() + count_of(others),
        [] => 0,
    }
}

const fn joined<const COUNT: usize>(families: &[&[SecretRule]]) -> [SecretRule; COUNT] {
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

    use super::RULES;
    use crate::secrets::rule::Shape;
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
