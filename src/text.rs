//! Answers small questions about text: what hides in it, what it looks like, what it resembles.

mod accents;
mod client;
mod counted;
mod duplicates;
mod explained;
mod fences;
mod fold;
mod hidden;
mod invisible;
mod json;
mod lookalikes;
mod pattern_set;
mod romanise;
mod shell;
mod tokens;

use std::borrow::Cow;

use memchr::{memchr_iter, memmem};

pub(crate) use client::{ClientText, HALF_CHARACTER, client_text, utf8_text, without_mark};
pub(crate) use counted::{fold, fold_words};
pub(crate) use duplicates::duplicate_key;
pub(crate) use fences::Fences;
pub use fold::one_line;
pub(crate) use fold::{composed, fold_letters, fold_name, is_mark, slug, without_accents};
pub(crate) use hidden::{
    escape_json, find_hidden, find_newly_hidden, visible, visible_lines, visible_name,
};
pub(crate) use invisible::is_invisible;
pub(crate) use json::read as read_json;
pub(crate) use pattern_set::PatternSet;
pub(crate) use shell::in_shell;
pub use tokens::tokens;

/// Characters of an input that a message repeats; of a longer one nothing, as a secret that is cut in
/// two is not recognised any more.
const EXCERPT: usize = 60;

/// Repeats a short input in a message; says of a long one only how long it is.
pub fn excerpt(text: &str) -> String {
    match text.chars().count() {
        0..=EXCERPT => visible(text).into_owned(),
        count => format!("… {count} characters"),
    }
}

/// Writes seconds in their largest unit: `12s`, `5m`, `3h`, `6d`.
pub(crate) fn span(seconds: i64) -> String {
    let (sign, seconds) = if seconds < 0 { ("-", -seconds) } else { ("", seconds) };
    match seconds {
        0..60 => format!("{sign}{seconds}s"),
        60..3_600 => format!("{sign}{}m", seconds / 60),
        3_600..86_400 => format!("{sign}{}h", seconds / 3_600),
        _ => format!("{sign}{}d", seconds / 86_400),
    }
}

/// Returns the beginning of a text that has at most so many bytes.
pub(crate) fn within_bytes(text: &str, most: usize) -> &str {
    let is_whole = |end: &usize| text.is_char_boundary(*end);
    let end = (0..=most.min(text.len())).rev().find(is_whole);
    &text[..end.unwrap_or_default()]
}

/// Returns the first letters of a text, with `…` where there are more.
pub(crate) fn beginning(text: &str, letters: usize) -> Cow<'_, str> {
    match text.char_indices().nth(letters) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Does what `str::contains` does, but with all the vectors that the machine has.
pub fn contains(text: &str, part: &str) -> bool {
    memmem::find(text.as_bytes(), part.as_bytes()).is_some()
}

/// Reads bytes as far as they are text, whatever their encoding: the zeros of UTF-16 are left out, and what is no
/// UTF-8 is replaced.
pub fn read_roughly(bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    if text.contains('\0') { Cow::Owned(text.replace('\0', "")) } else { text }
}

/// Finds the line of the first git conflict marker, from 1.
pub fn find_conflict_marker(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let begins_line = |at: usize| at == 0 || bytes[at - 1] == b'\n';
    let first = |mark: &str| {
        let mut places = memmem::find_iter(bytes, mark);
        places.find(|at| begins_line(*at) && is_conflict_marker(&text[*at..]))
    };
    let at = ["<<<<<<<", ">>>>>>>", "|||||||"].into_iter().filter_map(first).min()?;
    Some(memchr_iter(b'\n', &bytes[..at]).count() + 1)
}

/// Tells whether a line is a git conflict marker; `=======` alone may underline a heading.
pub(crate) fn is_conflict_marker(line: &str) -> bool {
    let Some(sign @ ('<' | '>' | '|')) = line.chars().next() else { return false };
    let rest = line.trim_start_matches(sign);
    // Git makes them longer where a text that it merges holds some already; then with a name.
    match line.len() - rest.len() {
        ..7 => false,
        7 => rest.is_empty() || [" ", "\n", "\r\n"].iter().any(|end| rest.starts_with(end)),
        _ => rest.starts_with(' '),
    }
}

/// Counts things: `1 file`, `2 files`, `2 entries`. A `y` at the end must have a consonant before it.
pub fn count(number: usize, thing: &str) -> String {
    match thing.strip_suffix('y') {
        _ if number == 1 => format!("1 {thing}"),
        Some(stem) => format!("{number} {stem}ies"),
        None => format!("{number} {thing}s"),
    }
}

/// Longer words than this are no slips of the finger, and comparing them would take long.
const WORD: usize = 80;

/// Returns the candidate that was probably meant, if one is close enough to say so.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > WORD {
        return None;
    }
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= WORD)
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .min()
        .filter(|(distance, candidate)| *distance <= candidate.len().max(3) / 3 + 1)
        .map(|(_, candidate)| candidate)
}

/// Tells whether two texts have at least half of their pairs of letters in common.
pub(crate) fn are_alike(one: &str, other: &str) -> bool {
    strsim::sorensen_dice(one, other) >= 0.5
}

/// Counts the slips of the finger between two words: letters too many, too few, wrong, or swapped with the next.
pub fn slips(word: &str, other: &str) -> usize {
    strsim::osa_distance(word, other)
}

/// Asks at the end of a message for what was probably meant: `, did you mean …?`; empty where nothing is close.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, candidates).map(|meant| format!(", did you mean `{meant}`?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_input_is_not_repeated_in_part() {
        assert_eq!(excerpt("short"), "short");
        assert_eq!(excerpt(&"x".repeat(61)), "… 61 characters");
    }

    #[test]
    fn each_mark_of_a_conflict_is_found_with_a_name_or_without() {
        for mark in ["<<<<<<< today", ">>>>>>> proposed", "||||||| base", "<<<<<<<", ">>>>>>>"] {
            assert_eq!(find_conflict_marker(&format!("a\n{mark}\nb\n")), Some(2), "{mark}");
        }
        let long = "<".repeat(14);
        for text in ["<<<<<< a", "<<<<<<<a", " <<<<<<< a", "=======", "Title\n=======\n", &long] {
            assert_eq!(find_conflict_marker(text), None, "{text}");
        }
        assert_eq!(find_conflict_marker("<<<<<<<< HEAD:a\n========\n>>>>>>>> b\n"), Some(1));
        assert_eq!(find_conflict_marker("<<<<<<<a\n>>>>>>>\r\n<<<<<<<\n"), Some(2));
    }

    #[test]
    fn one_thing_has_no_plural() {
        assert_eq!([0, 1, 2].map(|n| count(n, "file")), ["0 files", "1 file", "2 files"]);
        assert_eq!([1, 2].map(|n| count(n, "entry")), ["1 entry", "2 entries"]);
    }

    #[test]
    fn texts_with_most_of_their_words_in_common_are_alike() {
        assert!(are_alike("the wiki has the password", "the wiki has no password"));
        assert!(are_alike("the wiki has the password", "the wiki has it"));
        assert!(!are_alike("the wiki has the password", "servers use the time of the network"));
    }

    #[test]
    fn a_slip_of_the_finger_finds_its_word() {
        assert_eq!(nearest("sction_id", ["heading", "section_id"]), Some("section_id"));
        assert_eq!(nearest("zzzzzz", ["heading", "section_id"]), None);
        assert_eq!(did_you_mean("headng", ["heading"]), ", did you mean `heading`?");
        assert_eq!(did_you_mean("zzzzzz", ["heading"]), "");
    }
}
