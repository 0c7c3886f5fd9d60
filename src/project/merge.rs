//! Brings two changes of the same file together, section by section.
//!
//! A section that one side left alone is as the other has it; one that both changed is merged line by line.
//! Which side is called ours matters for the labels of a conflict alone: the text is the same either way.

mod ids;
mod in_order;
mod lines;
mod names;
mod order;

use std::collections::{BTreeMap, BTreeSet};

use crate::markdown::{LineEnding, Outline, Part, part_title, parts};
use crate::text::find_conflict_marker;
use ids::with_new_ids;
use in_order::by_order;
use lines::{Removed, merge_lines, merge_words};
use names::{Names, is_unclear};
use order::merge_order;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Sides<'a> {
    pub base: &'a str,
    pub ours: &'a str,
    pub theirs: &'a str,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Marks<'a> {
    pub ours: &'a str,
    pub theirs: &'a str,
    /// How long the markers are; git's are 7.
    pub length: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Merged {
    /// The text; with markers where there are conflicts.
    pub text: String,
    /// The sections that a person has to look at, by id or heading; empty for what stands before the first.
    pub conflicts: Vec<String>,
}

struct Piece {
    text: String,
    is_conflict: bool,
}

impl Piece {
    fn clean(text: &str) -> Self {
        Self { text: text.to_owned(), is_conflict: false }
    }
}

pub(crate) fn merge(sides: Sides<'_>, marks: &Marks<'_>) -> Merged {
    let Sides { base, ours, theirs } = sides;
    let clean = |text: &str| Merged { text: text.to_owned(), conflicts: Vec::new() };
    if ours == theirs || theirs == base {
        return clean(ours);
    }
    if ours == base {
        return clean(theirs);
    }
    // A conflict that a side holds may go across sections, and would be torn where these come and go.
    if [ours, theirs].into_iter().any(|side| find_conflict_marker(side).is_some()) {
        let Piece { text, is_conflict } = merge_lines(base, ours, theirs, marks);
        return Merged { text, conflicts: is_conflict.then(String::new).into_iter().collect() };
    }
    let named = with_new_ids(sides);
    let [base, ours, theirs] =
        named.as_ref().map_or([base, ours, theirs], |named| named.each_ref().map(String::as_str));
    let outlines = [base, ours, theirs].map(Outline::read);
    let files = outlines.each_ref().map(parts);
    let files = files.each_ref().map(Vec::as_slice);
    let ending = LineEnding::of(ours);
    by_names(files, ending, marks).unwrap_or_else(|| by_order(files, ending, marks))
}

struct Version<'p, 'a> {
    parts: &'p [Part<'a>],
    places: BTreeMap<&'p str, usize>,
}

impl<'p, 'a> Version<'p, 'a> {
    fn of(parts: &'p [Part<'a>]) -> Self {
        Self { parts, places: places(parts) }
    }

    fn words(&self, key: &str) -> Option<&'a str> {
        self.places.get(key).map(|at| split(&self.parts[*at]).0)
    }

    fn family(&self, key: &str) -> &'p [Part<'a>] {
        let Some(at) = self.places.get(key) else { return &[] };
        let (first, rest) = self.parts[*at..].split_first().expect("a place is in the list");
        let inside = rest.iter().take_while(|part| 0 < first.level && first.level < part.level);
        &self.parts[*at..=at + inside.count()]
    }
}

/// Merges part by part, each known by its name; where that does not tell them apart, or they would then stand in others
/// than they did, returns nothing.
fn by_names(files: [&[Part<'_>]; 3], ending: LineEnding, marks: &Marks<'_>) -> Option<Merged> {
    if is_unclear(&files.map(Names::of)) {
        return None;
    }
    let [base, ours, theirs] = files;
    let versions = files.map(Version::of);
    let mut kept: Vec<(&Part<'_>, Piece)> = Vec::new();
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
    // Markers are no sections: what they go around is read as one side has it.
    let plain = kept.iter().map(|(part, piece)| match piece.is_conflict {
        true => (*part, Piece::clean(split(part).0)),
        false => (*part, Piece::clean(&piece.text)),
    });
    let plain = assemble(&plain.collect::<Vec<_>>(), files, ending);
    let is_sure = stands_as_meant(&plain, &kept, [ours, theirs]);
    let conflicts = kept.iter().filter(|(_, piece)| piece.is_conflict);
    let conflicts = conflicts.map(|(part, _)| part_title(&part.key)).collect();
    is_sure.then(|| Merged { text: assemble(&kept, files, ending), conflicts })
}

/// Returns what one side made of a section that the other removed with all in it, where it changed any of that.
fn removed_family<'p, 'a>(
    key: &str,
    [base, ours, theirs]: &[Version<'p, 'a>; 3],
) -> &'p [Part<'a>] {
    let (side, other) = if ours.places.contains_key(key) { (ours, theirs) } else { (theirs, ours) };
    if !base.places.contains_key(key) || other.places.contains_key(key) {
        return &[];
    }
    let family = side.family(key);
    let is_removed = family.iter().all(|part| !other.places.contains_key(part.key.as_str()));
    let is_changed = |part: &Part<'_>| base.words(&part.key) != Some(split(part).0);
    if is_removed && family.iter().any(is_changed) { family } else { &[] }
}

/// Merges one part; nothing if it goes.
fn merge_part(
    key: &str,
    versions: &[Version<'_, '_>; 3],
    family: &[Part<'_>],
    marks: &Marks<'_>,
) -> Option<Piece> {
    let [base, ours, theirs] = versions.each_ref().map(|version| version.words(key));
    let removed = |own: &str, by: Removed| {
        let all = if family.is_empty() { own.to_owned() } else { text_of(family) };
        Some(lines::removed(&all, by, marks))
    };
    match (base, ours, theirs) {
        (_, Some(ours), Some(theirs)) if ours == theirs => Some(Piece::clean(ours)),
        (Some(base), Some(ours), Some(theirs)) if ours == base => Some(Piece::clean(theirs)),
        (Some(base), Some(ours), Some(theirs)) if theirs == base => Some(Piece::clean(ours)),
        // What one side removed and the other left alone goes.
        (Some(base), Some(side), None) | (Some(base), None, Some(side))
            if side == base && family.is_empty() =>
        {
            None
        }
        (None, Some(side), None) | (None, None, Some(side)) => Some(Piece::clean(side)),
        (_, None, None) => None,
        // What one side removed and the other changed is for a person to decide as a whole.
        (Some(_), Some(side), None) => removed(side, Removed::There),
        (Some(_), None, Some(side)) => removed(side, Removed::Here),
        (base, Some(ours), Some(theirs)) => Some(merge_words(base, ours, theirs, marks)),
    }
}

/// Returns the text of some parts, without the blank lines behind the last one.
fn text_of(parts: &[Part<'_>]) -> String {
    let Some((last, rest)) = parts.split_last() else { return String::new() };
    rest.iter().map(|part| part.text).chain([split(last).0]).collect()
}

/// Joins the parts: each keeps the blank lines that it had where something stood behind it.
fn assemble(kept: &[(&Part<'_>, Piece)], files: [&[Part<'_>]; 3], ending: LineEnding) -> String {
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

/// Returns where each part of a file stands; of several with one key, the first.
fn places<'p>(parts: &'p [Part<'_>]) -> BTreeMap<&'p str, usize> {
    parts.iter().enumerate().rev().map(|(at, part)| (part.key.as_str(), at)).collect()
}

/// Splits a part at the end of its last line that is not blank, which goes with the blank ones.
fn split<'a>(part: &Part<'a>) -> (&'a str, &'a str) {
    let words = part.text.trim_end().len();
    // Blanks behind the last word break a line.
    let rest = part.text[words..].find(['\n', '\r']).unwrap_or(part.text.len() - words);
    part.text.split_at(words + rest)
}

fn tail(part: &Part<'_>) -> String {
    split(part).1.to_owned()
}

fn tails_before_another<'p>(parts: &'p [Part<'_>]) -> BTreeMap<&'p str, &'p str> {
    let before_last = parts.split_last().map_or(&[][..], |(_, rest)| rest);
    // Of equal ones the first counts.
    before_last.iter().rev().map(|part| (part.key.as_str(), split(part).1)).collect()
}

/// Tells whether the text has the parts that were put together, each in the part that it stood in on a side.
fn stands_as_meant(text: &str, kept: &[(&Part<'_>, Piece)], sides: [&[Part<'_>]; 2]) -> bool {
    let outline = Outline::read(text);
    let found = parts(&outline);
    let meant: BTreeSet<(&str, &Option<String>)> =
        sides.into_iter().flatten().map(|part| (part.key.as_str(), &part.parent)).collect();
    found.len() == kept.len()
        && found.iter().zip(kept).all(|(found, (part, _))| {
            found.key == part.key && meant.contains(&(found.key.as_str(), &found.parent))
        })
}

#[cfg(test)]
mod tests;
