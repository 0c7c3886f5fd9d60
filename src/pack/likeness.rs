//! Tells whether two texts say nearly the same.

use std::collections::BTreeSet;

use crate::text::fold;

/// What a text says, as runs of three words; case, marks and the order of lines apart.
#[derive(Debug)]
pub(super) struct Likeness(BTreeSet<String>);

/// Words of a run.
const RUN: usize = 3;

/// Of ten runs that either text has, both have nine in texts that are nearly the same.
const NEARLY: usize = 9;

impl Likeness {
    /// Reads a text.
    pub(super) fn of(text: &str) -> Self {
        let folded = fold(text);
        let words: Vec<&str> = folded.split_whitespace().collect();
        let runs = words.windows(RUN.min(words.len()).max(1)).map(|run| run.join(" "));
        Self(runs.collect())
    }

    /// Tells whether another text says nearly the same; two without a word do not.
    pub(super) fn is_nearly(&self, other: &Self) -> bool {
        let shared = self.0.intersection(&other.0).count();
        let all = self.0.len() + other.0.len() - shared;
        shared > 0 && shared * 10 >= all * NEARLY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(one: &str, other: &str, expected: bool) {
        assert_eq!(Likeness::of(one).is_nearly(&Likeness::of(other)), expected, "{one} / {other}");
    }

    #[test]
    fn case_marks_and_the_order_of_lines_make_no_difference() {
        check("- Retry twice\n- Log the reason", "* log the REASON\n* retry twice", true);
        check("short", "Short", true);
    }

    #[test]
    fn one_word_of_many_makes_little_difference() {
        let text = (0..60).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ");
        check(&text, &format!("{text} more"), true);
        check(&text, &text.replace("w30", "x"), true);
        check("access tokens live long", "access tokens never live long", false);
    }

    #[test]
    fn texts_without_a_word_are_not_the_same() {
        check("", "", false);
        check("", "word", false);
    }
}
