//! Tells whether two texts say almost the same, by their words alone.
//!
//! They do if every word of the shorter text is in the longer one, and that has at most twice as many words; if they have
//! the same numbers, signs, and names as code writes them; and if they negate equally often. Endings, slips of the finger,
//! order and words such as `the` do not count. A synonym, or the name of another service, makes the texts different. Texts of
//! a few words, and very long ones, say the same only if a reader sees the same.

mod word_table;

use std::collections::{BTreeMap, BTreeSet};

use self::word_table::{COUNTING, FILLING, NEGATING};
use super::characters::fold;
use super::spelling::slips_allowed;
use super::terms::terms;
use crate::markdown::rendered;
use crate::text::slips;

/// Texts with fewer words are about the same by chance.
const FEWEST_WORDS: usize = 6;

/// Texts of fewer words, such as `None.` or `To do`, are not even the same as others.
const FEWEST_SEEN: usize = 3;

/// Texts with more words are not compared word by word.
const MOST_WORDS: usize = 1_000;

/// Nor are longer texts.
const MOST_BYTES: usize = 16 * 1024;

/// With more misspelt words it is another text.
const MOST_SLIPS: usize = 8;

/// Words from so many letters on may hold one slip.
const MEDIUM_WORD: usize = 4;

/// Longer words are not compared letter by letter.
const LONGEST_WORD: usize = 80;

/// The longest words of a text, whose beginnings are looked for in another one.
const GLANCED: usize = 8;

/// How many of them another text must hold to be read.
const HELD: usize = 2;

/// Letters that the forms of a word share.
const BEGINNING: usize = 5;

/// What two texts are compared by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct NearText {
    /// By its stem each word, as it is written.
    words: BTreeMap<String, String>,
    /// Numbers, names as code writes them, and signs.
    names: BTreeSet<String>,
    /// How many times it negates, for each way to do so.
    negations: [usize; NEGATING.len()],
    /// How its longest words begin.
    beginnings: Vec<String>,
    /// What a reader sees: without markers, with single blanks, and each block with a small first letter.
    seen: String,
    /// Whether it has as many words as can be compared one by one.
    has_enough_words: bool,
}

impl NearText {
    /// Reads what a person sees of a text; none if that is a word or two.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let is_short = text.len() <= MOST_BYTES;
        let text = rendered(text).seen.blocks.join("\n");
        let mut read = Self { seen: as_seen(&text), ..Self::default() };
        if terms(&text).split_whitespace().count() < FEWEST_SEEN {
            return None;
        }
        read.names.extend(text.chars().filter(|sign| is_sign(*sign)).map(String::from));
        for piece in text.split(is_between) {
            read.add(piece.trim_matches(|c: char| !c.is_alphanumeric()));
        }
        read.has_enough_words = is_short && (FEWEST_WORDS..=MOST_WORDS).contains(&read.words.len());
        if read.words.is_empty() {
            // By these it is looked up.
            let all = terms(&text);
            read.words.extend(all.split_whitespace().map(|it| (it.to_owned(), it.to_owned())));
        }
        let mut longest: Vec<&String> = read.words.values().collect();
        longest.sort_by_key(|word| std::cmp::Reverse(word.len()));
        let beginning = |word: &&String| word.chars().take(BEGINNING).collect();
        read.beginnings = longest.iter().take(GLANCED).map(beginning).collect();
        Some(read)
    }

    /// Tells whether this text and another one say almost the same.
    pub(crate) fn says_almost(&self, other: &Self) -> bool {
        if self.seen == other.seen {
            return true;
        }
        let can_compare = self.has_enough_words && other.has_enough_words;
        if !can_compare || self.names != other.names || self.negations != other.negations {
            return false;
        }
        let (short, long) = match self.words.len() <= other.words.len() {
            true => (&self.words, &other.words),
            false => (&other.words, &self.words),
        };
        if long.len() > 2 * short.len() {
            return false;
        }
        let lacking = |words: &BTreeMap<String, String>, there: &BTreeMap<String, String>, most| {
            let lacking = words.iter().filter(|(stem, _)| !there.contains_key(*stem));
            lacking.take(most).map(|(_, word)| word.clone()).collect::<Vec<_>>()
        };
        let left = lacking(short, long, MOST_SLIPS + 1);
        if left.is_empty() || left.len() > MOST_SLIPS {
            return left.is_empty();
        }
        let mut others = lacking(long, short, MOST_WORDS);
        left.iter().all(|word| {
            let meant = others.iter().position(|other| is_slip(word, other));
            meant.map(|at| others.swap_remove(at)).is_some()
        })
    }

    /// Tells at a glance whether a text, in small letters, may say almost the same: it holds the beginnings of some of the
    /// longest words. To read every text would take too long.
    pub(crate) fn may_be_in(&self, text: &str) -> bool {
        // A word is kept without its accents.
        !text.is_ascii()
            || self.beginnings.iter().filter(|it| text.contains(it.as_str())).count()
                >= HELD.min(self.beginnings.len())
    }

    /// Returns the stems of its longest words, which are most often its rarest.
    pub(crate) fn rarest(&self, most: usize) -> Vec<&str> {
        let mut stems: Vec<&str> = self.words.keys().map(String::as_str).collect();
        stems.sort_by_key(|stem| std::cmp::Reverse(stem.len()));
        stems.truncate(most);
        stems
    }

    /// Adds what stands between two blanks.
    fn add(&mut self, piece: &str) {
        if self.words.len() > MOST_WORDS || self.add_negation(&fold(piece)) {
            return;
        }
        if is_name(piece) && piece.is_ascii() {
            self.names.insert(piece.to_lowercase());
            return;
        }
        for word in piece.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            let folded = fold(word);
            if !self.add_negation(&folded) {
                self.add_word(folded);
            }
        }
    }

    fn add_word(&mut self, word: String) {
        if COUNTING.contains(&word.as_str()) {
            self.names.insert(word);
            return;
        }
        if FILLING.contains(&word.as_str()) {
            return;
        }
        let digits = word.split(|c: char| !c.is_numeric()).filter(|digits| !digits.is_empty());
        self.names.extend(digits.map(str::to_owned));
        let stems = terms(&word);
        match stems.contains(' ') {
            true => {
                self.words.extend(stems.split(' ').map(|each| (each.to_owned(), each.to_owned())))
            }
            false => drop(self.words.insert(stems, word)),
        }
    }

    fn add_negation(&mut self, word: &str) -> bool {
        let is_short = || ["n't", "n’t"].iter().any(|end| word.ends_with(end));
        let way = NEGATING.iter().position(|way| way.contains(&word));
        let way = way.or_else(|| is_short().then_some(0));
        way.map(|way| self.negations[way] += 1).is_some()
    }
}

fn as_seen(text: &str) -> String {
    let blocks = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let blocks = blocks.filter(|block| !block.is_empty()).map(|block| {
        let mut letters = block.chars();
        let first: String = letters.next().into_iter().flat_map(char::to_lowercase).collect();
        first + letters.as_str()
    });
    blocks.collect::<Vec<_>>().join("\n")
}

/// Tells whether a character decides what is said: `<` against `>`, or a green mark against a red one.
fn is_sign(character: char) -> bool {
    "<>=+~%$".contains(character)
        || matches!(character, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// Tells whether a character stands between two words wherever it is.
fn is_between(character: char) -> bool {
    character.is_whitespace() || ",;()[]{}<>|\"“”„«»—–…`*".contains(character)
}

/// Tells whether a word holds a digit, a sign, or a capital behind a small letter: numbers do, and names in code.
fn is_name(word: &str) -> bool {
    let is_sign = |c: char| !c.is_alphanumeric() && !"-'’".contains(c);
    let letters: Vec<char> = word.chars().collect();
    word.contains(|c: char| c.is_numeric() || is_sign(c))
        || letters.windows(2).any(|two| two[0].is_lowercase() && two[1].is_uppercase())
}

/// Tells whether one word is another one with a slip of the finger, or spelt as in another country.
fn is_slip(word: &str, other: &str) -> bool {
    let (one, two) = (word.chars().count(), other.chars().count());
    let is_fit = MEDIUM_WORD <= one.min(two) && one.max(two) <= LONGEST_WORD;
    let allowed = slips_allowed(one.min(two));
    is_fit && one.abs_diff(two) <= allowed && slips(word, other) <= allowed
}

#[cfg(test)]
mod tests;
