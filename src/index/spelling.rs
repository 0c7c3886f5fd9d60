//! Finds what a question that finds nothing may have meant: its words as the texts spell them.
//!
//! The database knows words without their endings, and most slips are in an ending. So texts are read, once
//! nothing else is left to do.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::characters::{LONGEST_WORD, is_mixed};
use super::filter::Filter;
use super::phrases::says_something;
use super::question::Question;
use super::terms::words;
use crate::text::slips;

/// A shorter word is one slip away from too many others.
const SHORTEST: usize = 4;

/// From so many letters on a word may hold two slips.
const LONG: usize = 8;

/// A question of more words does not fail by the spelling of each.
const MOST: usize = 8;

/// So many bytes of text are read at most, of the documents that came last; more would make a slip cost more than
/// an answer. It is what ten thousand documents of a usual length hold.
const READ: usize = 4 * 1024 * 1024;

/// Returns the question with those words respelled that no document holds but in a slightly other spelling;
/// nothing if there is none.
pub(super) fn respelled(
    connection: &Connection,
    question: &Question<'_>,
) -> rusqlite::Result<Option<String>> {
    let asked: Vec<(Range<usize>, String)> = words(question.text)
        .map(|place| (place.clone(), question.text[place].to_lowercase()))
        .filter(|(_, word)| is_spelt(word))
        .collect();
    // Further on there may be nothing although there is something before.
    let is_first = question.limit > 0 && question.offset == 0;
    if asked.is_empty() || asked.len() > MOST || question.raw || !is_first {
        return Ok(None);
    }
    let known = words_like(connection, question, &asked)?;
    let mut text = question.text.to_owned();
    let mut is_other = false;
    for (place, word) in asked.into_iter().rev() {
        if let Some(meant) = nearest(&word, &known) {
            text.replace_range(place, meant);
            is_other = true;
        }
    }
    Ok(is_other.then_some(text))
}

/// Tells whether a word has letters enough, and not too many, to be known in another spelling.
fn is_spelt(word: &str) -> bool {
    // How long it takes to compare two words grows with both.
    let is_fit = word.len() <= LONGEST_WORD && word.chars().count() >= SHORTEST;
    let has_letters = word.chars().all(char::is_alphabetic) && !is_mixed(word);
    is_fit && has_letters && says_something(word)
}

/// Counts how often the words of the documents that are asked stand there, as far as they are as long as one of
/// the question.
fn words_like(
    connection: &Connection,
    question: &Question<'_>,
    asked: &[(Range<usize>, String)],
) -> rusqlite::Result<HashMap<String, usize>> {
    let filter = Filter::of(question, "bodies.id");
    let sql = format!(
        "SELECT titles || char(10) || body FROM bodies JOIN documents ON documents.id = bodies.id
        WHERE withheld = ?1{} ORDER BY bodies.id DESC",
        filter.sql
    );
    let is_as_long = |word: &str| {
        // Bytes are counted sooner, and nearly the same.
        asked.iter().any(|(_, asked)| asked.len().abs_diff(word.len()) <= 4)
    };
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut statement = connection.prepare(&sql)?;
    let values = std::iter::once(Value::Integer(0)).chain(filter.values);
    let mut rows = statement.query(params_from_iter(values))?;
    let mut read = 0;
    while read < READ
        && let Some(row) = rows.next()?
    {
        let text = row.get_ref(0)?.as_str()?;
        read += text.len();
        for word in words(text).map(|place| &text[place]).filter(|word| is_as_long(word)) {
            *known.entry(word.to_lowercase()).or_default() += 1;
        }
    }
    known.retain(|word, _| is_spelt(word));
    Ok(known)
}

/// Returns how many slips a word of so many letters may hold.
pub(super) fn slips_allowed(letters: usize) -> usize {
    if letters < LONG { 1 } else { 2 }
}

/// Returns the word that was meant by another: the nearest, of these the most frequent; nothing if that is known,
/// or if none is near enough.
fn nearest<'k>(word: &str, known: &'k HashMap<String, usize>) -> Option<&'k str> {
    if known.contains_key(word) {
        return None;
    }
    let most = slips_allowed(word.chars().count());
    let near = known.iter().filter_map(|(other, count)| {
        let slips = slips(word, other);
        (slips <= most).then_some((slips, Reverse(count), other.as_str()))
    });
    near.min().map(|(_, _, other)| other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, expected: Option<&str>) {
        let known = [("timeout", 1), ("rotation", 2), ("rotations", 5), ("path", 1), ("bath", 2)];
        let known = known.map(|(word, count)| (word.to_owned(), count)).into();
        assert_eq!(nearest(word, &known), expected, "{word}");
    }

    #[test]
    fn one_slip_is_forgiven() {
        for word in ["timout", "timeuot", "tiimeout", "timeouz"] {
            check(word, Some("timeout"));
        }
        check("tmout", None);
    }

    #[test]
    fn a_long_word_may_hold_two() {
        check("rotatoin", Some("rotation"));
        check("rotattoin", Some("rotation"));
        check("rotatiom", Some("rotation"));
        check("ortatoins", Some("rotations"));
        check("ortatiomz", None);
    }

    #[test]
    fn of_words_that_are_as_near_the_more_frequent_was_meant() {
        check("math", Some("bath"));
    }

    #[test]
    fn a_word_that_nobody_types_has_no_spelling() {
        assert!(is_spelt(&"x".repeat(LONGEST_WORD)));
        assert!(!is_spelt(&"x".repeat(LONGEST_WORD + 1)));
    }

    #[test]
    fn what_is_spelt_right_stays() {
        check("path", None);
    }
}
