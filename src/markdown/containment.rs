//! Proves that a change stayed where it was meant to be.

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

/// Refuses a text in which sections changed that the operation did not name.
pub(super) fn check(
    before: &Outline<'_>,
    after: &str,
    change: &Change,
    pointer: &str,
) -> Answer<()> {
    match breach(before, after, change) {
        None => Ok(()),
        Some(message) => Err(Refusal::new(
            Reason::ContainmentViolation,
            message,
            "close every fence and comment, write only deeper headings, or use an operation for each section",
        )
        .at(pointer)),
    }
}

fn breach(before: &Outline<'_>, after: &str, change: &Change) -> Option<String> {
    if !closes(after) && closes(before.text()) {
        return Some("the content leaves a code fence, comment or HTML block open".to_owned());
    }
    let after = Outline::read(after);
    let (old, new) = (before.sections(), after.sections());
    let kept = old.len() - change.removed;
    let Some(added) = new.len().checked_sub(kept) else {
        return Some("the content swallows a section that the operation does not name".to_owned());
    };
    let (old_tail, new_tail) = (change.at + change.removed, change.at + added);
    let same = |old: &[Section], new: &[Section]| {
        old.iter().zip(new).find(|(old, new)| !is_same(before, old, &after, new)).map(|(old, _)| {
            format!(
                "the section `{}` would change, but the operation does not name it",
                old.heading.text
            )
        })
    };
    if before.preamble().trim_end() != after.preamble().trim_end() && change.at + change.removed > 0
    {
        return Some("the text before the first heading would change".to_owned());
    }
    same(&old[..change.at], &new[..change.at])
        .or_else(|| wrong_addition(&new[change.at..new_tail], &change.added))
        .or_else(|| same(&old[old_tail..], &new[new_tail..]))
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

/// Tells whether a heading put behind the text would be seen as a heading.
fn closes(text: &str) -> bool {
    const PROBE: &str = "# probe";
    let probed = format!("{text}\n\n{PROBE}\n");
    let outline = Outline::read(&probed);
    outline.sections().last().is_some_and(|last| last.heading_bytes.start == text.len() + 2)
}
