//! Proves that a change stayed where it was meant to be.

use std::ops::Range;

use super::breach::Breach;
use crate::contract::SectionId;
use crate::markdown::{Outline, Section};
use crate::project::request::Answer;

/// Which sections a splice means to change: `removed` sections from number `at` on give way to some
/// others; every other section keeps its level, its id and its bytes.
pub(super) struct ExpectedChange {
    /// Number of the first section that changes, or before which new ones stand.
    pub(super) at: usize,
    pub(super) removed: usize,
    pub(super) added: Added,
}

pub(super) enum Added {
    Nothing,
    /// Exactly one section of a level and id, without deeper ones.
    One(u8, Option<SectionId>),
    /// A section of a level and id, with any deeper ones.
    Family(u8, Option<SectionId>),
    Any,
}

pub(super) struct Checked {
    /// Titles of the sections that the operation wrote.
    pub(super) written: Vec<String>,
    pub(super) sections: Vec<Section>,
}

/// A heading behind a text, which is one only if the text leaves nothing open.
const PROBE: &str = "\n\n# probe\n";

/// Refuses a text in which sections changed that the operation did not name.
pub(super) fn check(
    before: &Outline<'_>,
    after: &str,
    change: &ExpectedChange,
    pointer: &str,
) -> Answer<Checked> {
    let is_closed = closes_itself(after);
    let refuse = |breach: Breach| breach.refuse(before.sections(), !is_closed, pointer);
    // What a person left open before is a matter for `check`, not for this change.
    if !is_closed && closes_itself(before.text()) {
        return Err(Breach::Open.refuse(before.sections(), false, pointer));
    }
    let outline = Outline::read(after);
    let written = compare(before, &outline, change).map_err(refuse)?;
    Ok(Checked { written, sections: outline.into_sections() })
}

pub(super) fn check_new(text: &str, pointer: &str) -> Answer<Checked> {
    check(
        &Outline::read(""),
        text,
        &ExpectedChange { at: 0, removed: 0, added: Added::Any },
        pointer,
    )
}

/// Tells whether what is written behind a text is no part of a code fence, comment or HTML block in it.
pub(crate) fn closes_itself(text: &str) -> bool {
    let probed = [text, PROBE].concat();
    let probe = probed.len() - PROBE.trim_start().len();
    Outline::read(&probed).sections().last().is_some_and(|last| last.heading_bytes.start == probe)
}

fn compare(
    before: &Outline<'_>,
    after: &Outline<'_>,
    change: &ExpectedChange,
) -> Result<Vec<String>, Breach> {
    let (old, new) = (before.sections(), after.sections());
    if !old.is_empty() && before.preamble().trim_end() != after.preamble().trim_end() {
        return Err(Breach::Preamble);
    }
    let kept = old.len() - change.removed;
    let added = new.len().checked_sub(kept).ok_or(Breach::Swallowed)?;
    let (old_tail, new_tail) = (change.at + change.removed, change.at + added);
    // Where a kept section stands now; those that go make room for the first that comes.
    let moved = |number: usize| match number >= old_tail {
        true => number - old_tail + new_tail,
        false => number.min(change.at),
    };
    let unchanged = |numbers: Range<usize>| {
        let mut breaches = numbers.filter_map(|number| {
            let (was, is) = (&old[number], &new[moved(number)]);
            match is_same(before.text(), was, after.text(), is) {
                false => Some(Breach::Changed(number)),
                true => (was.parent.map(moved) != is.parent).then_some(Breach::Taken(number)),
            }
        });
        breaches.next().map_or(Ok(()), Err)
    };
    unchanged(0..change.at)?;
    let written = &new[change.at..new_tail];
    wrong_addition(written, &change.added).map_or(Ok(()), Err)?;
    if let (Some(root), true) = (written.first(), change.removed > 0) {
        let above = std::iter::successors(old[change.at].parent, |number| old[*number].parent);
        let mut above = above.map(moved);
        if root.parent.is_some_and(|parent| !above.any(|outer| outer == parent)) {
            return Err(Breach::Nested(root.heading.text.clone()));
        }
    }
    unchanged(old_tail..old.len())?;
    Ok(written.iter().map(|section| section.title().to_owned()).collect())
}

fn is_same(before: &str, old: &Section, after: &str, new: &Section) -> bool {
    old.heading.level == new.heading.level && old.id == new.id && old.own(before) == new.own(after)
}

fn wrong_addition(added: &[Section], expected: &Added) -> Option<Breach> {
    let heading = |section: &Section| section.heading.text.clone();
    let (level, id, alone) = match expected {
        Added::Any => return None,
        Added::Nothing => return added.first().map(|first| Breach::Appears(heading(first))),
        Added::One(level, id) => (*level, id, true),
        Added::Family(level, id) => (*level, id, false),
    };
    let Some((first, rest)) = added.split_first() else {
        return Some(Breach::Headless(id.clone()));
    };
    if first.heading.level != level || (id.is_some() && first.id != *id) {
        return Some(Breach::Unlike(level));
    }
    let forged = rest.iter().find(|section| alone || section.heading.level <= level)?;
    Some(match alone {
        true => Breach::Heading(heading(forged)),
        false => Breach::Ends(heading(forged), level),
    })
}
