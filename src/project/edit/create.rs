//! `create_file`: a whole file, or its text at the end of one that is there.

use super::compose::{Dress, Previous, dress, new_file};
use super::containment::{Added, Checked, check_new};
use super::edited::Edited;
use super::file::{EditEffect, FileEdit, Insertion, ids};
use super::input::Edit;
use super::operation_result::OperationResult;
use super::touched_section::TouchedSection;
use crate::markdown::{BYTE_ORDER_MARK, LineEnding, Outline, SectionIds};
use crate::project::request::{Answer, IfFileExists, MemoryPath, OperationKind, Reason, Refusal};

/// Does a `create_file`; `existing` is the file as it is, if it is.
pub fn create(
    existing: Option<Outline<'_>>,
    content: &str,
    if_exists: IfFileExists,
    edit: &Edit<'_>,
) -> Answer<Edited> {
    let pointer = format!("{}/content", edit.pointer);
    let content = LineEnding::Lf.apply(content).trim_matches('\n').to_owned() + "\n";
    let dress_with = |names, previous| {
        dress(&content, &Dress { notes: edit.notes, names, root: None, previous }, &pointer)
    };
    match (existing, if_exists) {
        (None, IfFileExists::Reject | IfFileExists::Append | IfFileExists::Replace) => {
            let text = dress_with(SectionIds::default(), Previous::default())?;
            let result = OperationResult::addition("", &text);
            made(text, EditEffect { touched: None, result }, &pointer)
        }
        (Some(_), IfFileExists::Reject) => Err(Refusal::new(
            Reason::FileExists,
            format!("`{}` exists", edit.path),
            "use `append_section` or `replace_section`, or set `if_exists` to `append` or `replace`",
        )
        .at(format!("{}/path", edit.pointer))),
        (Some(old), IfFileExists::Append) => {
            let at = old.sections().len();
            let dressed = dress_with(ids(&old, at..at), Previous::default())?;
            let (position, file) = (old.text().len(), FileEdit { outline: old, edit });
            refuse_within(&file, &dressed)?;
            file.insert(Insertion { position, at, parent: None }, &dressed, Added::Any)
        }
        (Some(old), IfFileExists::Replace) => {
            let before = old.text();
            let text = dress_with(SectionIds::default(), Previous::of(&old, old.sections().iter()))?;
            let mark = if before.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK } else { "" };
            let text = mark.to_owned() + &LineEnding::of(before).apply(&text);
            let touched = Some(TouchedSection::file(edit.path.as_str(), before));
            let result = OperationResult::replacement("", before, &text);
            made(text, EditEffect { touched, result }, &pointer)
        }
    }
}

fn made(text: String, effects: EditEffect, pointer: &str) -> Answer<Edited> {
    let Checked { written, sections } = check_new(&text, pointer)?;
    let (effect, archived, warnings) = (OperationKind::CreateFile, None, Vec::new());
    let EditEffect { touched, result } = effects;
    Ok(Edited { text, sections, touched, result, effect, written, archived, warnings })
}

/// Refuses a text that would stand in the last section, which the operation does not name.
fn refuse_within(file: &FileEdit<'_>, text: &str) -> Answer<()> {
    let first = Outline::read(text).sections().first().map(|first| first.heading.level);
    match first {
        Some(level) => file.end_of_file(level, "content").map(drop),
        None if file.outline.sections().is_empty() => Ok(()),
        None => Err(Refusal::new(
            Reason::ContainmentViolation,
            "the content has no heading, so it would become a part of the last section",
            "begin it with a heading, or use `append_to_section` for that section",
        )
        .at(file.content_pointer())),
    }
}

/// Returns the text of a file that an `append_section` makes, titled from its name.
pub(crate) fn titled(path: &MemoryPath) -> String {
    let words = path.stem().replace(['_', '.'], " ");
    let shown = if words.starts_with(|c: char| c.is_ascii_digit()) {
        words
    } else {
        words.replace('-', " ")
    };
    let mut letters = shown.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    new_file(&(first + letters.as_str()))
}
