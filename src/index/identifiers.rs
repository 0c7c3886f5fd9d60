//! Takes identifiers apart: `refreshToken`, `refresh_token`, `C++`.

use super::characters::{LONGEST_WORD, fold, is_mixed, is_of_word, runs};
use super::forms::stem;
use crate::text::{is_mark, without_accents};

/// Returns the terms of the parts of identifiers, with a blank between them: `refresh token` of `refreshToken`.
pub(crate) fn parts(text: &str) -> String {
    let mut found = Vec::new();
    let is_of_name = |c| is_of_word(c) || matches!(c, '_' | '-');
    for place in runs(text, is_of_name, is_of_name) {
        let compound = &text[place.clone()];
        found.extend(identifier_parts(compound));
        found.extend(signed(compound, &text[place.end..]));
    }
    let stems: Vec<String> = found.iter().map(|part| stem(part)).collect();
    stems.join(" ")
}

/// Returns the name of a language that only its sign tells from another, as `cplusplus` of `C++`; `word` begins it.
pub(super) fn signed(word: &str, rest: &str) -> Option<String> {
    let [letter] = word.as_bytes() else { return None };
    let signs = [("++", "plusplus"), ("#", "sharp")];
    let (behind, name) =
        signs.iter().find_map(|(sign, name)| Some((rest.strip_prefix(sign)?, name)))?;
    let ends = !behind.starts_with(|next| is_of_word(next) || matches!(next, '+' | '#'));
    (letter.is_ascii_alphabetic() && ends)
        .then(|| format!("{}{name}", char::from(letter.to_ascii_lowercase())))
}

/// Returns the humps of `camelCase` and the whole of `snake_case` and `kebab-case`, folded.
pub(super) fn identifier_parts(identifier: &str) -> Vec<String> {
    let identifier = &*without_accents(identifier.trim_matches(['_', '-']));
    let mut found = Vec::new();
    if is_plain(identifier) || identifier.len() > LONGEST_WORD || is_mixed(identifier) {
        return found;
    }
    let mut count = 0;
    for word in identifier.split(['_', '-']).filter(|word| !word.is_empty()) {
        count += 1;
        let humps = humps(word);
        if humps.len() > 1 {
            let telling = humps.into_iter().filter(|hump| is_telling(hump));
            found.extend(telling.map(fold));
        }
    }
    if (2..=6).contains(&count) {
        found.push(fold(&identifier.replace(['_', '-'], "")));
    }
    found
}

/// Tells whether it is a word of letters, the first of which may be a capital: most are, and have no parts.
fn is_plain(word: &str) -> bool {
    if !word.is_ascii() {
        return word
            .chars()
            .skip(1)
            .all(|c| is_of_word(c) && !c.is_uppercase() && !c.is_ascii_digit());
    }
    let (first, rest) = word.as_bytes().split_first().unwrap_or((&b'a', &[]));
    first.is_ascii_alphabetic() && rest.iter().all(u8::is_ascii_lowercase)
}

/// Numbers and single letters out of an identifier stand in too many others.
fn is_telling(hump: &str) -> bool {
    hump.chars().nth(1).is_some() && !hump.starts_with(|c: char| c.is_ascii_digit())
}

/// Splits `parseHTTPResponse2` before `HTTP`, `Response` and `2`.
fn humps(word: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut before = None;
    let mut rest = word.char_indices().peekable();
    while let Some((at, here)) = rest.next() {
        let is_before_small = rest.peek().is_some_and(|(_, next)| next.is_lowercase());
        let may_end = |c: char| c.is_lowercase() || (c.is_uppercase() && is_before_small);
        let rises = here.is_uppercase() && before.is_some_and(may_end);
        if rises || before.is_some_and(|c| c.is_ascii_digit() != here.is_ascii_digit()) {
            found.push(&word[start..at]);
            start = at;
        }
        // A mark is a part of the letter before it.
        before = if is_mark(here) { before } else { Some(here) };
    }
    found.push(&word[start..]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_have_parts() {
        assert_eq!(parts("see refreshToken and refresh_token"), "refresh token refreshtoken");
        assert_eq!(parts("parseHTTPResponse2"), "pars http respons");
        assert_eq!(parts("eine größeTabelle"), "gross tabel");
        assert_eq!(parts("Большая таблицаИмён, имя_поля"), "таблица имен имяполя");
        assert_eq!(parts("e\u{301}toileÉcran"), "etoil ecran");
        assert_eq!(parts("Write C# or C++."), "csharp cplusplu");
        assert_eq!(parts("only plain words, v2"), "");
    }
}
