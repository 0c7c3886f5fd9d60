//! Cuts a question into the phrases to look for.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::characters::{LONGEST_WORD, fold, is_number, is_of_word, is_unsegmented, runs};
use super::forms::stem;
use super::identifiers::{identifier_parts, signed};
use super::terms::{ScriptRun, script_runs, words};

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

/// Terms to look for in a row, most often one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Phrase {
    pub(crate) terms: Vec<String>,
    /// The folded word, or the folded words with a blank between them.
    pub(super) typed: String,
    /// Whether it may not be written to its end yet.
    pub(super) is_unfinished: bool,
}

impl Phrase {
    /// Tells whether it is a single character of a script without blanks, which begins pairs.
    pub(crate) fn begins_pairs(&self) -> bool {
        let mut characters = self.typed.chars();
        characters.next().is_some_and(is_unsegmented) && characters.next().is_none()
    }

    /// Returns the expression of FTS5 that finds it.
    pub(crate) fn expression(&self) -> String {
        let star = if self.begins_pairs() { " *" } else { "" };
        format!("\"{}\"{star}", self.terms.join(" "))
    }
}

/// Returns the distinct phrases to look for, the most telling words of any text, or all of its words.
pub(crate) fn phrases(text: &str, stop_words: bool) -> Vec<Phrase> {
    let mut all = Phrases::default();
    let is_visible = |c: char| !c.is_whitespace() && !c.is_control();
    for compound in runs(text, is_visible, is_visible) {
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
                .flat_map(|word| script_runs(&fold(word)))
                .for_each(|run| self.add_run(run));
        }
        // An apostrophe makes no identifier: `don't` in a row says no more than `don`.
        if inner.len() > 1 && !compound.contains(['\'', '’']) {
            let row = inner.iter().flat_map(|word| script_runs(&fold(word)));
            let typed: Vec<String> = inner.iter().map(|word| fold(word)).collect();
            self.add(row.flat_map(|run| run.terms()).collect(), typed.join(" "));
        }
        let signed =
            words(compound).filter_map(|at| signed(&compound[at.clone()], &compound[at.end..]));
        signed.for_each(|name| self.add_word(name));
        for joined in compound.split(|c: char| !is_of_word(c) && !matches!(c, '_' | '-')) {
            identifier_parts(joined).into_iter().for_each(|part| self.add_word(part));
        }
    }

    /// Adds a word, or the pairs of a run and the row of them, which is the run as it stands.
    fn add_run(&mut self, run: ScriptRun) {
        let mut pairs = run.terms();
        let characters = match run {
            ScriptRun::Spaced(word) => return self.add_word(word),
            ScriptRun::Unspaced(characters) => characters,
        };
        if pairs.len() > 1 {
            pairs.pop();
        }
        pairs.iter().for_each(|pair| self.add(vec![pair.clone()], pair.clone()));
        self.add(pairs, characters.iter().collect());
    }
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
}
