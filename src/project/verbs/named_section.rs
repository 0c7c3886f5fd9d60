//! Finds the file, and the section in it, that a person names.

use super::answer::Attempt;
use super::pending::{Pending, pending};
use super::project::Project;
use crate::contract::{FileState, SectionId};
use crate::error::Result;
use crate::markdown::{Outline, Section};
use crate::project::request::{Answer, MemoryPath, Reason, Refusal, path_in_store};
use crate::text::{did_you_mean, excerpt};

/// Reads a memory file that a person names.
pub(super) fn read_named(project: &Project, path: &str) -> Attempt<(MemoryPath, String)> {
    let refuse = |message: String, hint: &str| Refusal::new(Reason::InvalidPath, message, hint);
    let path = MemoryPath::parse(path_in_store(path))
        .map_err(|problem| refuse(problem.message, &problem.hint))?;
    match project.store.read(&path)? {
        FileState::Text(text) => Ok((path, text)),
        FileState::Absent => {
            let hint = "`agent-memory search` finds files by what they say";
            Err(refuse(format!("there is no `{path}`"), hint).into())
        }
        FileState::Unusable(why) => {
            let hint = "a person has to look at this file";
            Err(refuse(format!("`{path}` cannot be shown: {why}"), hint).into())
        }
    }
}

/// Finds the section that a person names: by its id, or by a heading that only one section has.
pub(super) fn find_section(
    outline: &Outline<'_>,
    path: &MemoryPath,
    wanted: &str,
) -> Answer<usize> {
    if let Some(number) = SectionId::parse(wanted).and_then(|id| outline.find(&id)) {
        return Ok(number);
    }
    let sections = outline.sections().iter().enumerate();
    let fits =
        |(number, section): (usize, &Section)| (section.heading.text == wanted).then_some(number);
    let mut fitting = sections.filter_map(fits);
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Ok(only),
        (Some(_), Some(_)) => {
            let message = format!("several sections of `{path}` are called `{}`", excerpt(wanted));
            let hint = format!("name one by its id: `agent-memory show {path}` prints them");
            Err(Refusal::new(Reason::SectionAmbiguous, message, hint))
        }
        (None, _) => {
            let ids = outline.sections().iter().filter_map(|section| section.id.as_ref());
            let guess = did_you_mean(wanted, ids.map(SectionId::as_str));
            let message = format!("`{path}` has no section `{}`{guess}", excerpt(wanted));
            let hint = format!("`agent-memory show {path}` prints all of them");
            Err(Refusal::new(Reason::SectionNotFound, message, hint))
        }
    }
}

/// Names the pending proposal that adds a section which the files do not have: `status` lists such sections.
pub(super) fn point_to_pending(
    project: &Project,
    name: &str,
    mut refusal: Box<Refusal>,
) -> Result<Box<Refusal>> {
    let adds = |each: &Pending| each.sections.iter().any(|section| section == name);
    if let Some(pending) = pending(project)?.into_iter().find(adds) {
        refusal.hint = format!("it is pending: `agent-memory show {}`", pending.id);
    }
    Ok(refusal)
}
