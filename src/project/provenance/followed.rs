//! Follows cited lines that changed into the text that a file has today.

use super::cited::Cited;
use super::lines::lines_of;
use crate::project::diff::followed;

/// Which lines stand today where others stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FollowedLines {
    /// The first and the last.
    Here(usize, usize),
    /// None: they were taken out.
    Removed,
    /// The old text did not have these lines, or the texts are too long to compare.
    NotKnown,
}

/// Lines of both texts, beyond which they are not compared: a file that was written anew would take minutes.
const LONGEST: usize = 20_000;

impl FollowedLines {
    /// Follows them by what is equal around them.
    pub(crate) fn find(cited: &Cited<'_>, then: &[u8], today: &[u8]) -> Self {
        let (then, today) = (lines_of(then), lines_of(today));
        let (start, end) = (cited.first_line.saturating_sub(1), cited.last_line);
        if start >= end || end > then.len() || then.len() + today.len() > LONGEST {
            return Self::NotKnown;
        }
        match followed(&then, &today, start..end) {
            Some(lines) if lines.is_empty() => Self::Removed,
            Some(lines) => Self::Here(lines.start + 1, lines.end),
            None => Self::NotKnown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::provenance::cited_file;

    #[track_caller]
    fn check(lines: &str, then: &str, today: &str, expected: FollowedLines) {
        let reference = format!("a.rs:{lines}");
        let cited = cited_file(&reference).expect("it is a file");
        let found = FollowedLines::find(&cited, then.as_bytes(), today.as_bytes());
        assert_eq!(found, expected);
    }

    #[test]
    fn lines_that_changed_are_found_by_their_neighbours() {
        let then = "a\nb\nc\nd\n";
        check("2-3", then, "x\na\nB\nc\nd\n", FollowedLines::Here(3, 4));
        check("2-3", then, "a\nb\nand\nc\nd\n", FollowedLines::Here(2, 4));
        check("2", then, "a\nB\nB2\nc\nd\n", FollowedLines::Here(2, 3));
        check("2-3", then, "a\r\nb\r\nd\r\n", FollowedLines::Here(2, 2));
        check("4", then, "a\nb\nc\n", FollowedLines::Removed);
        check("2-3", then, "a\nd\n", FollowedLines::Removed);
        check("2-3", then, "", FollowedLines::Removed);
    }

    #[test]
    fn lines_that_the_old_text_did_not_have_are_not_known() {
        check("4-5", "a\nb\nc\nd\n", "a\n", FollowedLines::NotKnown);
        let long = "a\n".repeat(LONGEST);
        check("1", &long, "b\n", FollowedLines::NotKnown);
    }
}
