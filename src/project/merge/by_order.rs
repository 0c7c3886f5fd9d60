//! Merges sections as they follow one another, where their names do not tell which became which.

use std::collections::{BTreeSet, HashMap};

use similar::{Algorithm, MergeResolution, TextMergeConfig};

use super::assemble::assemble;
use super::deleted::DeletedLines;
use super::lines::{conflict, merge_words};
use super::merged::{MergePiece, Merged};
use super::part_text::{split, text_of};
use super::sides::Marks;
use crate::markdown::{FilePart, LineEnding, part_title};

/// Merges as git does, with whole sections in place of lines. What is not right then is a conflict from the first
/// section that differs to the last.
pub(super) fn by_order(
    files: [&[FilePart<'_>]; 3],
    deleted: &DeletedLines,
    ending: LineEnding,
    marks: &Marks<'_>,
) -> Merged {
    let [base, ours, theirs] = numbered(files);
    let merge = TextMergeConfig::default()
        .algorithm(Algorithm::Patience)
        .merge_lines(&base, &ours, &theirs);
    let (mut kept, mut conflicts) = (Vec::new(), Vec::new());
    let (mut our_keys, mut their_keys) = (BTreeSet::new(), BTreeSet::new());
    let mut both_removed = false;
    for region in merge.regions() {
        let base = &files[0][region.base_range()];
        let (ours, theirs) = (&files[1][region.ours_range()], &files[2][region.theirs_range()]);
        let changed = match region.resolution() {
            MergeResolution::Unchanged | MergeResolution::Both | MergeResolution::Ours => {
                Some(ours.iter().collect())
            }
            MergeResolution::Theirs => Some(theirs.iter().collect()),
            _ => neighbours(base, ours, theirs),
        };
        match region.resolution() {
            MergeResolution::Both => both_removed |= !base.is_empty(),
            MergeResolution::Ours => our_keys.extend(ours.iter().map(|part| &part.key)),
            MergeResolution::Theirs => their_keys.extend(theirs.iter().map(|part| &part.key)),
            _ => {}
        }
        if let Some(parts) = changed {
            let clean = |part: &FilePart<'_>| MergePiece::clean(split(part).0);
            kept.extend(parts.into_iter().map(|part: &FilePart<'_>| (part, clean(part))));
            continue;
        }
        let piece = disputed([base, ours, theirs], ending, marks);
        let first = ours.first().or(theirs.first()).filter(|_| piece.is_conflict);
        conflicts.extend(first.map(|part| part_title(&part.key)));
        kept.extend(ours.last().or(theirs.last()).map(|last| (last, piece)));
    }
    // It may be one section that both moved or renamed, and would come twice.
    let may_be_same = both_removed && !our_keys.is_empty() && !their_keys.is_empty();
    let clean = kept.iter().map(|(_, piece)| if piece.is_conflict { "" } else { &*piece.text });
    let comes_back = deleted.come_back(clean).contains(&true);
    match may_be_same || comes_back || !our_keys.is_disjoint(&their_keys) {
        true => whole([files[1], files[2]], ending, marks),
        false => Merged { text: assemble(&kept, files, ending), conflicts },
    }
}

/// Writes each section as one line, the number of its text.
fn numbered(files: [&[FilePart<'_>]; 3]) -> [String; 3] {
    let mut numbers = HashMap::new();
    files.map(|parts| {
        let mut lines = String::new();
        for part in parts {
            let next = numbers.len();
            lines += &format!("{}\n", numbers.entry(split(part).0).or_insert(next));
        }
        lines
    })
}

/// Takes each of some sections from the side that changed it, where none came or went and both changed none in two ways.
fn neighbours<'p, 'a>(
    base: &[FilePart<'_>],
    ours: &'p [FilePart<'a>],
    theirs: &'p [FilePart<'a>],
) -> Option<Vec<&'p FilePart<'a>>> {
    if base.len() != ours.len() || base.len() != theirs.len() {
        return None;
    }
    let changed = base.iter().zip(ours.iter().zip(theirs)).map(|(base, (our, their))| {
        let is_left = |part: &FilePart<'_>| split(part).0 == split(base).0;
        let is_same = split(our).0 == split(their).0;
        if is_left(our) { Some(their) } else { (is_same || is_left(their)).then_some(our) }
    });
    changed.collect()
}

/// Merges what both sides changed: line by line if it is one section, else as a whole.
fn disputed(
    [base, ours, theirs]: [&[FilePart<'_>]; 3],
    ending: LineEnding,
    marks: &Marks<'_>,
) -> MergePiece {
    if let ([our], [their]) = (ours, theirs)
        && our.key == their.key
        && base.iter().all(|part| part.key == our.key)
    {
        let base = base.first().map(|part| split(part).0);
        return merge_words(base, split(our).0, split(their).0, marks);
    }
    MergePiece {
        text: conflict([&text_of(ours), &text_of(theirs)], marks, ending),
        is_conflict: true,
    }
}

/// Marks all from the first section that the sides do not have alike to the last.
fn whole(sides: [&[FilePart<'_>]; 2], ending: LineEnding, marks: &Marks<'_>) -> Merged {
    let [ours, theirs] = sides;
    let is_same = |(one, other): &(&FilePart<'_>, &FilePart<'_>)| one.text == other.text;
    let above = ours.iter().zip(theirs).take_while(is_same).count();
    let rests = sides.map(|side| &side[above..]);
    let below = rests[0].iter().rev().zip(rests[1].iter().rev()).take_while(is_same).count();
    let differing = rests.map(|rest| &rest[..rest.len() - below]);
    let all = |parts: &[FilePart<'_>]| parts.iter().map(|part| part.text).collect::<String>();
    let [our_text, their_text] = differing.map(all);
    let marked = conflict([&our_text, &their_text], marks, ending);
    let first = differing.iter().find_map(|parts| parts.first());
    Merged {
        text: all(&ours[..above]) + &marked + &all(&ours[ours.len() - below..]),
        conflicts: vec![first.map(|part| part_title(&part.key)).unwrap_or_default()],
    }
}
