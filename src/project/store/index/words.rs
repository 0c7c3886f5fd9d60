//! Cuts texts and questions into the terms of the index: words by their stems, identifiers whole and in parts, scripts
//! without blanks in pairs of characters. The database only splits what is written here at its blanks.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use super::forms::stem;
use super::identifiers::{identifier_parts, signed};
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

/// How many words of a question are looked up at most: a whole log may be pasted.
const MOST_WORDS: usize = 256;

/// What is longer is data, and no word that a person looks for.
pub(super) const LONGEST_WORD: usize = 128;

/// Returns the places of the words of a text: runs of letters and digits, with the marks on them. The `v` of `v1.2` is no
/// part of one, so that a version is found with it and without.
pub(super) fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = find(text, from, char::is_alphanumeric)?;
        from = find(text, start, |character| !is_of_word(character)).unwrap_or(text.len());
        let version = text[start..from].strip_prefix(['v', 'V']).filter(|rest| is_number(rest));
        let goes_on = || text[from..].strip_prefix('.')?.bytes().next();
        let is_version = version.is_some() && goes_on().is_some_and(|next| next.is_ascii_digit());
        Some(start + usize::from(is_version)..from)
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

pub(super) fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || (!character.is_ascii() && is_mark(character))
}

/// Returns the terms of a text in their order, with a blank between them.
pub(super) fn terms(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    for word in words(text) {
        for piece in pieces(&fold(&text[word])) {
            if !found.is_empty() {
                found.push(' ');
            }
            found.push_str(&piece.terms().join(" "));
        }
    }
    found
}

/// Returns a word in small letters and without accents.
pub(super) fn fold(word: &str) -> String {
    match word.is_ascii() {
        true => word.to_ascii_lowercase(),
        false => without_accents(word).to_lowercase().replace('ς', "σ"),
    }
}

/// A run of characters of one sort in a word that is folded.
#[derive(Debug)]
enum Piece {
    /// Of a script with blanks.
    Word(String),
    /// Of a script without blanks.
    Run(Vec<char>),
}

impl Piece {
    /// Returns the terms in a row. A run ends with its last character alone: so every character begins a term, and the
    /// pairs of two runs are no row.
    fn terms(&self) -> Vec<String> {
        match self {
            Self::Word(word) => vec![stem(word)],
            Self::Run(run) => {
                let pairs = run.windows(2).map(|pair| pair.iter().collect());
                pairs.chain(run.last().map(|last| last.to_string())).collect()
            }
        }
    }
}

fn pieces(folded: &str) -> Vec<Piece> {
    if !is_mixed(folded) {
        return vec![Piece::Word(folded.to_owned())];
    }
    let characters: Vec<char> = folded.chars().collect();
    let runs = characters.chunk_by(|one, next| is_unsegmented(*one) == is_unsegmented(*next));
    let piece = |run: &[char]| match is_unsegmented(run[0]) {
        true => Piece::Run(run.to_vec()),
        false => Piece::Word(run.iter().collect()),
    };
    runs.map(piece).collect()
}

/// Terms to look for in a row, most often one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Phrase {
    pub(super) terms: Vec<String>,
    /// The folded word, or the folded words with a blank between them.
    pub(super) typed: String,
    /// Whether it may not be written to its end yet.
    pub(super) is_unfinished: bool,
}

impl Phrase {
    /// Tells whether it is a single character of a script without blanks, which begins pairs.
    pub(super) fn begins_pairs(&self) -> bool {
        let mut characters = self.typed.chars();
        characters.next().is_some_and(is_unsegmented) && characters.next().is_none()
    }
}

/// Returns the distinct phrases to look for, the most telling words of any text, or all of its words.
pub(super) fn phrases(text: &str, stop_words: bool) -> Vec<Phrase> {
    let mut all = Phrases::default();
    for compound in runs(text, |c| !c.is_whitespace() && !c.is_control()) {
        all.add_compound(&text[compound]);
    }
    let mut found = all.found;
    if stop_words && found.iter().any(|phrase| says_something(&phrase.typed)) {
        found.retain(|phrase| says_something(&phrase.typed));
    }
    // Long words are rare ones, most often; a row of words says little that its words do not say.
    keep_first_by_key(&mut found, MOST_WORDS, |phrase| {
        (phrase.terms.len() > 1, Reverse(phrase.typed.len()))
    });
    let last = unfinished(text);
    for phrase in &mut found {
        phrase.is_unfinished = last.as_ref() == Some(&phrase.typed);
    }
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

/// Returns the last word of a text that may not be written to its end yet, or its last version.
fn unfinished(text: &str) -> Option<String> {
    const SHORTEST: usize = 3;
    let last = words(text).last().filter(|word| word.end == text.len())?;
    let compound = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    let inner: Vec<&str> = words(compound).map(|range| &compound[range]).collect();
    if is_version(compound, &inner) {
        return Some(inner.join(" "));
    }
    let word = fold(&text[last]);
    (word.chars().count() >= SHORTEST).then_some(word)
}

/// Tells whether the words of something without blanks are the figures of a version, or of an address.
fn is_version(compound: &str, inner: &[&str]) -> bool {
    inner.len() > 2
        && inner.iter().all(|word| is_number(word))
        && compound.contains(&inner.join("."))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[derive(Default)]
struct Phrases {
    found: Vec<Phrase>,
    known: HashSet<Vec<String>>,
}

impl Phrases {
    fn add(&mut self, terms: Vec<String>, typed: String) {
        let fits = !typed.is_empty() && typed.len() <= LONGEST_WORD;
        if fits && self.known.insert(terms.clone()) {
            self.found.push(Phrase { terms, typed, is_unfinished: false });
        }
    }

    fn add_word(&mut self, word: String) {
        self.add(vec![stem(&word)], word);
    }

    /// Adds the words of something without blanks in it, and, where it is more than one word, what
    /// makes it one: `auth/refresh.rs` is also looked for as `auth refresh rs` in a row.
    fn add_compound(&mut self, compound: &str) {
        let inner: Vec<&str> = words(compound).map(|range| &compound[range]).collect();
        // The single figures of a version stand in too many texts.
        if !is_version(compound, &inner) {
            inner
                .iter()
                .flat_map(|word| pieces(&fold(word)))
                .for_each(|piece| self.add_piece(piece));
        }
        // An apostrophe makes no identifier: `don't` in a row says no more than `don`.
        if inner.len() > 1 && !compound.contains(['\'', '’']) {
            let row = inner.iter().flat_map(|word| pieces(&fold(word)));
            let typed: Vec<String> = inner.iter().map(|word| fold(word)).collect();
            self.add(row.flat_map(|piece| piece.terms()).collect(), typed.join(" "));
        }
        let signed =
            words(compound).filter_map(|at| signed(&compound[at.clone()], &compound[at.end..]));
        signed.for_each(|name| self.add_word(name));
        for joined in compound.split(|c: char| !is_of_word(c) && !matches!(c, '_' | '-')) {
            identifier_parts(joined).into_iter().for_each(|part| self.add_word(part));
        }
    }

    /// Adds a word, or the pairs of a run and the row of them, which is the run as it stands.
    fn add_piece(&mut self, piece: Piece) {
        let run = match &piece {
            Piece::Word(word) => return self.add_word(word.clone()),
            Piece::Run(run) => run,
        };
        let mut pairs = piece.terms();
        if pairs.len() > 1 {
            pairs.pop();
        }
        pairs.iter().for_each(|pair| self.add(vec![pair.clone()], pair.clone()));
        self.add(pairs, run.iter().collect());
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const N: usize>(text: &str, expected: [&str; N]) {
        let phrases = phrases(text, true);
        let typed: Vec<&str> = phrases.iter().map(|phrase| phrase.typed.as_str()).collect();
        assert_eq!(typed, expected, "{text:?}");
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
        check("v1.2.3.", ["1 2 3"]);
        check("v1.2 2.5", ["1", "2", "1 2", "5", "2 5"]);
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
        check("認証方式", ["認証", "証方", "方式", "認証方式"]);
        check("認証", ["認証"]);
        check("鍵", ["鍵"]);
        check("ที่", ["ที", "ี่", "ที่"]);
        check("JWT認証", ["jwt", "認証"]);
    }

    #[test]
    fn a_long_text_is_cut_to_its_telling_words() {
        let text = (0..100_000).map(|n| format!("w{n} a.b ")).collect::<String>();
        assert_eq!(phrases(&text, true).len(), MOST_WORDS);
        let last = phrases(&format!("{text} kaboomerror"), true).pop();
        assert_eq!(last.map(|phrase| phrase.typed).as_deref(), Some("kaboomerror"));
        check(&format!("{} kaboom", "what is the ".repeat(9_000)), ["kaboom"]);
        check(&"x".repeat(1 << 20), []);
    }

    #[test]
    fn a_text_has_the_terms_that_a_question_looks_for() {
        assert_eq!(terms("She went; we Bought it."), "she go we bui it");
        assert_eq!(terms("Le café, ΟΔΟΣ"), "le cafe οδοσ");
        assert_eq!(terms("JWT認証 plain"), "jwt 認証 証 plain");
        assert_eq!(terms("since v1.2.3, v2.0, v2"), "sinc 1 2 3 2 0 v2");
    }
}
