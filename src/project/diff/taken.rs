//! Puts together what was taken of several changes that build on each other.

use super::pieces::with_pieces;
use crate::project::merge::{Marks, Sides, merge};

#[derive(Debug, Clone, Copy)]
pub(crate) struct PieceChoice<'a> {
    /// What the changes before it made of the file.
    pub before: &'a str,
    /// What it makes of that.
    pub after: &'a str,
    /// A word for each of its pieces, in order.
    pub wanted: &'a [bool],
}

/// Returns the text with the pieces that were taken, or the number of the first change whose pieces need pieces
/// that were not taken.
pub(crate) fn with_taken(changes: &[PieceChoice<'_>]) -> Result<String, usize> {
    // They are not shown: a conflict gives no text.
    let marks = Marks { ours: "", theirs: "", length: 7 };
    let mut text = changes.first().map(|first| first.before.to_owned()).unwrap_or_default();
    for (number, change) in changes.iter().enumerate() {
        let part = with_pieces(change.before, change.after, change.wanted);
        let sides = Sides { base: change.before, ours: &text, theirs: &part };
        let merged = merge(sides, &marks);
        if !merged.conflicts.is_empty() {
            return Err(number);
        }
        text = merged.text;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "# N\n\n## A\n\n- one\n- two\n- three\n";
    /// Two pieces.
    const B: &str = "# N\n\n## A\n\n- 1\n- two\n- 3\n";
    /// One more section behind.
    const C: &str = "# N\n\n## A\n\n- 1\n- two\n- 3\n\n## B\n\ntext\n";
    /// Words in it.
    const D: &str = "# N\n\n## A\n\n- 1\n- two\n- 3\n\n## B\n\ntext and words\n";

    fn check(wanted: [&[bool]; 3], expected: Result<&str, usize>) {
        let texts = [A, B, C, D];
        let changes: Vec<PieceChoice<'_>> = (0..3)
            .map(|n| PieceChoice { before: texts[n], after: texts[n + 1], wanted: wanted[n] })
            .collect();
        assert_eq!(with_taken(&changes).as_deref(), expected.as_ref().copied());
    }

    #[test]
    fn all_of_it_is_the_last_text_and_nothing_the_first() {
        check([&[true, true], &[true], &[true]], Ok(D));
        check([&[false, false], &[false], &[false]], Ok(A));
    }

    #[test]
    fn a_piece_is_taken_from_a_change_and_the_next_one_whole() {
        check([&[false, true], &[true], &[true]], Ok(&D.replace("- 1", "- one")));
        check([&[true, false], &[true], &[false]], Ok(&C.replace("- 3", "- three")));
    }

    #[test]
    fn what_builds_on_a_piece_that_was_left_is_named() {
        check([&[true, true], &[false], &[true]], Err(2));
    }
}
