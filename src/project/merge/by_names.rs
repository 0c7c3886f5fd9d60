//! Merges sections part by part, where their names tell which became which.

use std::collections::{BTreeMap, BTreeSet};

use super::assemble::assemble;
use super::deleted::DeletedLines;
use super::lines::{Removed, dispute, merge_words, removed};
use super::merged::{MergePiece, Merged};
use super::names::{PartNames, is_unclear};
use super::order::merge_order;
use super::part_text::{places, split, text_of};
use super::sides::Marks;
use crate::markdown::{FilePart, LineEnding, Outline, part_title, parts};

/// Merges part by part, each known by its name; where that does not tell them apart, or they would then stand in others
/// than they did, returns nothing.
pub(super) fn by_names(
    files: [&[FilePart<'_>]; 3],
    deleted: &DeletedLines,
    ending: LineEnding,
    marks: &Marks<'_>,
) -> Option<Merged> {
    if is_unclear(&files.map(PartNames::of)) {
        return None;
    }
    let [base, ours, theirs] = files;
    let versions = files.map(Version::of);
    let mut kept: Vec<(&FilePart<'_>, MergePiece)> = Vec::new();
    // What stands in a section that is a conflict as a whole.
    let mut inside = BTreeSet::new();
    for part in merge_order(base, ours, theirs) {
        let key = part.key.as_str();
        if !inside.contains(key) {
            let family = removed_family(key, &versions);
            inside.extend(family.iter().skip(1).map(|part| part.key.as_str()));
            kept.extend(merge_part(key, &versions, family, marks).map(|piece| (part, piece)));
        }
    }
    let clean = kept.iter().map(|(_, piece)| if piece.is_conflict { "" } else { &*piece.text });
    let come_back = deleted.come_back(clean);
    for ((part, piece), comes_back) in kept.iter_mut().zip(come_back) {
        if comes_back {
            let sides = [1, 2].map(|side| versions[side].words(&part.key).unwrap_or_default());
            *piece = dispute(sides, marks, ending);
        }
    }
    // Markers are no sections: what they go around is read as one side has it.
    let plain = kept.iter().map(|(part, piece)| match piece.is_conflict {
        true => (*part, MergePiece::clean(split(part).0)),
        false => (*part, MergePiece::clean(&piece.text)),
    });
    let plain = assemble(&plain.collect::<Vec<_>>(), files, ending);
    let is_sure = stands_as_meant(&plain, &kept, [ours, theirs]);
    let conflicts = kept.iter().filter(|(_, piece)| piece.is_conflict);
    let conflicts = conflicts.map(|(part, _)| part_title(&part.key)).collect();
    is_sure.then(|| Merged { text: assemble(&kept, files, ending), conflicts })
}

struct Version<'p, 'a> {
    parts: &'p [FilePart<'a>],
    places: BTreeMap<&'p str, usize>,
}

impl<'p, 'a> Version<'p, 'a> {
    fn of(parts: &'p [FilePart<'a>]) -> Self {
        Self { parts, places: places(parts) }
    }

    fn words(&self, key: &str) -> Option<&'a str> {
        self.places.get(key).map(|at| split(&self.parts[*at]).0)
    }

    fn family(&self, key: &str) -> &'p [FilePart<'a>] {
        let Some(at) = self.places.get(key) else { return &[] };
        let (first, rest) = self.parts[*at..].split_first().expect("a place is in the list");
        let inside = rest.iter().take_while(|part| 0 < first.level && first.level < part.level);
        &self.parts[*at..=at + inside.count()]
    }
}

/// Returns what one side made of a section that the other removed with all in it, where it changed any of that.
fn removed_family<'p, 'a>(
    key: &str,
    [base, ours, theirs]: &[Version<'p, 'a>; 3],
) -> &'p [FilePart<'a>] {
    let (side, other) = if ours.places.contains_key(key) { (ours, theirs) } else { (theirs, ours) };
    if !base.places.contains_key(key) || other.places.contains_key(key) {
        return &[];
    }
    let family = side.family(key);
    let is_removed = family.iter().all(|part| !other.places.contains_key(part.key.as_str()));
    let is_changed = |part: &FilePart<'_>| base.words(&part.key) != Some(split(part).0);
    if is_removed && family.iter().any(is_changed) { family } else { &[] }
}

/// Merges one part; nothing if it goes.
fn merge_part(
    key: &str,
    versions: &[Version<'_, '_>; 3],
    family: &[FilePart<'_>],
    marks: &Marks<'_>,
) -> Option<MergePiece> {
    let [base, ours, theirs] = versions.each_ref().map(|version| version.words(key));
    let marked = |own: &str, by: Removed| {
        let all = if family.is_empty() { own.to_owned() } else { text_of(family) };
        Some(removed(&all, by, marks))
    };
    match (base, ours, theirs) {
        (_, Some(ours), Some(theirs)) if ours == theirs => Some(MergePiece::clean(ours)),
        (Some(base), Some(ours), Some(theirs)) if ours == base => Some(MergePiece::clean(theirs)),
        (Some(base), Some(ours), Some(theirs)) if theirs == base => Some(MergePiece::clean(ours)),
        // What one side removed and the other left alone goes.
        (Some(base), Some(side), None) | (Some(base), None, Some(side))
            if side == base && family.is_empty() =>
        {
            None
        }
        (None, Some(side), None) | (None, None, Some(side)) => Some(MergePiece::clean(side)),
        (_, None, None) => None,
        // What one side removed and the other changed is for a person to decide as a whole.
        (Some(_), Some(side), None) => marked(side, Removed::There),
        (Some(_), None, Some(side)) => marked(side, Removed::Here),
        (base, Some(ours), Some(theirs)) => Some(merge_words(base, ours, theirs, marks)),
    }
}

/// Tells whether the text has the parts that were put together, each in the part that it stood in on a side.
fn stands_as_meant(
    text: &str,
    kept: &[(&FilePart<'_>, MergePiece)],
    sides: [&[FilePart<'_>]; 2],
) -> bool {
    let outline = Outline::read(text);
    let found = parts(&outline);
    let meant: BTreeSet<(&str, &Option<String>)> =
        sides.into_iter().flatten().map(|part| (part.key.as_str(), &part.parent)).collect();
    found.len() == kept.len()
        && found.iter().zip(kept).all(|(found, (part, _))| {
            found.key == part.key && meant.contains(&(found.key.as_str(), &found.parent))
        })
}
