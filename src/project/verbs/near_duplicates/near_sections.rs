//! Finds the sections that say almost the same as a proposal, by the index.

use super::brought::{BroughtText, are_of_one_form, entry_level, near_text, part_of};
use super::near_duplicate::{NearDuplicate, NearKind};
use crate::contract::FileState;
use crate::error::Result;
use crate::index::{AlikeDocument, SearchIndex};
use crate::markdown::Outline;
use crate::project::edit::find_target;
use crate::project::pipeline::Screened;
use crate::project::request::{Action, IfExists, IfFileExists};
use crate::project::store::IndexPath;
use crate::project::store::sections::BranchNotes;
use crate::project::verbs::project::Project;

/// Words that a section is looked up by.
const LOOKED_UP: usize = 24;

/// Sections that are compared with a text.
const COMPARED: usize = 8;

/// Sections that the index is asked for: some are of other branches or stores.
const ASKED_FOR: usize = 64;

/// The index, and whose notes are of other branches.
#[derive(Debug)]
pub(super) struct OpenedIndex {
    pub(super) index: SearchIndex,
    notes: Option<BranchNotes>,
}

impl OpenedIndex {
    pub(super) fn new(project: &Project, index: SearchIndex) -> Self {
        // Where the branch is not known, the notes of all count.
        Self { index, notes: project.branch_notes().unwrap_or_default() }
    }
}

pub(super) fn find(
    project: &Project,
    OpenedIndex { index, notes }: &OpenedIndex,
    (screened, brought): (&Screened<'_>, &[BroughtText]),
) -> Result<Vec<NearDuplicate>> {
    let is_of_other_branch =
        |file: &str| notes.as_ref().is_some_and(|notes| notes.other_branch(file).is_some());
    let mut found = Vec::new();
    for BroughtText { operation, text, part, .. } in brought {
        let alike = index.alike(&text.rarest(LOOKED_UP), ASKED_FOR)?.into_iter();
        let ours = alike.filter(|it| IndexPath::read(&it.file).is_own());
        for document in ours.filter(|it| !is_of_other_branch(&it.file)).take(COMPARED) {
            let AlikeDocument { file, name, line, body } = &document;
            let is_near = || {
                text.may_be_in(&body.to_lowercase())
                    && near_text(body, screened.catalog()).is_some_and(|it| it.says_almost(text))
            };
            if !is_near() || is_target(project, screened, &document)? {
                continue;
            }
            let known = part_in_memory(project, screened, &document)?;
            if are_of_one_form(part.as_ref(), known.as_ref()) {
                continue;
            }
            let place = match name {
                Some(id) => format!("{file}#{id}"),
                None => format!("{file}:{line}"),
            };
            let shown = project.clean(body);
            found.push(NearDuplicate::new(NearKind::Section, place, *operation, &shown));
        }
    }
    Ok(found)
}

/// Returns the heading of a section of memory that is a part of an entry.
fn part_in_memory(
    project: &Project,
    screened: &Screened<'_>,
    document: &AlikeDocument,
) -> Result<Option<String>> {
    let FileState::Text(text) = project.read(&document.file)? else { return Ok(None) };
    let outline = Outline::read(&text);
    let section = outline.sections().iter().find(|it| it.line == document.line);
    let level = entry_level(screened.catalog(), &document.file);
    Ok(section.and_then(|section| part_of(section, level)))
}

/// Tells whether a section is one that the proposal replaces, removes or writes into.
fn is_target(project: &Project, screened: &Screened<'_>, document: &AlikeDocument) -> Result<bool> {
    let of_file = screened.operations().filter(|(_, path)| path.as_str() == document.file);
    let actions: Vec<&Action> = of_file.map(|(operation, _)| &operation.action).collect();
    if actions.is_empty() {
        return Ok(false);
    }
    let FileState::Text(text) = project.store.read_any(&document.file)? else { return Ok(false) };
    let outline = Outline::read(&text);
    Ok(actions.iter().any(|action| targets(action, &outline, document)))
}

/// Tells whether an operation writes into a section of its file, or into one around it.
fn targets(action: &Action, outline: &Outline<'_>, document: &AlikeDocument) -> bool {
    let number = match action {
        Action::CreateFile { if_exists, .. } => return *if_exists == IfFileExists::Replace,
        Action::AppendSection { parent_section_id: Some(parent), .. }
            if document.name.as_deref() == Some(parent.as_str()) =>
        {
            return true;
        }
        Action::AppendSection { section_id, heading, if_exists: IfExists::Replace, .. } => {
            match section_id {
                Some(id) => outline.find(id),
                None => outline.sections().iter().position(|it| it.heading.text == *heading),
            }
        }
        other => other.target().and_then(|target| find_target(outline, &target.selector)),
    };
    number.is_some_and(|at| {
        let family = &outline.sections()[at..at + outline.family(at)];
        family.iter().any(|section| section.line == document.line)
    })
}
