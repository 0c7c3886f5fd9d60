//! Joins merged parts to a file.

use std::collections::BTreeMap;

use super::merged::MergePiece;
use super::part_text::split;
use crate::markdown::{FilePart, LineEnding};

/// Joins the parts: each keeps the blank lines that it had where something stood behind it.
pub(super) fn assemble(
    kept: &[(&FilePart<'_>, MergePiece)],
    files: [&[FilePart<'_>]; 3],
    ending: LineEnding,
) -> String {
    let end_of_file = merge_tails(files.map(|parts| parts.last().map(tail)));
    let tails = files.map(tails_before_another);
    let mut text = String::new();
    for (number, (part, piece)) in kept.iter().enumerate() {
        text += piece.text.trim_end_matches(['\n', '\r']);
        text += &match number + 1 == kept.len() {
            true if piece.is_conflict => ending.apply("\n"),
            true => end_of_file.clone().unwrap_or_default(),
            false => {
                let here = tails.each_ref().map(|tails| tails.get(part.key.as_str()));
                merge_tails(here.map(|tail| tail.map(|tail| (*tail).to_owned())))
                    .unwrap_or_else(|| ending.apply("\n\n"))
            }
        };
    }
    text
}

/// Merges the blank lines at an end: those of the side that changed them; of two sides where there were none before,
/// the longer ones.
fn merge_tails([base, ours, theirs]: [Option<String>; 3]) -> Option<String> {
    match (base, ours, theirs) {
        (Some(base), Some(ours), Some(theirs)) => Some(pick([base, ours, theirs])),
        (base, ours, theirs) => ours.max(theirs).or(base),
    }
}

/// Returns what one side changed; of two changes always the same one, independent of the order of the sides.
fn pick<T: Ord>([base, ours, theirs]: [T; 3]) -> T {
    match (ours == base, theirs == base) {
        (true, _) => theirs,
        (_, true) => ours,
        (false, false) => ours.max(theirs),
    }
}

fn tail(part: &FilePart<'_>) -> String {
    split(part).1.to_owned()
}

fn tails_before_another<'p>(parts: &'p [FilePart<'_>]) -> BTreeMap<&'p str, &'p str> {
    let before_last = parts.split_last().map_or(&[][..], |(_, rest)| rest);
    // Of equal ones the first counts.
    before_last.iter().rev().map(|part| (part.key.as_str(), split(part).1)).collect()
}
