//! Recognises sections of the same heading that say the same in nearly the same words.

use std::cell::OnceCell;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::forms::stem;
use super::words::{head, words};
use crate::text::fold;

/// Below so many words, texts are too short to tell.
const FEWEST_WORDS: usize = 8;

/// Bytes of a text that are compared.
const LOOKED_AT: usize = 8 * 1024;

/// A section, as it is compared with others.
#[derive(Debug)]
pub(super) struct Likeness {
    heading: String,
    text: String,
    /// Each as often as it stands in the text; read once another section has the same heading, as few have.
    words: OnceCell<Vec<u64>>,
}

impl Likeness {
    pub(super) fn of(heading: &str, text: String) -> Self {
        Self { heading: fold(heading), text, words: OnceCell::new() }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    fn words(&self) -> &[u64] {
        self.words.get_or_init(|| self.read_words())
    }

    fn read_words(&self) -> Vec<u64> {
        let text = head(&self.text, LOOKED_AT);
        let number = |word: &str| {
            let mut hasher = DefaultHasher::new();
            stem(word).hash(&mut hasher);
            hasher.finish()
        };
        let mut words: Vec<u64> = words(text).map(|word| number(&text[word])).collect();
        words.sort_unstable();
        words
    }

    /// Tells whether the heading is the same and nine words of ten are: another heading may be all that
    /// tells two answers apart.
    pub(super) fn resembles(&self, other: &Self) -> bool {
        if self.heading != other.heading {
            return false;
        }
        let (one, other) = (self.words(), other.words());
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
        common * 10 >= most * 9
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
        check(text, &format!("{text} {text}"), false);
        check("Thanks a lot!", "Thanks a lot!", false);
        check("", "", false);
        let likeness = |heading| Likeness::of(heading, text.to_owned());
        assert!(!likeness("a").resembles(&likeness("b")));
    }
}
