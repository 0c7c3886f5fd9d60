//! Proves that a change stayed where it was meant to be.

use std::ops::Range;

use super::outline::{Outline, Section};
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

/// Refuses a text in which sections changed that the operation did not name.
pub(super) fn check(
    before: &Outline<'_>,
    after: &str,
    change: &Change,
    pointer: &str,
) -> Answer<Checked> {
    // A heading put behind the text is seen only if the text leaves nothing open.
    let probed = format!("{after}\n\n{PROBE}\n");
    let outline = Outline::read(&probed);
    let answer = match closes(&outline, after.len()) {
        true => breach(before, &outline, outline.sections().len() - 1, change)
            .map(|written| Checked { written, sections: without_probe(outline, after.len()) }),
        false if closes_itself(before.text()) => {
            Err("the content leaves a code fence, comment or HTML block open".to_owned())
        }
        // What a person left open before is a matter for `check`, not for this change.
        false => {
            let outline = Outline::read(after);
            match breach(before, &outline, outline.sections().len(), change) {
                Ok(written) => Ok(Checked { written, sections: outline.into_sections() }),
                Err(message) => Err(format!(
                    "{message}; the file itself leaves a code fence, comment or HTML block open, which a person has to close first"
                )),
            }
        }
    };
    answer.map_err(|message| {
        Refusal::new(
            Reason::ContainmentViolation,
            message,
            "close every fence and comment, write only deeper headings, or use an operation for each section",
        )
        .at(pointer)
    })
}

const PROBE: &str = "# probe";

/// Returns the sections as they are where the text ends before the probe.
fn without_probe(probed: Outline<'_>, end: usize) -> Vec<Section> {
    let mut sections = probed.into_sections();
    sections.pop();
    for section in &mut sections {
        section.heading_bytes.end = section.heading_bytes.end.min(end);
        section.body_start = section.body_start.min(end);
        section.own_end = section.own_end.min(end);
        section.end = section.end.min(end);
        if let Some(anchor) = &mut section.anchor_bytes {
            anchor.end = anchor.end.min(end);
        }
    }
    sections
}

fn closes(probed: &Outline<'_>, length: usize) -> bool {
    probed.sections().last().is_some_and(|last| last.heading_bytes.start == length + 2)
}

/// Tells whether what is written behind a text is no part of a code fence, comment or HTML block in it.
pub fn closes_itself(text: &str) -> bool {
    closes(&Outline::read(&format!("{text}\n\n{PROBE}\n")), text.len())
}

/// Compares the first `count` sections of `after` with those before.
fn breach(
    before: &Outline<'_>,
    after: &Outline<'_>,
    count: usize,
    change: &Change,
) -> Result<Vec<String>, String> {
    let (old, new) = (before.sections(), &after.sections()[..count]);
    let kept = old.len() - change.removed;
    let added = new
        .len()
        .checked_sub(kept)
        .ok_or("the content swallows a section that the operation does not name")?;
    let (old_tail, new_tail) = (change.at + change.removed, change.at + added);
    // Where a kept section stands now; those that go make place for the first that comes.
    let moved = |number: usize| match number >= old_tail {
        true => number - old_tail + new_tail,
        false => number.min(change.at),
    };
    let unchanged = |mut numbers: Range<usize>| {
        let other = numbers.find(|number| {
            let (old, new) = (&old[*number], &new[moved(*number)]);
            !is_same(before, old, after, new) || old.parent.map(moved) != new.parent
        });
        other.map_or(Ok(()), |number| {
            let title = &old[number].heading.text;
            Err(format!("the section `{title}` would change, but the operation does not name it"))
        })
    };
    let preamble = old.is_empty() || before.preamble().trim_end() == after.preamble().trim_end();
    if !preamble {
        return Err("the text before the first heading would change".to_owned());
    }
    unchanged(0..change.at)?;
    let written = &new[change.at..new_tail];
    wrong_addition(written, &change.added).map_or(Ok(()), Err)?;
    if let (Some(root), true) = (written.first(), change.removed > 0) {
        let above = std::iter::successors(old[change.at].parent, |number| old[*number].parent);
        let mut above = above.map(moved);
        if root.parent.is_some_and(|parent| !above.any(|outer| outer == parent)) {
            let title = &root.heading.text;
            return Err(format!("the section `{title}` would become a part of the one before it"));
        }
    }
    unchanged(old_tail..old.len())?;
    Ok(written.iter().map(Section::title).collect())
}

fn is_same(before: &Outline<'_>, old: &Section, after: &Outline<'_>, new: &Section) -> bool {
    old.heading.level == new.heading.level && old.id == new.id && before.own(old) == after.own(new)
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
        true => format!("the content holds the heading `{text}`, and this operation takes none"),
        false => format!("the content holds the heading `{text}`, which would end the section"),
    })
}
