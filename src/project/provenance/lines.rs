//! Finds cited lines again in the text that a file has today.

use std::cmp::Reverse;

use super::cited::{Cited, cited_file};
use super::freshness::Freshness;

/// Where the text of cited lines is today.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinesToday {
    /// Where it was.
    InPlace,
    /// Elsewhere in the file: its first and its last line.
    At(usize, usize),
    /// Nowhere in the file.
    Changed,
    /// There is no text to compare with, so the whole file decides.
    NotKnown,
}

/// A cited file with the blob that it was, as far as 12 hex digits tell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Pin<'a> {
    pub(crate) blob: &'a str,
    pub(crate) reference: &'a str,
}

impl<'a> Pin<'a> {
    /// Returns the place that it names, if it names lines.
    pub(crate) fn lines(self) -> Option<Cited<'a>> {
        cited_file(self.reference).filter(|cited| cited.last_line > 0)
    }
}

impl LinesToday {
    /// Looks for the lines that were cited in `then`. Line ends do not count, nor whether the last line has one.
    ///
    /// Of several equal texts the nearest counts; of two that are equally near the one further down, as files grow. Where
    /// there are fewer of them than there were, the cited one may be what changed.
    /// Blank lines are equal to any others, so they are never found elsewhere.
    pub(crate) fn find(cited: &Cited<'_>, then: &[u8], today: &[u8]) -> Self {
        let (then, today) = (lines_of(then), lines_of(today));
        let start = cited.first_line.saturating_sub(1);
        let range = start..cited.last_line;
        let Some(wanted) = then.get(range.clone()).filter(|lines| !lines.is_empty()) else {
            return Self::NotKnown;
        };
        if today.get(range) == Some(wanted) {
            return Self::InPlace;
        }
        if wanted.iter().all(|line| line.trim_ascii().is_empty()) {
            return Self::Changed;
        }
        let found = places(wanted, &today);
        // Which of several copies is gone is not told by their text.
        if found.len() < places(wanted, &then).len() {
            return Self::Changed;
        }
        let nearest =
            found.into_iter().min_by_key(|place| (place.abs_diff(start), Reverse(*place)));
        nearest.map_or(Self::Changed, |place| Self::At(place + 1, place + wanted.len()))
    }

    /// Returns what a source is whose whole file is this.
    pub(crate) fn freshness(self, whole: Freshness) -> Freshness {
        match (whole, self) {
            (Freshness::Stale, Self::InPlace) => Freshness::Fresh,
            (Freshness::Stale, Self::At(..)) => Freshness::Moved,
            (Freshness::Stale, Self::Changed | Self::NotKnown)
            | (
                Freshness::Fresh | Freshness::Moved | Freshness::Unchecked | Freshness::Missing,
                _,
            ) => whole,
        }
    }

    /// Returns a reference with the lines of today, if they moved.
    pub(crate) fn moved_to(self, reference: &str) -> Option<String> {
        let Self::At(first, last) = self else { return None };
        let (place, name) = match reference.split_once("::") {
            Some((place, name)) => (place, format!("::{name}")),
            None => (reference, String::new()),
        };
        let path = place.rsplit_once("#L").or_else(|| place.rsplit_once(':'))?.0;
        let lines = if first == last { first.to_string() } else { format!("{first}-{last}") };
        Some(format!("{path}:{lines}{name}"))
    }
}

pub(super) fn lines_of(text: &[u8]) -> Vec<&[u8]> {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let bare = |line: &'_ [u8]| line.strip_suffix(b"\n").unwrap_or(line).len();
    lines
        .map(|line| &line[..bare(line)])
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .collect()
}

/// Returns where some lines stand in a text. Each line is compared with few others (Knuth, Morris, Pratt), as a long file
/// of one repeated line would take hours else.
fn places(wanted: &[&[u8]], text: &[&[u8]]) -> Vec<usize> {
    // For each number of lines that fit, how many still do one line further down.
    let mut shorter = vec![0; wanted.len()];
    let with_next = |shorter: &[usize], mut fitting: usize, line: &[u8]| {
        while fitting > 0 && wanted[fitting] != line {
            fitting = shorter[fitting - 1];
        }
        fitting + usize::from(wanted[fitting] == line)
    };
    for at in 1..wanted.len() {
        shorter[at] = with_next(&shorter, shorter[at - 1], wanted[at]);
    }
    let (mut found, mut fitting) = (Vec::new(), 0);
    for (at, line) in text.iter().enumerate() {
        fitting = with_next(&shorter, fitting, line);
        if fitting == wanted.len() {
            found.push(at + 1 - fitting);
            fitting = shorter[fitting - 1];
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lines: &str, then: &str, today: &str, expected: LinesToday) {
        let reference = format!("a.rs:{lines}");
        let cited = cited_file(&reference).expect("it is a file");
        assert_eq!(LinesToday::find(&cited, then.as_bytes(), today.as_bytes()), expected);
    }

    #[test]
    fn lines_around_the_cited_ones_change_nothing() {
        check("1-2", "a\nb\nc\n", "a\nb\nx\ny\n", LinesToday::InPlace);
        check("2-3", "a\nb\nc\n", "x\nb\nc\n", LinesToday::InPlace);
        check("2-3", "a\nb\nc\n", "a\nx\nb\nc\n", LinesToday::At(3, 4));
        check("3", "a\nb\nc\n", "c\n", LinesToday::At(1, 1));
        check("1-2", "a\nb\nc\n", "a\nx\nb\nc\n", LinesToday::Changed);
        check("1", "a\n", "", LinesToday::Changed);
    }

    #[test]
    fn line_ends_do_not_count() {
        check("1-2", "a\nb\n", "a\r\nb\r\nc\r\n", LinesToday::InPlace);
        check("1-2", "a\r\nb", "a\nb\nc\n", LinesToday::InPlace);
        check("2", "a\nb", "x\na\nb\n", LinesToday::At(3, 3));
        check("1", "a\r\r\n", "a\r\n", LinesToday::Changed);
    }

    #[test]
    fn the_nearest_of_equal_texts_counts() {
        check("3", "x\ny\na\n", "a\nx\nx\nx\na\na\n", LinesToday::At(5, 5));
        check("2", "x\na\n", "a\nx\na\n", LinesToday::At(3, 3));
        check("2-4", "x\na\na\nb\n", "a\na\na\nb\n", LinesToday::InPlace);
        check("2-4", "x\na\na\nb\n", "a\na\na\na\nb\n", LinesToday::At(3, 5));
    }

    #[test]
    fn a_copy_that_was_there_before_is_not_what_was_cited() {
        check("2", "x\na\ny\na\n", "x\nb\ny\na\n", LinesToday::Changed);
        check("2", "x\na\ny\na\n", "n\nx\na\ny\na\n", LinesToday::At(3, 3));
    }

    #[test]
    fn blank_lines_are_not_found_elsewhere() {
        check("2", "a\n\nb\n", "a\nb\n\n", LinesToday::Changed);
        check("2-3", "a\n \n\t\nb\n", "\na\n \n\t\nb\n", LinesToday::Changed);
        check("2", "a\n\nb\n", "a\n\nc\n", LinesToday::InPlace);
    }

    #[test]
    fn lines_that_the_old_text_did_not_have_are_not_known() {
        check("2-3", "a\nb\n", "a\nb\nc\n", LinesToday::NotKnown);
        check("9", "", "a\n", LinesToday::NotKnown);
    }

    #[test]
    fn one_line_that_is_repeated_is_found_in_no_time() {
        let then = "a\n".repeat(200_000) + "b\n";
        check("1-200001", &then, &"a\n".repeat(400_000), LinesToday::Changed);
    }

    #[test]
    fn the_new_lines_are_written_where_the_old_ones_stood() {
        let moved = |reference| LinesToday::At(5, 8).moved_to(reference).expect("it moved");
        assert_eq!(moved("src/a.rs:1-4"), "src/a.rs:5-8");
        assert_eq!(moved("src/a.rs#L1-L4"), "src/a.rs:5-8");
        assert_eq!(moved("we:ird.rs:1-4::name"), "we:ird.rs:5-8::name");
        assert_eq!(LinesToday::At(5, 5).moved_to("a.rs:1").as_deref(), Some("a.rs:5"));
        assert_eq!(LinesToday::Changed.moved_to("a.rs:1"), None);
    }
}
