//! Recognises sections of the same heading that say the same in nearly the same words.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::forms::stem;
use super::words::{head, words};
use crate::text::fold;

/// Below so many words, texts are too short to tell.
const FEWEST_WORDS: usize = 8;

/// Bytes of a text that are compared.
const LOOKED_AT: usize = 8 * 1024;

/// The heading of a section and the words of its text, each as often as it stands there.
#[derive(Debug)]
pub(super) struct Likeness {
    heading: String,
    words: Vec<u64>,
}

impl Likeness {
    pub(super) fn of(heading: &str, text: &str) -> Self {
        let text = head(text, LOOKED_AT);
        let number = |word: &str| {
            let mut hasher = DefaultHasher::new();
            stem(word).hash(&mut hasher);
            hasher.finish()
        };
        let mut words: Vec<u64> = words(text).map(|word| number(&text[word])).collect();
        words.sort_unstable();
        Self { heading: fold(heading), words }
    }

    /// Tells whether the heading is the same and nine words of ten are: another heading may be all that
    /// tells two answers apart.
    pub(super) fn resembles(&self, other: &Self) -> bool {
        let is_same_heading = self.heading == other.heading;
        let (one, other) = (&self.words, &other.words);
        let most = one.len().max(other.len());
        let least = one.len().min(other.len());
        if least < FEWEST_WORDS || least * 10 < most * 9 || !is_same_heading {
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
        let likeness = |text| Likeness::of("Rotation", text);
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
        assert!(!Likeness::of("a", text).resembles(&Likeness::of("b", text)));
    }
}
