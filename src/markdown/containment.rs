//! Proves that a change stayed where it was meant to be.

use std::ops::Range;

use super::outline::Outline;
use super::section::Section;
use super::window::{PROBE, PROBE_START, Splice, Window};
use crate::contract::{Answer, Reason, Refusal, SectionId};

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

/// What a change did that it should not have done.
enum Breach {
    /// There are fewer sections than should be left.
    Swallowed,
    /// A section that should be left as it is, by its number before.
    Changed(usize),
    /// What comes is not what was announced.
    Added(String),
    /// What comes instead of a section stands in the one before it.
    Nested(String),
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
            Err(Breach::Swallowed | Breach::Changed(_) | Breach::Added(_) | Breach::Nested(_)) => {
                Outline::read(text)
            }
        },
    };
    check_whole(&before, after, change).map_err(|message| refuse(message, pointer))
}

/// Refuses a new text that leaves something open.
pub(super) fn check_new(text: &str, pointer: &str) -> Answer<Checked> {
    let any = Change { at: 0, removed: 0, added: Added::Any };
    check_whole(&Outline::read(""), text, &any).map_err(|message| refuse(message, pointer))
}

fn refuse(message: String, pointer: &str) -> Box<Refusal> {
    let hint = "close every fence and comment, write only deeper headings, or use an operation for each section";
    Refusal::new(Reason::ContainmentViolation, message, hint).at(pointer)
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

/// Reads the whole text afterwards.
fn check_whole(before: &Outline<'_>, after: &str, change: &Change) -> Result<Checked, String> {
    // A heading put behind the text is seen only if the text leaves nothing open.
    let probed = [after, PROBE].concat();
    let outline = Outline::read(&probed);
    if closes(&outline, after.len()) {
        let count = outline.sections().len() - 1;
        let written = compare(before, &outline, count, change)?;
        return Ok(Checked { written, sections: without_probe(outline, after.len()) });
    }
    if closes_itself(before.text()) {
        return Err("the content leaves a code fence, comment or HTML block open".to_owned());
    }
    // What a person left open before is a matter for `check`, not for this change.
    let outline = Outline::read(after);
    match compare(before, &outline, outline.sections().len(), change) {
        Ok(written) => Ok(Checked { written, sections: outline.into_sections() }),
        Err(message) => Err(format!(
            "{message}; the file itself leaves a code fence, comment or HTML block open, which a person has to close first"
        )),
    }
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

/// Compares the first `count` sections of `after` with those before; says what is wrong.
fn compare(
    before: &Outline<'_>,
    after: &Outline<'_>,
    count: usize,
    change: &Change,
) -> Result<Vec<String>, String> {
    let (old, new) = (before.sections(), &after.sections()[..count]);
    if !old.is_empty() && before.preamble().trim_end() != after.preamble().trim_end() {
        return Err("the text before the first heading would change".to_owned());
    }
    let parents: Vec<Option<usize>> = old.iter().map(|section| section.parent).collect();
    let same = |number: usize, now: usize| {
        is_same((before.text(), &old[number]), (after.text(), &new[now]))
    };
    breach(&parents, new, change, same).map_err(|breach| match breach {
        Breach::Swallowed => {
            "the content swallows a section that the operation does not name".to_owned()
        }
        Breach::Changed(number) => {
            let title = &old[number].heading.text;
            format!("the section `{title}` would change, but the operation does not name it")
        }
        Breach::Added(message) => message,
        Breach::Nested(title) => {
            format!("the section `{title}` would become a part of the one before it")
        }
    })
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
    let unchanged = |mut numbers: Range<usize>| {
        let other = numbers.find(|number| {
            let now = moved(*number);
            parents[*number].map(moved) != new[now].parent || !same(*number, now)
        });
        other.map_or(Ok(()), |number| Err(Breach::Changed(number)))
    };
    unchanged(0..change.at)?;
    let written = &new[change.at..new_tail];
    wrong_addition(written, &change.added).map_or(Ok(()), |message| Err(Breach::Added(message)))?;
    if let (Some(root), true) = (written.first(), change.removed > 0) {
        let above = std::iter::successors(parents[change.at], |number| parents[*number]);
        let mut above = above.map(moved);
        if root.parent.is_some_and(|parent| !above.any(|outer| outer == parent)) {
            return Err(Breach::Nested(root.heading.text.clone()));
        }
    }
    unchanged(old_tail..parents.len())?;
    Ok(written.iter().map(Section::title).collect())
}

fn is_same((before, old): (&str, &Section), (after, new): (&str, &Section)) -> bool {
    old.heading.level == new.heading.level && old.id == new.id && old.own(before) == new.own(after)
}

fn wrong_addition(added: &[Section], expected: &Added) -> Option<String> {
    let (level, id, alone) = match expected {
        Added::Any => return None,
        Added::Nothing => {
            return added.first().map(|s| format!("the heading `{}` appears", s.heading.text));
        }
        Added::One(level, id) => (level, id, true),
        Added::Family(level, id) => (level, id, false),
    };
    let Some((first, rest)) = added.split_first() else {
        return Some("the section would lose its heading".to_owned());
    };
    if first.heading.level != *level || (id.is_some() && first.id != *id) {
        return Some(format!("the heading of the section is not seen as one of level {level}"));
    }
    let forged = rest.iter().find(|section| alone || section.heading.level <= *level)?;
    let text = &forged.heading.text;
    Some(match alone {
        true => format!(
            "the content holds the heading `{text}`, and this operation takes none: bring it with `append_section` and `parent_section_id`, or with `replace_section`"
        ),
        false => format!("the content holds the heading `{text}`, which would end the section"),
    })
}
