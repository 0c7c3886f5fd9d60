//! Merges lines where both sides changed the same part.

use std::ops::Range;

use similar::{MergeRegion, MergeResolution, TextMerge};

use super::merged::MergePiece;
use super::sides::Marks;
use crate::markdown::{LineEnding, is_list, without_repeats};

pub(super) fn merge_words(
    base: Option<&str>,
    ours: &str,
    theirs: &str,
    marks: &Marks<'_>,
) -> MergePiece {
    let lines = |text: &str| format!("{text}{}", LineEnding::of(text).apply("\n"));
    merge_lines(&base.map(lines).unwrap_or_default(), &lines(ours), &lines(theirs), marks)
}

/// Merges line by line; marks what a person has to decide.
pub(super) fn merge_lines(base: &str, ours: &str, theirs: &str, marks: &Marks<'_>) -> MergePiece {
    let merge = TextMerge::from_lines(base, ours, theirs);
    let ending = LineEnding::of(if ours.is_empty() { theirs } else { ours });
    let mut piece = MergePiece::clean("");
    for region in merge.regions() {
        let our_lines = || concat(region.ours_range(), |index| merge.ours_line(index));
        let their_lines = || concat(region.theirs_range(), |index| merge.theirs_line(index));
        match region.resolution() {
            MergeResolution::Unchanged | MergeResolution::Both | MergeResolution::Ours => {
                piece.text += &our_lines();
            }
            MergeResolution::Theirs => piece.text += &their_lines(),
            _ => match added_to_a_list(region, &our_lines(), &their_lines()) {
                Some(both) => piece.text += &both,
                None => {
                    piece.is_conflict = true;
                    piece.text += &conflict([&our_lines(), &their_lines()], marks, ending);
                }
            },
        }
    }
    piece
}

/// Joins what both sides added to a list at the same place, as each bullet is independent. A bullet is the same one only
/// with all that belongs to it.
fn added_to_a_list(region: &MergeRegion, ours: &str, theirs: &str) -> Option<String> {
    if !region.base_range().is_empty() || !is_list(ours) || !is_list(theirs) {
        return None;
    }
    let whole =
        |text: &str| if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") };
    let mut sides = [whole(ours), whole(theirs)];
    sides.sort();
    let [first, second] = sides;
    let (rest, _) = without_repeats(&second, &first);
    let end = if rest.is_empty() { "" } else { "\n" };
    Some(first.clone() + &LineEnding::of(&second).apply(&format!("{rest}{end}")))
}

/// Marks all from the first line in which two texts differ to the last.
pub(super) fn dispute(sides: [&str; 2], marks: &Marks<'_>, ending: LineEnding) -> MergePiece {
    let [ours, theirs] = sides.map(|text| text.split_inclusive('\n').collect::<Vec<&str>>());
    let above = ours.iter().zip(&theirs).take_while(|(one, other)| one == other).count();
    let [our_rest, their_rest] = [&ours[above..], &theirs[above..]];
    let pairs = our_rest.iter().rev().zip(their_rest.iter().rev());
    let below = pairs.take_while(|(one, other)| one == other).count();
    let differing = [our_rest, their_rest].map(|rest| rest[..rest.len() - below].concat());
    let marked = conflict(differing.each_ref().map(String::as_str), marks, ending);
    let text = ours[..above].concat() + &marked + &ours[ours.len() - below..].concat();
    MergePiece { text, is_conflict: true }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Removed {
    Here,
    There,
}

/// Marks a section that one side removed while the other changed it; the labels say who did what.
pub(super) fn removed(changed: &str, by: Removed, marks: &Marks<'_>) -> MergePiece {
    let label = |name: &str, did: &str| format!("{name}: {did}");
    let (ours, theirs, sides) = match by {
        Removed::Here => ("deleted", "changed", ["", changed]),
        Removed::There => ("changed", "deleted", [changed, ""]),
    };
    let (ours, theirs) = (label(marks.ours, ours), label(marks.theirs, theirs));
    let marks = Marks { ours: &ours, theirs: &theirs, length: marks.length };
    MergePiece { text: conflict(sides, &marks, LineEnding::of(changed)), is_conflict: true }
}

pub(super) fn conflict([ours, theirs]: [&str; 2], marks: &Marks<'_>, ending: LineEnding) -> String {
    let mark = |sign: &str, label: &str| {
        let line = format!("{} {label}", sign.repeat(marks.length));
        ending.apply(&format!("{}\n", line.trim_end()))
    };
    let whole = |text: &str| match text.is_empty() || text.ends_with('\n') {
        true => text.to_owned(),
        false => text.to_owned() + &ending.apply("\n"),
    };
    [mark("<", marks.ours), whole(ours), mark("=", ""), whole(theirs), mark(">", marks.theirs)]
        .concat()
}

fn concat<'t>(range: Range<usize>, line: impl Fn(usize) -> Option<&'t str>) -> String {
    range.filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKS: Marks<'static> = Marks { ours: "ours", theirs: "theirs", length: 7 };

    #[track_caller]
    fn check(ours: &str, theirs: &str, expected: &str) {
        for ending in [LineEnding::Lf, LineEnding::CrLf] {
            let [ours, theirs, expected] =
                [ours, theirs, expected].map(|added| ending.apply(&format!("- zero\n{added}")));
            for [one, other] in [[&ours, &theirs], [&theirs, &ours]] {
                let piece = merge_lines(&ending.apply("- zero\n"), one, other, &MARKS);
                assert_eq!((piece.text.as_str(), piece.is_conflict), (expected.as_str(), false));
            }
        }
    }

    #[test]
    fn bullets_of_both_sides_are_joined_and_said_once() {
        check("- a\n- b\n", "- a\n- c\n", "- a\n- b\n- c\n");
        check("- a\n", "- a\n  more\n", "- a\n- a\n  more\n");
    }

    #[test]
    fn a_bullet_keeps_all_that_belongs_to_it() {
        let [ours, theirs] = ["Redis", "Postgres"]
            .map(|name| format!("- Never in production ({name}):\n  - flush all\n  - drop all\n"));
        check(&ours, &theirs, &format!("{theirs}{ours}"));
    }
}
