//! Brings two changes of the same file together, section by section.
//!
//! A section that one side left alone is as the other has it; one that both changed is merged line by line.
//! Which side is called ours matters for the labels of a conflict alone: the text is the same either way.

mod families;
mod ids;
mod lines;
mod order;
mod replaced;

use std::collections::{BTreeMap, BTreeSet};

use crate::markdown::{LineEnding, Outline, Part, part_title, parts};
use crate::text::{Fences, find_conflict_marker};
use families::{File, join_families};
use ids::with_new_ids;
use lines::{Removed, merge_lines, whole};
use order::merge_order;
use replaced::{Work, follow_headings};

/// A file as it was, and what two sides made of it.
#[derive(Debug, Clone, Copy)]
pub struct Sides<'a> {
    /// What both began with.
    pub base: &'a str,
    /// What one side made of it.
    pub ours: &'a str,
    /// What the other made of it.
    pub theirs: &'a str,
}

/// How conflicts are marked.
#[derive(Debug, Clone, Copy)]
pub struct Marks<'a> {
    /// What our side is called.
    pub ours: &'a str,
    /// What the other is called.
    pub theirs: &'a str,
    /// How long the markers are; git's are 7.
    pub length: usize,
}

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The text; with markers where there are conflicts.
    pub text: String,
    /// The sections that a person has to look at, by id or heading; empty for what stands before the first.
    pub conflicts: Vec<String>,
}

/// A part as it will stand.
struct Piece {
    text: String,
    is_conflict: bool,
}

/// Merges what two sides made of a file.
pub fn merge(sides: Sides<'_>, marks: &Marks<'_>) -> Merged {
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
        return by_lines(sides, marks, |_| true);
    }
    let named = with_new_ids(sides);
    let sides = named.as_ref().map_or(sides, |[base, ours, theirs]| Sides { base, ours, theirs });
    by_parts(sides, marks)
        .unwrap_or_else(|meant| by_lines(sides, marks, |text| is_faithful(text, &meant, sides)))
}

/// Merges line by line; what is not right then is a conflict as a whole.
fn by_lines(sides: Sides<'_>, marks: &Marks<'_>, is_right: impl Fn(&str) -> bool) -> Merged {
    let Sides { base, ours, theirs } = sides;
    let merged = merge_lines(base, ours, theirs, marks);
    let piece = match merged.is_conflict || is_right(&merged.text) {
        true => merged,
        false => whole([ours, theirs], marks),
    };
    let conflicts = if piece.is_conflict { vec![String::new()] } else { Vec::new() };
    Merged { text: piece.text, conflicts }
}

/// Tells whether what was merged line by line has the words of each section there that were meant for it: where
/// sections moved, lines of one may go to another that looks alike. After an open fence or the like, which swallows
/// sections, there is no list of parts to tell it by.
fn is_faithful(text: &str, meant: &BTreeMap<String, String>, sides: Sides<'_>) -> bool {
    let is_swallowed = [sides.base, sides.ours, sides.theirs].into_iter().any(Fences::left_open);
    let outline = Outline::read(text);
    is_swallowed
        || parts(&outline)
            .iter()
            .filter(|part| part.key.starts_with('#'))
            .all(|part| meant.get(&part.key).is_some_and(|words| words == part.text.trim_end()))
}

/// Merges part by part; where these cannot be told apart, or would then stand in others than they did, returns what
/// each should hold.
fn by_parts(sides: Sides<'_>, marks: &Marks<'_>) -> Result<Merged, BTreeMap<String, String>> {
    let outlines = [sides.base, sides.ours, sides.theirs].map(Outline::read);
    let [mut base, mut ours, mut theirs] =
        outlines.each_ref().map(|outline| File { text: outline.text(), parts: parts(outline) });
    let work = Work::default();
    follow_headings(&base.parts, [&mut ours.parts, &mut theirs.parts], &work);
    join_families(&mut base, &ours.parts, &mut theirs, &work);
    join_families(&mut base, &theirs.parts, &mut ours, &work);
    if work.is_used_up() {
        return Err(BTreeMap::new());
    }
    let [base, ours, theirs] = [base, ours, theirs].map(|file| file.parts);
    let index = |parts: &[Part<'_>]| -> BTreeMap<String, String> {
        parts.iter().map(|part| (part.key.clone(), split(part).0.to_owned())).collect()
    };
    let (b, o, t) = (index(&base), index(&ours), index(&theirs));
    let mut conflicts = Vec::new();
    let mut kept: Vec<(Part<'_>, Piece)> = Vec::new();
    for part in merge_order(&base, &ours, &theirs) {
        let key = &part.key;
        let Some(piece) = merge_part([b.get(key), o.get(key), t.get(key)], marks) else { continue };
        if piece.is_conflict {
            conflicts.push(part_title(key));
        }
        kept.push((part.clone(), piece));
    }
    let text = assemble(&kept, [&base, &ours, &theirs], LineEnding::of(sides.ours));
    let is_clear = !has_unclear([&base, &ours, &theirs]);
    match is_clear && (!conflicts.is_empty() || stands_as_meant(&text, &kept, [&ours, &theirs])) {
        true => Ok(Merged { text, conflicts }),
        false => {
            let words =
                |(part, piece): (Part<'_>, Piece)| (part.key, piece.text.trim_end().to_owned());
            Err(kept.into_iter().map(words).collect())
        }
    }
}

/// Tells whether of several sections of one name some came or went, so that only the lines can tell which. Where one
/// side left them as they were, and the other did no more than add or take off the last ones, each is still known by
/// its number.
fn has_unclear(files: [&[Part<'_>]; 3]) -> bool {
    let [base, ours, theirs] = files.map(|parts| {
        let mut named: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for part in parts {
            if let Some((name, _)) = part.key.rsplit_once('\n') {
                named.entry(name).or_default().push(split(part).0);
            }
        }
        named
    });
    let names: BTreeSet<&str> =
        [&base, &ours, &theirs].into_iter().flat_map(|n| n.keys().copied()).collect();
    names.into_iter().any(|name| {
        let [base, ours, theirs] =
            [&base, &ours, &theirs].map(|named| named.get(name).map_or(&[][..], Vec::as_slice));
        let counts = [base.len(), ours.len(), theirs.len()];
        let are_several = counts.iter().any(|count| *count > 1);
        let is_uneven = counts.iter().any(|count| *count != counts[0]);
        let keeps_numbers = |side: &[&str]| side.starts_with(base) || base.starts_with(side);
        let is_told =
            (ours == base && keeps_numbers(theirs)) || (theirs == base && keeps_numbers(ours));
        are_several && is_uneven && !is_told
    })
}

/// Merges one part; nothing if it goes.
fn merge_part([base, ours, theirs]: [Option<&String>; 3], marks: &Marks<'_>) -> Option<Piece> {
    let as_it_is = |text: &String| Some(Piece { text: text.clone(), is_conflict: false });
    match (base, ours, theirs) {
        (_, Some(ours), Some(theirs)) if ours == theirs => as_it_is(ours),
        (Some(base), Some(ours), Some(theirs)) if ours == base => as_it_is(theirs),
        (Some(base), Some(ours), Some(theirs)) if theirs == base => as_it_is(ours),
        // What one side removed and the other left alone goes.
        (Some(base), Some(side), None) | (Some(base), None, Some(side)) if side == base => None,
        (None, Some(side), None) | (None, None, Some(side)) => as_it_is(side),
        (_, None, None) => None,
        // What one side removed and the other changed is for a person to decide as a whole.
        (Some(_), Some(side), None) => Some(lines::removed(side, Removed::There, marks)),
        (Some(_), None, Some(side)) => Some(lines::removed(side, Removed::Here, marks)),
        (base, ours, theirs) => {
            let lines = |text: Option<&String>| {
                text.map(|text| format!("{text}{}", LineEnding::of(text).apply("\n")))
                    .unwrap_or_default()
            };
            Some(merge_lines(&lines(base), &lines(ours), &lines(theirs), marks))
        }
    }
}

/// Joins the parts: each keeps the blank lines that it had where something stood behind it.
fn assemble(kept: &[(Part<'_>, Piece)], files: [&[Part<'_>]; 3], ending: LineEnding) -> String {
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

/// Returns what one side changed; of two changes the same one, whichever side is which.
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

/// Returns the blank lines behind each part but the last.
fn tails_before_another<'p>(parts: &'p [Part<'_>]) -> BTreeMap<&'p str, &'p str> {
    let before_last = parts.split_last().map_or(&[][..], |(_, rest)| rest);
    // Of equal ones the first counts.
    before_last.iter().rev().map(|part| (part.key.as_str(), split(part).1)).collect()
}

/// Tells whether the text has the parts that were put together, each in the part that it stood in on a side.
fn stands_as_meant(text: &str, kept: &[(Part<'_>, Piece)], sides: [&[Part<'_>]; 2]) -> bool {
    let outline = Outline::read(text);
    let found = parts(&outline);
    let keys: BTreeSet<&str> = kept.iter().map(|(part, _)| part.key.as_str()).collect();
    let is_kept = |key: &Option<String>| key.as_ref().is_none_or(|key| keys.contains(key.as_str()));
    let meant: BTreeSet<(&str, &Option<String>)> =
        sides.into_iter().flatten().map(|part| (part.key.as_str(), &part.parent)).collect();
    let stands = |part: &Part<'_>| {
        let homes = meant.range((part.key.as_str(), &None)..);
        let homes = homes.take_while(|(key, _)| *key == part.key).map(|(_, home)| *home);
        let mut homes = homes.filter(|home| is_kept(home)).peekable();
        // What stood in parts that are gone may stand anywhere.
        homes.peek().is_none() || homes.any(|home| home.as_ref() == part.parent.as_ref())
    };
    found.len() == kept.len()
        && found.iter().zip(kept).all(|(found, (meant, _))| found.key == meant.key && stands(found))
}

#[cfg(test)]
mod tests;
