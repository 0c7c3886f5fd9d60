//! Tells characters apart: those of words, and those of scripts without blanks.

use std::ops::Range;

use crate::text::{is_mark, without_accents};

/// What is longer is data, and no word that a person looks for.
pub(super) const LONGEST_WORD: usize = 128;

/// Returns the places of runs of characters, by how the first of a run is known and how the others.
pub(super) fn runs(
    text: &str,
    begins: impl Fn(char) -> bool,
    goes_on: impl Fn(char) -> bool,
) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text[from..].find(&begins)?;
        from = text[start..].find(|c| !goes_on(c)).map_or(text.len(), |length| start + length);
        Some(start..from)
    })
}

pub(super) fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || (!character.is_ascii() && is_mark(character))
}

pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns a word in small letters and without accents.
pub(super) fn fold(word: &str) -> String {
    match word.is_ascii() {
        true => word.to_ascii_lowercase(),
        false => without_accents(word).to_lowercase().replace('ς', "σ"),
    }
}

/// Tells whether there are characters of a script without blanks in a word.
pub(super) fn is_mixed(word: &str) -> bool {
    !word.is_ascii() && word.contains(is_unsegmented)
}

/// Thai, Lao, Burmese, Khmer; kana; Han; Hangul, whose words carry their endings.
pub(super) fn is_unsegmented(character: char) -> bool {
    matches!(
        character,
        '\u{0e00}'..='\u{0eff}'
            | '\u{1000}'..='\u{109f}'
            | '\u{1780}'..='\u{17ff}'
            | '\u{3040}'..='\u{30ff}'
            | '\u{3400}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7af}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff66}'..='\u{ff9f}'
            | '\u{20000}'..='\u{3ffff}'
    )
}
