//! Tells how far a person has settled a file in conflict.

use std::collections::HashSet;

use crate::markdown::{brings_marker, find_conflict};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MergeProgress {
    /// It is as git left it: no line is new, and none is missing.
    None,
    /// There are markers, and also new or missing lines.
    Begun,
    /// There is no marker left, and it is not one of the sides.
    Done,
}

impl MergeProgress {
    /// Compares a file with the versions that git has of it.
    pub(super) fn of(text: &str, stages: &[Option<String>]) -> Self {
        let known: HashSet<&str> =
            stages.iter().flatten().flat_map(|stage| stage.lines()).collect();
        let is_own = |line: &&str| !known.contains(line);
        // Git leaves one side where the driver could not run.
        let is_one_side = stages.iter().flatten().any(|stage| stage.lines().eq(text.lines()));
        let sides: Vec<&str> = stages.iter().flatten().map(String::as_str).collect();
        // An example that a side has is no mark of git.
        let is_marked = find_conflict(text).is_some()
            || brings_marker(text, &sides)
            || text.lines().filter(is_own).any(|line| line == MARKS[1]);
        let is_changed = || text.lines().filter(is_own).any(|line| !is_mark(line));
        match is_marked {
            true if is_changed() || lacks_news(text, stages) => Self::Begun,
            false if !is_one_side => Self::Done,
            true | false => Self::None,
        }
    }
}

/// Tells whether a line is missing that one side added.
fn lacks_news(text: &str, stages: &[Option<String>]) -> bool {
    let Some((base, sides)) = stages.split_first() else { return false };
    let known: HashSet<&str> =
        base.iter().flat_map(|base| base.lines()).chain(text.lines()).collect();
    sides.iter().flatten().flat_map(|side| side.lines()).any(|line| !known.contains(line))
}

const MARKS: [&str; 4] = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"];

fn is_mark(line: &str) -> bool {
    MARKS.iter().any(|mark| line.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_neither_side_wrote_is_a_persons() {
        let check = |text: &str, expected: MergeProgress| {
            let stages =
                ["a\nb\nc\n", "a\nours\nc\n", "a\ntheirs\nc\n"].map(|it| Some(it.to_owned()));
            assert_eq!(MergeProgress::of(text, &stages), expected, "{text:?}");
        };
        let marked = "a\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\nc\n";
        check(marked, MergeProgress::None);
        check(&marked.replace('\n', "\r\n"), MergeProgress::None);
        check("a\nours\nc\n", MergeProgress::None);
        check("a\nours\ntheirs\nc\n", MergeProgress::Done);
        check("a\nboth\nc\n", MergeProgress::Done);
        check(&marked.replace("ours", "both"), MergeProgress::Begun);
        check("a\nboth\n=======\nc\n", MergeProgress::Begun);
        // One of two conflicts is settled.
        let second = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n";
        check(&format!("{marked}{second}"), MergeProgress::None);
        check(&format!("a\ntheirs\nc\n{second}"), MergeProgress::Begun);
    }
}
