//! Splits text into words: identifiers whole and in parts, unsegmented scripts in pairs.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use super::versions::{figures, is_version, version};
use crate::text::{is_mark, without_accents};

/// Words that stand in nearly every English question and say nothing about what is asked.
const STOP_WORDS: &[&str] = &[
    "a", "about", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can",
    "could", "did", "do", "does", "doing", "for", "from", "had", "has", "have", "he", "her", "him",
    "his", "how", "i", "if", "in", "into", "is", "it", "its", "me", "my", "of", "on", "or", "our",
    "s", "she", "should", "so", "t", "than", "that", "the", "their", "them", "then", "there",
    "these", "they", "this", "those", "to", "was", "we", "were", "what", "when", "where", "which",
    "while", "who", "whom", "whose", "why", "will", "with", "would", "you", "your",
];

/// So many words of a question are looked up at most: a whole log may be pasted.
const MOST_WORDS: usize = 256;

/// Nobody looks for a longer word; what is longer is data.
pub(super) const LONGEST_WORD: usize = 128;

/// Returns the places of the words of a text: runs of letters and digits, with the marks on them.
pub(super) fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = find(text, from, char::is_alphanumeric)?;
        from = find(text, start, |character| !is_of_word(character)).unwrap_or(text.len());
        Some(start..from)
    })
}

/// Returns where the first such character from a place on begins. Most are ASCII, and taken as the bytes they are.
fn find(text: &str, from: usize, is_such: impl Fn(char) -> bool) -> Option<usize> {
    let mut at = from;
    while let Some(byte) = text.as_bytes().get(at) {
        let character = match byte.is_ascii() {
            true => char::from(*byte),
            false => text[at..].chars().next()?,
        };
        if is_such(character) {
            return Some(at);
        }
        at += character.len_utf8();
    }
    None
}

/// Returns so many bytes of a text, or a few less, as no character is cut.
pub(super) fn head(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    &text[..end.unwrap_or_default()]
}

/// Tells whether a character is a part of a word.
fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || (!character.is_ascii() && is_mark(character))
}

/// Returns what the tokenizer does not see: parts of identifiers, identifiers without their joints,
/// and pairs of characters where a script has no blanks.
pub(super) fn parts(text: &str) -> String {
    let mut found = Vec::new();
    for place in runs(text, |c| is_of_word(c) || matches!(c, '_' | '-')) {
        let compound = &text[place.clone()];
        if compound.is_ascii() {
            found.extend(identifier_parts(compound));
            found.extend(version(compound, &text[place.end..]));
            found.extend(signed(compound, &text[place.end..]));
            continue;
        }
        let compound = &*without_accents(compound);
        if !is_mixed(compound) {
            found.extend(identifier_parts(compound));
            continue;
        }
        for word in words(compound).map(|word| &compound[word]).filter(|word| is_mixed(word)) {
            for run in runs(word, is_unsegmented).map(|run| &word[run]) {
                found.extend(pairs(run));
                // So every character begins something, and what stands in two runs is no row.
                found.extend(run.chars().next_back().map(String::from));
            }
            found.extend(runs(word, |c| !is_unsegmented(c)).map(|run| word[run].to_lowercase()));
        }
    }
    found.join(" ")
}

/// Returns the name of a language that only its sign tells from another, as `cplusplus` of `C++`; `word` begins it.
fn signed(word: &str, rest: &str) -> Option<String> {
    let [letter] = word.as_bytes() else { return None };
    let signs = [("++", "plusplus"), ("#", "sharp")];
    let (behind, name) =
        signs.iter().find_map(|(sign, name)| Some((rest.strip_prefix(sign)?, name)))?;
    let ends = !behind.starts_with(|next| is_of_word(next) || matches!(next, '+' | '#'));
    (letter.is_ascii_alphabetic() && ends)
        .then(|| format!("{}{name}", char::from(letter.to_ascii_lowercase())))
}

/// Tells whether a phrase is a single character of a script without blanks, which begins pairs.
pub(super) fn begins_pairs(phrase: &str) -> bool {
    let mut characters = phrase.chars();
    characters.next().is_some_and(is_unsegmented) && characters.next().is_none()
}

/// Returns the distinct phrases to look for, the most telling words of any text, or all of its words.
pub(super) fn phrases(text: &str, stop_words: bool) -> Vec<String> {
    let mut all = Phrases::default();
    for compound in runs(text, |c| !c.is_whitespace() && !c.is_control()) {
        all.add_compound(&text[compound]);
    }
    let mut found = all.found;
    if stop_words && found.iter().any(|word| says_something(word)) {
        found.retain(|word| says_something(word));
    }
    // Long words are rare ones, most often; a row of words says little that its words do not say.
    keep_first_by_key(&mut found, MOST_WORDS, |phrase| {
        (phrase.contains(' '), Reverse(phrase.len()))
    });
    found
}

/// Keeps those whose keys are the least, in the order that they had; of equals the first.
pub(super) fn keep_first_by_key<T, K: Ord>(all: &mut Vec<T>, most: usize, key: impl Fn(&T) -> K) {
    if all.len() <= most {
        return;
    }
    let mut places: Vec<usize> = (0..all.len()).collect();
    places.sort_by_cached_key(|at| key(&all[*at]));
    let kept: HashSet<usize> = places.into_iter().take(most).collect();
    let mut place = 0..;
    all.retain(|_| place.next().is_some_and(|at| kept.contains(&at)));
}

/// Tells whether a word does not stand in nearly every question.
pub(super) fn says_something(word: &str) -> bool {
    !STOP_WORDS.contains(&word)
}

/// Returns the last word of a text that may not be written to its end yet; a version with its `v` and without.
pub(super) fn unfinished(text: &str) -> Vec<String> {
    const SHORTEST: usize = 3;
    let Some(word) = words(text).last().filter(|word| word.end == text.len()) else {
        return Vec::new();
    };
    let compound = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    let inner: Vec<&str> = words(compound).map(|range| &compound[range]).collect();
    if is_version(compound, &inner) {
        let whole = inner.join(" ").to_lowercase();
        return [whole].into_iter().chain(figures(compound, &inner)).collect();
    }
    let word = &text[word];
    let is_fit = word.len() <= LONGEST_WORD && word.chars().count() >= SHORTEST;
    is_fit.then(|| word.to_lowercase()).into_iter().collect()
}

#[derive(Default)]
struct Phrases {
    found: Vec<String>,
    known: HashSet<String>,
}

impl Phrases {
    fn add(&mut self, phrase: String) {
        let fits = phrase.len() <= LONGEST_WORD;
        if fits && !phrase.is_empty() && self.known.insert(phrase.clone()) {
            self.found.push(phrase);
        }
    }

    /// Adds the words of something without blanks in it, and, where it is more than one word, what
    /// makes it one: `auth/refresh.rs` is also looked for as `auth refresh rs` in a row.
    fn add_compound(&mut self, compound: &str) {
        let inner: Vec<&str> = words(compound).map(|range| &compound[range]).collect();
        let is_version = is_version(compound, &inner);
        // The single figures of a version stand in too many texts.
        for word in inner.iter().filter(|_| !is_version) {
            match is_mixed(word) {
                true => self.add_mixed(word),
                false => self.add(word.to_lowercase()),
            }
        }
        // An apostrophe makes no identifier: `don't` in a row says no more than `don`.
        if inner.len() > 1 && !compound.contains(['\'', '’']) {
            self.add(inner.join(" ").to_lowercase());
        }
        figures(compound, &inner).into_iter().for_each(|figures| self.add(figures));
        let signed =
            words(compound).filter_map(|at| signed(&compound[at.clone()], &compound[at.end..]));
        signed.for_each(|name| self.add(name));
        for joined in compound.split(|c: char| !is_of_word(c) && !matches!(c, '_' | '-')) {
            identifier_parts(joined).into_iter().for_each(|part| self.add(part));
        }
    }

    /// Adds the pairs of a word of a script without blanks; a row of them is the word as it stands.
    fn add_mixed(&mut self, word: &str) {
        for run in runs(word, is_unsegmented).map(|run| &word[run]) {
            let pairs = pairs(run);
            let row = if pairs.is_empty() { run.to_owned() } else { pairs.join(" ") };
            pairs.into_iter().chain([row]).for_each(|each| self.add(each));
        }
        let others = runs(word, |c| !is_unsegmented(c)).map(|run| word[run].to_lowercase());
        others.for_each(|other| self.add(other));
    }
}

/// Returns the runs of characters that `belongs` accepts.
pub(super) fn runs(
    text: &str,
    belongs: impl Fn(char) -> bool,
) -> impl Iterator<Item = Range<usize>> {
    let mut position = 0;
    std::iter::from_fn(move || {
        let start = position + text[position..].find(&belongs)?;
        let end = text[start..].find(|c| !belongs(c)).map_or(text.len(), |length| start + length);
        position = end;
        Some(start..end)
    })
}

/// Returns the humps of `camelCase` and the whole of `snake_case` and `kebab-case`, in lower case.
pub(super) fn identifier_parts(identifier: &str) -> Vec<String> {
    let identifier = identifier.trim_matches(['_', '-']);
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
            found.extend(telling.map(str::to_lowercase));
        }
    }
    if (2..=6).contains(&count) {
        found.push(identifier.replace(['_', '-'], "").to_lowercase());
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

/// Tells whether there are characters of a script without blanks in a word.
pub(super) fn is_mixed(word: &str) -> bool {
    !word.is_ascii() && word.contains(is_unsegmented)
}

/// Returns the characters of a text two by two, each pair overlapping the next one.
fn pairs(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.windows(2).map(|pair| pair.iter().collect()).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const N: usize>(text: &str, expected: [&str; N]) {
        assert_eq!(phrases(text, true), expected, "{text:?}");
    }

    #[test]
    fn stop_words_go_unless_nothing_is_left() {
        check("How does the token rotate?", ["token", "rotate"]);
        check("To be or not to be", ["not"]);
        check("what is it", ["what", "is", "it"]);
    }

    #[test]
    fn identifiers_are_looked_for_whole_and_in_parts() {
        check("refreshToken", ["refreshtoken", "refresh", "token"]);
        check("refresh_token", ["refresh", "token", "refresh token", "refreshtoken"]);
        check("auth/refresh.rs", ["auth", "refresh", "rs", "auth refresh rs"]);
        check("E0382", ["e0382"]);
        check("OAuth2", ["oauth2", "auth"]);
        check("1.2.3", ["1 2 3"]);
        check("500,502,503", ["500", "502", "503", "500 502 503"]);
        check("1.2.3:80", ["1", "2", "3", "80", "1 2 3 80"]);
        check("v1.2.3.", ["v1 2 3", "1 2 3"]);
        check("v1.2 2.5", ["v1", "2", "v1 2", "1 2", "5", "2 5"]);
    }

    #[test]
    fn any_text_has_its_words() {
        check("don't", ["don"]);
        check("C++ AND \"x\" OR -y*", ["c", "cplusplus", "x", "y"]);
        check("(C#, c++)", ["c", "csharp", "cplusplus"]);
        check("i++j C#7 ###", ["j", "i j", "c", "7", "c 7"]);
        check("a\0b", ["b"]);
        check("?!… 👩‍💻", []);
        check("", []);
    }

    #[test]
    fn scripts_without_blanks_are_looked_for_in_pairs() {
        check("認証方式", ["認証", "証方", "方式", "認証 証方 方式"]);
        check("認証", ["認証"]);
        check("鍵", ["鍵"]);
        check("ที่", ["ที", "ี่", "ที ี่"]);
        check("JWT認証", ["認証", "jwt"]);
    }

    #[test]
    fn a_long_text_is_cut_to_its_telling_words() {
        let text = (0..100_000).map(|n| format!("w{n} a.b ")).collect::<String>();
        let phrases_of = |text: &str| phrases(text, true);
        assert_eq!(phrases_of(&text).len(), MOST_WORDS);
        assert_eq!(
            phrases_of(&format!("{text} kaboomerror")).last().map(|it| &**it),
            Some("kaboomerror")
        );
        assert_eq!(phrases_of(&format!("{} kaboom", "what is the ".repeat(9_000))), ["kaboom"]);
        assert_eq!(phrases(&"x".repeat(1 << 20), true), [""; 0]);
    }

    #[test]
    fn the_index_gets_what_the_tokenizer_does_not_see() {
        assert_eq!(parts("see refreshToken and refresh_token"), "refresh token refreshtoken");
        assert_eq!(parts("parseHTTPResponse2"), "parse http response");
        assert_eq!(parts("eine größeTabelle"), "grosse tabelle");
        assert_eq!(parts("Большая таблицаИмён, имя_поля"), "таблица имен имяполя");
        assert_eq!(parts("e\u{301}toileÉcran"), "etoile ecran");
        assert_eq!(parts("認証方式 plain"), "認証 証方 方式 式");
        assert_eq!(parts("Write C# or C++."), "csharp cplusplus");
        assert_eq!(parts("only plain words, v2"), "");
        assert_eq!(parts("since v1.2.3, v2.0."), "1 2 3 2 0");
    }
}
