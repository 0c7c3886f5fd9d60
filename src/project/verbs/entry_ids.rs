//! Refuses a new entry whose id another entry of its category has: each has a file of its own, and the name of a file may
//! differ from the id in it.

use std::collections::BTreeSet;

use super::answer::Attempt;
use super::known_entries::ids_in;
use super::project::Project;
use crate::contract::SectionId;
use crate::project::pipeline::{Planned, PlannedFile};
use crate::project::request::{MemoryPath, Reason, Refusal};
use crate::project::schema::Category;

pub(super) fn refuse_taken(project: &Project, planned: &Planned<'_>) -> Attempt<()> {
    let catalog = project.catalog()?;
    let owner_of = |path: &MemoryPath| catalog.owner_of(path.as_str());
    for file in &planned.files {
        let Some(owner) = owner_of(&file.path).filter(|it| it.paths.has_records()) else {
            continue;
        };
        for id in new_entries(file, owner) {
            let is_planned = |path: &&MemoryPath| planned.files.iter().any(|it| it.path == **path);
            let known = project.entries.of(&project.store, catalog)?;
            let known = known.get(&(owner.name.clone(), id.clone())).into_iter().flatten();
            let has_it = |other: &&PlannedFile| {
                owner_of(&other.path).is_some_and(|it| it.name == owner.name)
                    && ids_in(&other.after, owner, &other.path).contains(&id)
            };
            let others = planned.files.iter().filter(|other| other.path != file.path);
            let others = others.filter(has_it).map(|other| &other.path);
            if let Some(other) = known.filter(|path| !is_planned(path)).chain(others).min() {
                Err(taken_by(&id, other))?;
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

fn taken_by(id: &SectionId, path: &MemoryPath) -> Box<Refusal> {
    let message = format!("the id `{id}` is taken by the entry in `{path}`");
    let hint = format!(
        "give the new entry another `section_id`, or change the one that is there, with `path` `{path}`"
    );
    Refusal::new(Reason::DuplicateSectionId, message, hint).at("/operations")
}
