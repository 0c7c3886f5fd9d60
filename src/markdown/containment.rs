//! Proves that a change stayed where it was meant to be.

use std::ops::Range;

use super::breach::Breach;
use super::outline::Outline;
use super::section::Section;
use super::window::{PROBE, PROBE_START, Splice, Window};
use crate::contract::{Answer, SectionId};

/// Which sections a splice means to change: `removed` sections from number `at` on give way to some
/// others; every other section keeps its level, its id and its bytes.
pub(super) struct Change {
    /// Number of the first section that changes, or before which new ones stand.
    pub(super) at: usize,
    /// How many sections go.
    pub(super) removed: usize,
    /// What comes instead.
    pub(super) added: Added,
}

/// What comes instead of the sections that go.
pub(super) enum Added {
    /// Nothing.
    Nothing,
    /// Exactly one section of a level and id, without deeper ones.
    One(u8, Option<SectionId>),
    /// A section of a level and id, with any deeper ones.
    Family(u8, Option<SectionId>),
    /// Any sections.
    Any,
}

/// What a change came to.
pub(super) struct Checked {
    /// Titles of the sections that the operation wrote.
    pub(super) written: Vec<String>,
    /// The sections of the text afterwards.
    pub(super) sections: Vec<Section>,
}

/// Refuses a text in which sections changed that the operation did not name.
pub(super) fn check(
    before: Outline<'_>,
    after: &str,
    (splice, change): (&Splice, &Change),
    pointer: &str,
) -> Answer<Checked> {
    let text = before.text();
    let near = Window::read(&before, after, splice, change.at..change.at + change.removed);
    let before = match near {
        None => before,
        Some(window) => match check_near(before, window, after, change) {
            Ok(checked) => return Ok(checked),
            // The whole says better what is wrong.
            Err(_) => Outline::read(text),
        },
    };
    let refuse = |breach: Breach, is_open| breach.refuse(before.sections(), is_open, pointer);
    check_whole(&before, after, change).map_err(|(breach, is_open)| refuse(breach, is_open))
}

/// Refuses a new text that leaves something open.
pub(super) fn check_new(text: &str, pointer: &str) -> Answer<Checked> {
    let any = Change { at: 0, removed: 0, added: Added::Any };
    check_whole(&Outline::read(""), text, &any)
        .map_err(|(breach, is_open)| breach.refuse(&[], is_open, pointer))
}

/// Compares what stands around the change; what does not is the same, but for where it stands.
fn check_near(
    before: Outline<'_>,
    window: Window,
    after: &str,
    change: &Change,
) -> Result<Checked, Breach> {
    let text = before.text();
    let parents: Vec<Option<usize>> = before.sections().iter().map(|each| each.parent).collect();
    let first = before.sections()[change.at - 1].clone();
    let sections = window.put_into(before.into_sections(), after);
    let same = |_: usize, new: usize| {
        new != change.at - 1 || is_same((text, &first), (after, &sections[new]))
    };
    let written = breach(&parents, &sections, change, same)?;
    Ok(Checked { written, sections })
}

/// Reads the whole text afterwards; with a breach tells whether the file left something open before.
fn check_whole(
    before: &Outline<'_>,
    after: &str,
    change: &Change,
) -> Result<Checked, (Breach, bool)> {
    // A heading put behind the text is seen only if the text leaves nothing open.
    let probed = [after, PROBE].concat();
    let outline = Outline::read(&probed);
    if closes(&outline, after.len()) {
        let count = outline.sections().len() - 1;
        let written = compare(before, &outline, count, change).map_err(|breach| (breach, false))?;
        return Ok(Checked { written, sections: without_probe(outline, after.len()) });
    }
    if closes_itself(before.text()) {
        return Err((Breach::Open, false));
    }
    // What a person left open before is a matter for `check`, not for this change.
    let outline = Outline::read(after);
    let written = compare(before, &outline, outline.sections().len(), change)
        .map_err(|breach| (breach, true))?;
    Ok(Checked { written, sections: outline.into_sections() })
}

/// Returns the sections as they are where the text ends before the probe.
fn without_probe(probed: Outline<'_>, end: usize) -> Vec<Section> {
    let mut sections = probed.into_sections();
    sections.pop();
    for section in &mut sections {
        section.move_bytes(|place| place.min(end));
        section.own_end = section.own_end.min(end);
        section.end = section.end.min(end);
    }
    sections
}

fn closes(probed: &Outline<'_>, length: usize) -> bool {
    let last = probed.sections().last();
    last.is_some_and(|last| last.heading_bytes.start == length + PROBE_START)
}

/// Tells whether what is written behind a text is no part of a code fence, comment or HTML block in it.
pub fn closes_itself(text: &str) -> bool {
    closes(&Outline::read(&[text, PROBE].concat()), text.len())
}

/// Compares the first `count` sections of `after` with those before.
fn compare(
    before: &Outline<'_>,
    after: &Outline<'_>,
    count: usize,
    change: &Change,
) -> Result<Vec<String>, Breach> {
    let (old, new) = (before.sections(), &after.sections()[..count]);
    if !old.is_empty() && before.preamble().trim_end() != after.preamble().trim_end() {
        return Err(Breach::Preamble);
    }
    let parents: Vec<Option<usize>> = old.iter().map(|section| section.parent).collect();
    let same = |number: usize, now: usize| {
        is_same((before.text(), &old[number]), (after.text(), &new[now]))
    };
    breach(&parents, new, change, same)
}

/// Compares sections with those before, of which the parents are given; returns the titles of the new ones.
fn breach(
    parents: &[Option<usize>],
    new: &[Section],
    change: &Change,
    same: impl Fn(usize, usize) -> bool,
) -> Result<Vec<String>, Breach> {
    let kept = parents.len() - change.removed;
    let added = new.len().checked_sub(kept).ok_or(Breach::Swallowed)?;
    let (old_tail, new_tail) = (change.at + change.removed, change.at + added);
    // Where a kept section stands now; those that go make place for the first that comes.
    let moved = |number: usize| match number >= old_tail {
        true => number - old_tail + new_tail,
        false => number.min(change.at),
    };
    let unchanged = |numbers: Range<usize>| {
        let mut breaches = numbers.filter_map(|number| match moved(number) {
            now if !same(number, now) => Some(Breach::Changed(number)),
            now if parents[number].map(moved) != new[now].parent => Some(Breach::Taken(number)),
            _ => None,
        });
        breaches.next().map_or(Ok(()), Err)
    };
    unchanged(0..change.at)?;
    let written = &new[change.at..new_tail];
    wrong_addition(written, &change.added).map_or(Ok(()), Err)?;
    if let (Some(root), true) = (written.first(), change.removed > 0) {
        let above = std::iter::successors(parents[change.at], |number| parents[*number]);
        let mut above = above.map(moved);
        if root.parent.is_some_and(|parent| !above.any(|outer| outer == parent)) {
            return Err(Breach::Nested(root.heading.text.clone()));
        }
    }
    unchanged(old_tail..parents.len())?;
    Ok(written.iter().map(|section| section.title().to_owned()).collect())
}

fn is_same((before, old): (&str, &Section), (after, new): (&str, &Section)) -> bool {
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
