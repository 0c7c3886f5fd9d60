//! Finds the memory files that hold conflict markers, though git's index does not say so: they were added or committed.

use crate::contract::FileState;
use crate::error::Result;
use crate::project::request::MemoryPath;
use crate::project::store::sections::memory_files;
use crate::project::store::{Conflict, Conflicts, added_stages, conflict_in};
use crate::project::verbs::project::Project;

/// The files that git takes for merged.
#[derive(Debug, Default)]
pub(super) struct MarkedFiles {
    /// Those of which git remembers the versions.
    pub(super) known: Vec<Conflict>,
    /// The others, each with the line of its first marker.
    pub(super) unknown: Vec<(String, usize)>,
}

impl MarkedFiles {
    pub(super) fn beside(conflicts: &Conflicts, project: &Project) -> Result<Self> {
        let layout = project.store.layout();
        let mut found = Self::default();
        for name in memory_files(layout.folder())? {
            let is_unmerged = conflicts.files.iter().any(|each| each.path.as_str() == name)
                || conflicts.unreadable.contains(&name)
                || conflicts.misnamed.contains(&name);
            if is_unmerged {
                continue;
            }
            let FileState::Text(text) = project.store.read_any(&name)? else { continue };
            let Some(line) = conflict_in(layout, &name, &text)? else { continue };
            match (MemoryPath::parse(&name), added_stages(layout, &name)?) {
                (Ok(path), stages @ [_, Some(_), Some(_)]) => {
                    found.known.push(Conflict { path, stages });
                }
                (Ok(_) | Err(_), _) => found.unknown.push((name, line)),
            }
        }
        Ok(found)
    }
}
