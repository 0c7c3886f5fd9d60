//! Knows a section again that had no id when both sides began, and has one now.

use std::collections::BTreeMap;

use super::sides::Sides;
use crate::contract::SectionId;
use crate::markdown::{HeadingStyle, Outline, with_these_ids};

/// Sections by their level and their headings from the outermost down; several that look alike in their order.
type SectionPlaces<'o> = BTreeMap<(u8, Vec<&'o str>), Vec<usize>>;

/// Returns base, ours and theirs with the ids that sections got which stand in all three; nothing if there are none.
/// What two sides named differently is left as it is.
pub(super) fn with_new_ids(sides: Sides<'_>) -> Option<[String; 3]> {
    let outlines = [sides.base, sides.ours, sides.theirs].map(Outline::read);
    let mut given: [BTreeMap<usize, SectionId>; 3] = Default::default();
    for sections in in_all(&outlines) {
        let id_of = |file: usize| outlines[file].sections()[sections[file]].id.as_ref();
        let id = match [0, 1, 2].map(id_of) {
            [None, Some(id), None] | [None, None, Some(id)] => id,
            [None, Some(id), Some(other)] if id == other => id,
            _ => continue,
        };
        let without = || (0..3).filter(|file| id_of(*file).is_none());
        if without().all(|file| outlines[file].find(id).is_none()) {
            without().for_each(|file| drop(given[file].insert(sections[file], id.clone())));
        }
    }
    let is_any = !given[0].is_empty();
    is_any.then(|| [0, 1, 2].map(|file| with_these_ids(&outlines[file], &given[file])))
}

/// Returns the numbers in each file of the sections that stand in all of them below the same headings.
fn in_all(outlines: &[Outline<'_>; 3]) -> Vec<[usize; 3]> {
    let [base, ours, theirs] = outlines.each_ref().map(places);
    let mut found = Vec::new();
    for (name, in_base) in &base {
        let (Some(in_ours), Some(in_theirs)) = (ours.get(name), theirs.get(name)) else { continue };
        // Of several that look alike, it could be any that came or went.
        if in_base.len() == in_ours.len() && in_base.len() == in_theirs.len() {
            let sides = in_ours.iter().zip(in_theirs);
            found.extend(
                in_base.iter().zip(sides).map(|(base, (ours, theirs))| [*base, *ours, *theirs]),
            );
        }
    }
    found
}

fn places<'o>(outline: &'o Outline<'_>) -> SectionPlaces<'o> {
    let mut places = SectionPlaces::new();
    for (number, section) in outline.sections().iter().enumerate() {
        // An underlined heading can carry no id.
        if section.heading.style == HeadingStyle::Atx {
            let name = (section.heading.level, outline.heading_path(number));
            places.entry(name).or_default().push(number);
        }
    }
    places
}
