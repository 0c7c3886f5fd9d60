//! Refuses a new entry whose id another entry of its category has: each has a file of its own, and the name of a file may
//! differ from the id in it.

use std::collections::BTreeSet;

use super::answer::Attempt;
use super::project::Project;
use crate::contract::SectionId;
use crate::error::Result;
use crate::markdown::Outline;
use crate::project::pipeline::{Planned, PlannedFile};
use crate::project::request::{MemoryPath, Reason, Refusal};
use crate::project::schema::Category;
use crate::project::store::sections::memory_files;

pub(super) fn refuse_taken(project: &Project, planned: &Planned<'_>) -> Attempt<()> {
    let catalog = project.rules()?.catalog;
    for file in &planned.files {
        let owner = catalog.owner_of(file.path.as_str()).filter(|it| it.paths.has_records());
        let Some(owner) = owner else { continue };
        let new = new_entries(file, owner);
        if new.is_empty() {
            continue;
        }
        let mut others: BTreeSet<MemoryPath> =
            planned.files.iter().map(|other| other.path.clone()).collect();
        let known = memory_files(project.store.layout().folder())?;
        others.extend(known.iter().filter_map(|path| MemoryPath::parse(path).ok()));
        let is_own = |path: &MemoryPath| {
            let other = catalog.owner_of(path.as_str());
            *path != file.path && other.is_some_and(|other| other.name == owner.name)
        };
        for other in others.into_iter().filter(is_own) {
            let text = text_of(project, planned, &other)?;
            let mut taken = ids_in(&text, owner, &other).into_iter();
            if let Some(id) = taken.find(|id| new.contains(id)) {
                Err(taken_by(&id, &other))?;
            }
        }
    }
    Ok(())
}

fn new_entries(file: &PlannedFile, owner: &Category) -> BTreeSet<SectionId> {
    let before = file.before.as_deref().unwrap_or_default();
    let mut new = ids_in(&file.after, owner, &file.path);
    for known in ids_in(before, owner, &file.path) {
        new.remove(&known);
    }
    new
}

fn ids_in(text: &str, owner: &Category, path: &MemoryPath) -> BTreeSet<SectionId> {
    let outline = Outline::read(text);
    owner.entries(path.as_str(), &outline).filter_map(|section| section.id.clone()).collect()
}

/// Returns the text of a file as the change would leave it.
fn text_of(project: &Project, planned: &Planned<'_>, path: &MemoryPath) -> Result<String> {
    match planned.files.iter().find(|file| file.path == *path) {
        Some(file) => Ok(file.after.clone()),
        None => Ok(project.store.read(path)?.into_text().unwrap_or_default()),
    }
}

fn taken_by(id: &SectionId, path: &MemoryPath) -> Box<Refusal> {
    let message = format!("the id `{id}` is taken by the entry in `{path}`");
    let hint = format!(
        "give the new entry another `section_id`, or change the one that is there, with `path` `{path}`"
    );
    Refusal::new(Reason::DuplicateSectionId, message, hint).at("/operations")
}
