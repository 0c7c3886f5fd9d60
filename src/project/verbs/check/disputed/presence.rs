//! Tells whether what a proposal writes stands in the files of a side.

use super::operation_files::OperationFiles;
use crate::error::Result;
use crate::markdown::Outline;
use crate::project::edit::find_target;
use crate::project::request::{Action, Request, Selector};
use crate::project::schema::Catalog;
use crate::project::verbs::check::side::Side;
use crate::project::verbs::kept_request::compared_lines;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    In,
    Out,
    /// A part of it, another text in its section, or not known.
    Unclear,
}

/// Tells how it stands with some operations of a request.
pub(super) fn presence(
    side: &Side<'_>,
    catalog: &Catalog,
    request: &Request,
    numbers: &[usize],
) -> Result<Presence> {
    let mut all = Vec::new();
    for operation in numbers.iter().filter_map(|number| request.operations.get(*number)) {
        all.extend(of_one(&OperationFiles { side, catalog, intent: request.intent, operation })?);
    }
    let first = all.first().copied().unwrap_or(Presence::Unclear);
    Ok(if all.iter().all(|each| *each == first) { first } else { Presence::Unclear })
}

/// Returns how it stands with an operation; none for one that brings no text.
fn of_one(files: &OperationFiles<'_>) -> Result<Option<Presence>> {
    let current = files.current()?;
    Ok(match &files.operation.action {
        Action::RenameHeading { target, new_heading, .. } => {
            Some(renamed(&target.selector, new_heading, &current))
        }
        Action::ArchiveSection { target, .. } | Action::RemoveSection { target, .. } => {
            let is_there = |text: &String| {
                let outline = Outline::read(text);
                let section = find_target(&outline, &target.selector);
                section.is_some_and(|section| !outline.sections()[section].archived)
            };
            let is_there = current.iter().any(is_there);
            Some(if is_there { Presence::Out } else { Presence::In })
        }
        Action::CreateFile { content, .. } => of_lines(content, &current),
        Action::AppendSection { .. }
        | Action::ReplaceSection { .. }
        | Action::ReplaceSectionContent { .. }
        | Action::AppendToSection { .. } => in_section(files, &current)?,
    })
}

fn renamed(selector: &Selector, new_heading: &str, current: &[String]) -> Presence {
    let headings_of = |selector: &Selector| -> Vec<String> {
        let heading = |text: &String| {
            let outline = Outline::read(text);
            let number = find_target(&outline, selector)?;
            Some(outline.sections()[number].heading.text.clone())
        };
        current.iter().filter_map(heading).collect()
    };
    let is_new = |heading: &String| heading == new_heading.trim();
    let old = headings_of(selector);
    match selector {
        // Another section may have had the new heading before.
        Selector::Heading { .. } if !old.is_empty() => Presence::Out,
        Selector::Heading { .. } if !headings_of(&heading_alone(new_heading)).is_empty() => {
            Presence::In
        }
        Selector::Id(_) if old.iter().any(is_new) => Presence::In,
        Selector::Id(_) if !old.is_empty() => Presence::Out,
        Selector::Heading { .. } | Selector::Id(_) => Presence::Unclear,
    }
}

/// Compares with the section itself: another one may have the same line.
fn in_section(files: &OperationFiles<'_>, current: &[String]) -> Result<Option<Presence>> {
    let action = &files.operation.action;
    let sections = |texts: &[String]| -> Vec<String> {
        texts.iter().filter_map(|text| section_of(action, text)).collect()
    };
    let content = action.content().unwrap_or_default();
    let own = sections(current);
    let found = match own.is_empty() {
        true => of_lines(content, current),
        false => of_lines(content, &own),
    };
    let Some(found) = found else { return Ok(None) };
    let is_edited = match (found, own.is_empty()) {
        (Presence::Out, true) => {
            let archived = of_lines(content, &sections(&files.archived()?));
            archived.is_some_and(|presence| presence != Presence::Out)
        }
        (Presence::Out, false) => matches!(action, Action::AppendSection { .. }),
        // Its section may have another heading, or it may be a line of another section.
        (Presence::In | Presence::Unclear, is_elsewhere) => is_elsewhere,
    };
    Ok(Some(if is_edited { Presence::Unclear } else { found }))
}

/// Returns the section that an operation writes.
fn section_of(action: &Action, text: &str) -> Option<String> {
    let outline = Outline::read(text);
    let named = match action {
        Action::AppendSection { section_id: Some(id), .. } => Selector::Id(id.clone()),
        Action::AppendSection { heading, .. } => heading_alone(heading),
        _ => action.target()?.selector.clone(),
    };
    // A content may bring a heading of its own.
    let content = Outline::read(action.content().unwrap_or_default());
    let own = content.sections().first().map(|section| heading_alone(&section.heading.text));
    let number = [Some(named), own].into_iter().flatten();
    let number = number.filter_map(|selector| find_target(&outline, &selector)).next()?;
    let section = &outline.sections()[number];
    let is_whole = matches!(action, Action::AppendSection { .. } | Action::ReplaceSection { .. });
    Some(if is_whole { outline.whole(section) } else { outline.own(section) }.to_owned())
}

fn heading_alone(text: &str) -> Selector {
    Selector::Heading { text: text.to_owned(), level: None, occurrence: None }
}

fn of_lines(content: &str, texts: &[String]) -> Option<Presence> {
    let wanted: Vec<&str> = compared_lines(content).collect();
    if wanted.is_empty() {
        return None;
    }
    let has = |text: &String, line: &str| compared_lines(text).any(|there| there == line);
    if texts.iter().any(|text| wanted.iter().all(|line| has(text, line))) {
        return Some(Presence::In);
    }
    // Each decision has its status, and two texts may share a line.
    let telling: Vec<&&str> = wanted.iter().filter(|line| !line.starts_with("- **")).collect();
    let is_mostly_in =
        |text: &String| 2 * telling.iter().filter(|line| has(text, line)).count() > telling.len();
    Some(if texts.iter().any(is_mostly_in) { Presence::Unclear } else { Presence::Out })
}
