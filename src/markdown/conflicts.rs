//! Tells a conflict that git left from an example of one in a block of code.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

use super::nesting;
use crate::text::{find_conflict_marker, is_conflict_marker};

/// The marks of an example, each at the beginning of a line; git makes longer ones only in what it merges twice.
const SIGNS: [&str; 4] = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"];

/// Finds the line of the first mark of a conflict, from 1. Marks in a closed block of code are an example, if the block
/// holds all of them in their order: one that a side opened or closed holds only some.
pub(crate) fn find_conflict(text: &str) -> Option<usize> {
    find_conflict_marker(text)?;
    let examples = examples(text);
    let is_example = |at: usize| {
        let next = examples.partition_point(|example| example.start <= at);
        next.checked_sub(1).is_some_and(|before| examples[before].contains(&at))
    };
    let found = lines(text, 0)
        .zip(1..)
        .find(|((at, line), _)| is_conflict_marker(line) && !is_example(*at));
    found.map(|(_, number)| number)
}

/// Tells whether a text has a mark more often than each of some texts that it may have it from.
pub(crate) fn brings_mark(text: &str, known: &[&str]) -> bool {
    let known: Vec<BTreeMap<&str, usize>> = known.iter().map(|known| marks(known)).collect();
    let count = |known: &BTreeMap<&str, usize>, mark| known.get(mark).copied().unwrap_or_default();
    marks(text).into_iter().any(|(mark, now)| known.iter().all(|known| count(known, mark) < now))
}

fn marks(text: &str) -> BTreeMap<&str, usize> {
    let mut marks = BTreeMap::new();
    let found = text.lines().filter(|line| is_conflict_marker(line));
    found.for_each(|mark| *marks.entry(mark).or_default() += 1);
    marks
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

/// The lines of an example between its marks.
#[derive(Default)]
struct ExampleSides<'t> {
    our: Vec<&'t str>,
    their: Vec<&'t str>,
}

impl<'t> ExampleSides<'t> {
    fn of(example: &'t str) -> Self {
        let (mut sides, mut place) = (Self::default(), None);
        for line in example.lines() {
            match (sign(line), place) {
                (Some(sign), _) => place = Some(sign),
                (None, Some(0)) => sides.our.push(line),
                (None, Some(2)) => sides.their.push(line),
                (None, _) => {}
            }
        }
        sides
    }
}

/// Returns the places of the examples, each from its first mark to its last.
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

/// Returns the examples in a block of code; none where a mark is missing or out of order.
fn examples_in(text: &str, block: Range<usize>) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let (mut start, mut last) = (0, 3);
    for (at, line) in lines(&text[block.clone()], block.start) {
        let Some(sign) = sign(line) else {
            // A mark of another length.
            if is_conflict_marker(line) {
                return None;
            }
            continue;
        };
        match (last, sign) {
            (3, 0) => start = at,
            (0, 1 | 2) | (1, 2) => {}
            (2, 3) => found.push(start..at + line.len()),
            // A line of that kind is no mark outside of a conflict.
            (3, 2) => continue,
            _ => return None,
        }
        last = sign;
    }
    (last == 3).then_some(found)
}

/// Tells whether the last line of a block closes it.
fn is_closed(block: &str) -> bool {
    let mut lines = block.trim_end().lines();
    let opened = lines.next().unwrap_or_default().trim_start();
    let mark = if opened.starts_with('~') { '~' } else { '`' };
    let length = opened.chars().take_while(|c| *c == mark).count();
    lines.next_back().is_some_and(|last| {
        let last = last.trim();
        last.len() >= length && last.chars().all(|c| c == mark)
    })
}

/// Returns which mark of seven signs a line is.
fn sign(line: &str) -> Option<usize> {
    let at = SIGNS.iter().position(|sign| line.starts_with(sign))?;
    let rest = &line[7..];
    (rest.trim_end().is_empty() || rest.starts_with(' ')).then_some(at)
}

/// Returns the lines of a text with the places where they begin.
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

    const SET: &str = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\n";

    #[track_caller]
    fn check(text: &str, expected: Option<usize>) {
        assert_eq!(find_conflict(text), expected, "{text}");
        assert_eq!(find_conflict(&text.replace('\n', "\r\n")), expected, "{text}");
    }

    #[test]
    fn a_whole_conflict_in_a_block_of_code_is_an_example() {
        check(SET, Some(1));
        check(&format!("a\n\n```\n{SET}```\nb\n"), None);
        check(&format!("~~~ diff\nx\n{SET}y\n{SET}~~~"), None);
        let with_base = SET.replace("=======", "||||||| base\nboth\n=======");
        check(&format!("````\n```\n{with_base}```\n````\n"), None);
        check(&format!("```\nTitle\n=======\n{SET}```\n"), None);
        check(&format!("- a\n\n      {}", SET.replace('\n', "\n      ")), None);
    }

    #[test]
    fn what_is_around_a_block_of_code_or_crosses_its_end_is_a_conflict() {
        check(&format!("```\n{SET}```\n\n{SET}"), Some(9));
        check("<<<<<<< a\n```\nx\n```\n=======\n```\ny\n```\n>>>>>>> b\n", Some(1));
        check("```\n<<<<<<< a\nx\n```\n=======\n```\n```\ny\n>>>>>>> b\n```\n", Some(2));
        check("```\n<<<<<<< a\nx\n=======\n```\ny\n>>>>>>> b\n", Some(2));
        check(&format!("```\n{SET}"), Some(2));
        check(&format!("```\n{SET}~~~\n"), Some(2));
        for part in ["<<<<<<< a\n", "<<<<<<< a\n=======\n", ">>>>>>> a\n", "||||||| a\n"] {
            check(&format!("```\n{part}```\n"), Some(2));
        }
        let longer: String = SET
            .lines()
            .map(|line| match &line[..1] {
                sign @ ("<" | "=" | ">") => format!("{sign}{line}\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        check(&format!("```\n{longer}```\n"), Some(2));
    }

    #[test]
    fn git_writes_the_lines_of_both_sides() {
        let side = |line: &str| format!("a\n\n```\nx\n{line}\ny\n```\n");
        let (ours, theirs) = (side("ours"), side("theirs"));
        let left = side(SET.trim_end());
        assert!(is_written_by_git(&left, [&ours, &theirs]));
        assert!(is_written_by_git(&left.replace("ours\n", ""), [&ours, &theirs]));
        assert!(!is_written_by_git(&left, [&left, &theirs]));
        assert!(!is_written_by_git(&left.replace("theirs", "other"), [&ours, &theirs]));
    }

    #[test]
    fn a_mark_is_known_where_it_stood_before() {
        assert!(!brings_mark(SET, &[SET, ""]));
        assert!(brings_mark(&SET.repeat(2), &[SET, SET]));
        assert!(brings_mark(&SET.replace("HEAD", "x"), &[SET]));
        assert!(!brings_mark("a\n=======\n", &[]));
    }

    #[test]
    fn no_text_takes_long() {
        for text in [SET.repeat(20_000), format!("```\n{}```\n", SET.repeat(20_000))] {
            find_conflict(&text);
            brings_mark(&text, &[&text]);
            is_written_by_git(&text, [&text, &text]);
        }
        find_conflict(&format!("```\n{SET}```\n").repeat(20_000));
    }
}
