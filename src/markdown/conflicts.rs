//! Tells a conflict that git left from an example of one in a fenced code block.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

use super::nesting;
use super::ranges::are_around;
use crate::text::{find_conflict_marker, is_conflict_marker};
use ConflictMarker::{Base, End, Ours, Theirs};

/// A marker of an example, of seven characters at the beginning of a line. Git writes longer ones only in what it merges
/// twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConflictMarker {
    /// `<<<<<<<`, and the side of this branch below it.
    Ours,
    /// `|||||||`, and what both sides come from.
    Base,
    /// `=======`, and the other side.
    Theirs,
    /// `>>>>>>>`.
    End,
}

impl ConflictMarker {
    fn of(line: &str) -> Option<Self> {
        let (marker, rest) = line.split_at_checked(7)?;
        let marker = match marker {
            "<<<<<<<" => Ours,
            "|||||||" => Base,
            "=======" => Theirs,
            ">>>>>>>" => End,
            _ => return None,
        };
        (rest.trim_end().is_empty() || rest.starts_with(' ')).then_some(marker)
    }
}

/// Finds the line of the first marker of a conflict, from 1. Markers in a closed fenced code block are an example, if the
/// block holds all of them in their order: a block that a side opened or closed holds only some.
pub(crate) fn find_conflict(text: &str) -> Option<usize> {
    find_conflict_marker(text)?;
    let examples = examples(text);
    let found = lines(text, 0)
        .zip(1..)
        .find(|((at, line), _)| is_conflict_marker(line) && !are_around(&examples, *at));
    found.map(|(_, number)| number)
}

/// Tells whether a text has a marker more often than each of some texts that it may have it from.
pub(crate) fn brings_marker(text: &str, known: &[&str]) -> bool {
    let known: Vec<_> = known.iter().map(|known| markers(known)).collect();
    markers(text).into_iter().any(|(marker, count)| {
        known.iter().all(|known| known.get(marker).copied().unwrap_or_default() < count)
    })
}

/// Counts the lines that are markers.
fn markers(text: &str) -> BTreeMap<&str, usize> {
    let mut markers = BTreeMap::new();
    let found = text.lines().filter(|line| is_conflict_marker(line));
    found.for_each(|marker| *markers.entry(marker).or_default() += 1);
    markers
}

/// Tells whether git wrote an example: it has the lines of one side, then those of the other, and is in neither.
pub(crate) fn is_written_by_git(text: &str, [ours, theirs]: [&str; 2]) -> bool {
    let [our_lines, their_lines] = [ours, theirs].map(|side| side.lines().collect::<HashSet<_>>());
    examples(text).into_iter().map(|example| &text[example]).any(|example| {
        let ExampleSides { our, their } = ExampleSides::of(example);
        our.iter().all(|line| our_lines.contains(line))
            && their.iter().all(|line| their_lines.contains(line))
            && ![ours, theirs].iter().any(|side| side.contains(example))
    })
}

/// The lines of an example between its markers.
#[derive(Default)]
struct ExampleSides<'t> {
    our: Vec<&'t str>,
    their: Vec<&'t str>,
}

impl<'t> ExampleSides<'t> {
    fn of(example: &'t str) -> Self {
        let (mut sides, mut above) = (Self::default(), None);
        for line in example.lines() {
            match (ConflictMarker::of(line), above) {
                (Some(marker), _) => above = Some(marker),
                (None, Some(Ours)) => sides.our.push(line),
                (None, Some(Theirs)) => sides.their.push(line),
                (None, Some(Base | End) | None) => {}
            }
        }
        sides
    }
}

/// Returns the ranges of the examples, each from its first marker to its last.
fn examples(text: &str) -> Vec<Range<usize>> {
    let mut examples = Vec::new();
    for (event, block) in
        Parser::new_ext(&nesting::bound(text), Options::empty()).into_offset_iter()
    {
        if let Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) = event
            && is_closed(&text[block.clone()])
        {
            examples.extend(examples_in(text, block).unwrap_or_default());
        }
    }
    examples
}

/// Returns the examples in a fenced code block; none where a marker is missing or out of order.
fn examples_in(text: &str, block: Range<usize>) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let (mut start, mut above) = (0, End);
    for (at, line) in lines(&text[block.clone()], block.start) {
        let Some(marker) = ConflictMarker::of(line) else {
            // A marker of another length.
            if is_conflict_marker(line) {
                return None;
            }
            continue;
        };
        match (above, marker) {
            (End, Ours) => start = at,
            (Ours, Base | Theirs) | (Base, Theirs) => {}
            (Theirs, End) => found.push(start..at + line.len()),
            // Outside of a conflict such a line underlines a heading.
            (End, Theirs) => continue,
            (Ours | Base | Theirs | End, _) => return None,
        }
        above = marker;
    }
    (above == End).then_some(found)
}

/// Tells whether the last line of a block closes it.
fn is_closed(block: &str) -> bool {
    let mut lines = block.trim_end().lines();
    let opened = lines.next().unwrap_or_default().trim_start();
    let fence = if opened.starts_with('~') { '~' } else { '`' };
    let length = opened.chars().take_while(|c| *c == fence).count();
    lines.next_back().is_some_and(|last| {
        let last = last.trim();
        last.len() >= length && last.chars().all(|c| c == fence)
    })
}

/// Returns the lines of a text, each with the offset of its first byte.
fn lines(text: &str, start: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut at = start;
    text.split_inclusive('\n').map(move |line| {
        let begin = at;
        at += line.len();
        (begin, line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFLICT: &str = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\n";

    #[track_caller]
    fn check(text: &str, expected: Option<usize>) {
        assert_eq!(find_conflict(text), expected, "{text}");
        assert_eq!(find_conflict(&text.replace('\n', "\r\n")), expected, "{text}");
    }

    #[test]
    fn a_whole_conflict_in_a_fenced_code_block_is_an_example() {
        check(CONFLICT, Some(1));
        check(&format!("a\n\n```\n{CONFLICT}```\nb\n"), None);
        check(&format!("~~~ diff\nx\n{CONFLICT}y\n{CONFLICT}~~~"), None);
        let with_base = CONFLICT.replace("=======", "||||||| base\nboth\n=======");
        check(&format!("````\n```\n{with_base}```\n````\n"), None);
        check(&format!("```\nTitle\n=======\n{CONFLICT}```\n"), None);
        check(&format!("- a\n\n      {}", CONFLICT.replace('\n', "\n      ")), None);
    }

    #[test]
    fn what_is_around_a_fenced_code_block_or_crosses_its_end_is_a_conflict() {
        check(&format!("```\n{CONFLICT}```\n\n{CONFLICT}"), Some(9));
        check("<<<<<<< a\n```\nx\n```\n=======\n```\ny\n```\n>>>>>>> b\n", Some(1));
        check("```\n<<<<<<< a\nx\n```\n=======\n```\n```\ny\n>>>>>>> b\n```\n", Some(2));
        check("```\n<<<<<<< a\nx\n=======\n```\ny\n>>>>>>> b\n", Some(2));
        check(&format!("```\n{CONFLICT}"), Some(2));
        check(&format!("```\n{CONFLICT}~~~\n"), Some(2));
        for part in ["<<<<<<< a\n", "<<<<<<< a\n=======\n", ">>>>>>> a\n", "||||||| a\n"] {
            check(&format!("```\n{part}```\n"), Some(2));
        }
        let longer: String = CONFLICT
            .lines()
            .map(|line| match &line[..1] {
                first @ ("<" | "=" | ">") => format!("{first}{line}\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        check(&format!("```\n{longer}```\n"), Some(2));
    }

    #[test]
    fn git_writes_the_lines_of_both_sides() {
        let side = |line: &str| format!("a\n\n```\nx\n{line}\ny\n```\n");
        let (ours, theirs) = (side("ours"), side("theirs"));
        let left = side(CONFLICT.trim_end());
        assert!(is_written_by_git(&left, [&ours, &theirs]));
        assert!(is_written_by_git(&left.replace("ours\n", ""), [&ours, &theirs]));
        assert!(!is_written_by_git(&left, [&left, &theirs]));
        assert!(!is_written_by_git(&left.replace("theirs", "other"), [&ours, &theirs]));
    }

    #[test]
    fn a_marker_is_known_where_it_stood_before() {
        assert!(!brings_marker(CONFLICT, &[CONFLICT, ""]));
        assert!(brings_marker(&CONFLICT.repeat(2), &[CONFLICT, CONFLICT]));
        assert!(brings_marker(&CONFLICT.replace("HEAD", "x"), &[CONFLICT]));
        assert!(!brings_marker("a\n=======\n", &[]));
    }

    #[test]
    fn no_text_takes_long() {
        for text in [CONFLICT.repeat(20_000), format!("```\n{}```\n", CONFLICT.repeat(20_000))] {
            find_conflict(&text);
            brings_marker(&text, &[&text]);
            is_written_by_git(&text, [&text, &text]);
        }
        find_conflict(&format!("```\n{CONFLICT}```\n").repeat(20_000));
    }
}
