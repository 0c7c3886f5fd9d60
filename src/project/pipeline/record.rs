//! Brings an operation to a file that holds one entry: there the entry is the section of level 1.

use std::borrow::Cow;

use super::place::Placed;
use super::record_path::new_id;
use crate::contract::SectionId;
use crate::markdown::{HeadingStyle, LineEnding, Outline, Section, id_line, shifted};
use crate::project::edit::find_target;
use crate::project::request::{Action, Answer, Reason, Refusal, Target};

/// Returns the operation with its entry at level 1, as far as it can only mean that: an entry is often sent as one of level
/// 2, which it has where entries share a file. `before` is the file as it is, if it is.
pub(super) fn fitted<'a>(
    action: &'a Action,
    placed: &Placed<'_>,
    before: Option<&Outline<'_>>,
) -> Cow<'a, Action> {
    if !placed.is_record() {
        return Cow::Borrowed(action);
    }
    match action {
        Action::AppendSection { parent_section_id: None, .. } => {
            Cow::Owned(fitted_section(action, placed, before))
        }
        Action::CreateFile { content, if_exists } => {
            let first = Outline::read(content).sections().first().cloned();
            let content = raised(content, first.as_ref().map_or("", |it| &it.heading.text));
            let content = with_id(&content, own_id(action, placed));
            Cow::Owned(Action::CreateFile { content, if_exists: *if_exists })
        }
        Action::ReplaceSection { target, content, if_missing } if means_entry(target, before) => {
            let (target, content) = (target.clone(), raised(content, ""));
            Cow::Owned(Action::ReplaceSection { target, content, if_missing: *if_missing })
        }
        Action::ReplaceSection { .. }
        | Action::AppendSection { .. }
        | Action::ReplaceSectionContent { .. }
        | Action::AppendToSection { .. }
        | Action::RenameHeading { .. }
        | Action::ArchiveSection { .. }
        | Action::RemoveSection { .. } => Cow::Borrowed(action),
    }
}

/// Returns an `append_section` with its section at level 1, unless it adds to the entry of a named file.
fn fitted_section(action: &Action, placed: &Placed<'_>, before: Option<&Outline<'_>>) -> Action {
    let mut fitted = action.clone();
    let Action::AppendSection { heading, heading_level, content, section_id, .. } = &mut fitted
    else {
        return fitted;
    };
    let id = match before {
        None => own_id(action, placed),
        Some(_) => placed.new_id.clone().or_else(|| new_id(action)),
    };
    let is_entry = |it: &Section| it.heading.level == 1 && it.id == id;
    let is_there = before.is_some_and(|file| file.sections().iter().any(is_entry));
    if placed.new_id.is_some() || before.is_none() || is_there {
        *heading_level = 1;
        *content = raised(content, heading);
        *section_id = id;
    }
    fitted
}

/// Tells whether the section that is replaced, or would be appended, is the entry itself.
fn means_entry(target: &Target, before: Option<&Outline<'_>>) -> bool {
    let found =
        before.and_then(|file| Some(&file.sections()[find_target(file, &target.selector)?]));
    found.is_none_or(|section| section.heading.level == 1)
}

/// Refuses a file that would hold a second entry.
pub(super) fn refuse_second(
    placed: &Placed<'_>,
    before: Option<&Outline<'_>>,
    after: &[Section],
    pointer: &str,
) -> Answer<()> {
    let entries = |sections: &[Section]| sections.iter().filter(|it| it.heading.level == 1).count();
    let had = before.map_or(1, |before| entries(before.sections()).max(1));
    if !placed.is_record() || entries(after) <= had {
        return Ok(());
    }
    let first = after.first().map_or("", |first| first.title());
    Err(Refusal::new(
        Reason::FileExists,
        format!("`{}` holds the entry `{first}`, and each entry has a file of its own", placed.path),
        "give the new entry another `section_id`, or add to the one that is there: `append_to_section`, or `append_section` with `parent_section_id`",
    )
    .at(pointer))
}

/// Returns the id of a new entry in a named file: the one that is given, else the name of the file.
fn own_id(action: &Action, placed: &Placed<'_>) -> Option<SectionId> {
    let made = new_id(action);
    let is_given = match action {
        Action::AppendSection { section_id, .. } => section_id.is_some(),
        _ => false,
    };
    match placed.new_id.clone() {
        Some(id) => Some(id),
        None if is_given => made,
        None => SectionId::parse(placed.path.stem()).or(made),
    }
}

/// Returns a content with its headings higher: the entry's own one, if it begins with it, becomes one of level 1, and the
/// others keep their distance to it. Without it they begin at level 2.
fn raised(content: &str, heading: &str) -> String {
    let content = LineEnding::Lf.apply(content).trim_start_matches('\n').to_owned();
    let outline = Outline::read(&content);
    let headings = || outline.sections().iter().filter(|it| it.heading.style == HeadingStyle::Atx);
    let is_own = |it: &&Section| {
        it.heading_bytes.start == 0 && (heading.is_empty() || it.heading.text == heading)
    };
    let level = |section: &Section| i8::try_from(section.heading.level).unwrap_or(1);
    let by = match headings().next().filter(is_own) {
        Some(own) => level(own) - 1,
        None => headings().map(level).min().map_or(0, |highest| (highest - 2).max(0)),
    };
    shifted(&content, -by)
}

/// Returns a content whose first section has this id, if it has none.
fn with_id(content: &str, id: Option<SectionId>) -> String {
    let outline = Outline::read(content);
    let first = outline.sections().first().filter(|first| first.id.is_none());
    let Some((first, id)) = first.zip(id) else { return content.to_owned() };
    let (head, rest) = content.split_at(first.heading_bytes.end);
    format!("{}\n{}\n{rest}", head.trim_end(), id_line(&id))
}
