//! Recognises sections of the same heading that say the same in nearly the same words.

use std::cell::OnceCell;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::forms::stem;
use super::words::{head, words};
use crate::text::fold;

/// Below so many words, texts are too short to tell.
const FEWEST_WORDS: usize = 8;

/// Words that make another fact of the same text, as figures do.
const NEGATIONS: [&str; 8] = ["no", "not", "never", "none", "nor", "neither", "without", "cannot"];

/// Bytes of a text that are compared.
const LOOKED_AT: usize = 8 * 1024;

/// A section, as it is compared with others.
#[derive(Debug)]
pub(super) struct Likeness {
    heading: String,
    text: String,
    /// Read once another section has the same heading, as few have.
    words: OnceCell<Words>,
}

/// The words of a text, each as often as it stands there, in order.
#[derive(Debug, Default)]
struct Words {
    all: Vec<u64>,
    /// Figures and negations.
    decisive: Vec<u64>,
}

impl Likeness {
    pub(super) fn of(heading: &str, text: String) -> Self {
        Self { heading: fold(heading), text, words: OnceCell::new() }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    fn words(&self) -> &Words {
        self.words.get_or_init(|| self.read_words())
    }

    fn read_words(&self) -> Words {
        let text = head(&self.text, LOOKED_AT);
        let number = |word: &str| {
            let mut hasher = DefaultHasher::new();
            stem(word).hash(&mut hasher);
            hasher.finish()
        };
        let mut found = Words::default();
        for word in words(text).map(|word| &text[word]) {
            let is_negation = NEGATIONS.iter().any(|negation| negation.eq_ignore_ascii_case(word));
            let is_decisive = is_negation || word.contains(|c: char| c.is_ascii_digit());
            found.decisive.extend(is_decisive.then(|| number(word)));
            found.all.push(number(word));
        }
        found.all.sort_unstable();
        found.decisive.sort_unstable();
        found
    }

    /// Tells whether the heading is the same, and one says what the other does with a word of ten more: another
    /// heading may be all that tells two answers apart, and another word in the place of one makes another fact.
    pub(super) fn resembles(&self, other: &Self) -> bool {
        if self.heading != other.heading {
            return false;
        }
        let (one, other) = (self.words(), other.words());
        if one.decisive != other.decisive {
            return false;
        }
        let (one, other) = (&one.all, &other.all);
        let most = one.len().max(other.len());
        let least = one.len().min(other.len());
        if least < FEWEST_WORDS || least * 10 < most * 9 {
            return false;
        }
        let (mut at, mut common) = (0, 0);
        for word in one {
            at += other[at..].iter().take_while(|it| *it < word).count();
            if other.get(at) == Some(word) {
                common += 1;
                at += 1;
            }
        }
        common == least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(one: &str, other: &str, expected: bool) {
        let likeness = |text: &str| Likeness::of("Rotation", text.to_owned());
        assert_eq!(likeness(one).resembles(&likeness(other)), expected, "{one} {other}");
    }

    #[test]
    fn nearly_the_same_words_are_a_duplicate() {
        let text = "Tokens rotate every day and the old ones stay valid for an hour.";
        check(text, text, true);
        check(text, "tokens rotated every day, and the old ones stay valid for an hour", true);
        check(text, "Tokens rotate every week and old ones are valid for a day.", false);
        check(text, &format!("{text} Really."), true);
        check(text, &text.replace("hour", "week"), false);
        check(text, &text.replace("stay", "never stay"), false);
        check(&format!("{text} Since 2.1."), &format!("{text} Since 2.2."), false);
        check(text, &format!("{text} {text}"), false);
        check("Thanks a lot!", "Thanks a lot!", false);
        check("", "", false);
        let likeness = |heading| Likeness::of(heading, text.to_owned());
        assert!(!likeness("a").resembles(&likeness("b")));
    }
}
