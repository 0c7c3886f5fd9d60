//! The file of an entry as `doctor --split` would begin it, out of a text in which entries stood together.

use super::entries::Cut;
use crate::project::request::MemoryPath;
use crate::project::verbs::project::Project;

/// What an entry was before it moved.
pub(in crate::project::verbs) struct MovedText {
    pub(in crate::project::verbs) from: MemoryPath,
    /// The file out of which it is cut.
    pub(in crate::project::verbs) shared: String,
    /// The file that it gets.
    pub(in crate::project::verbs) entry: String,
}

/// Cuts an entry out of the file of its category that has it; `read` gives the files of the time that is meant.
pub(in crate::project::verbs) fn as_split(
    project: &Project,
    path: &MemoryPath,
    read: impl Fn(&MemoryPath) -> Option<String>,
) -> Option<MovedText> {
    let owner = project.catalog().ok()?.owner_of(path.as_str())?;
    if !owner.paths.is_record(path.as_str()) {
        return None;
    }
    owner.paths.shared_files().find_map(|shared| {
        let from = MemoryPath::parse(shared).ok()?;
        let cut = Cut::of(&from, read(&from)?, owner).ok()?;
        let entry = cut.entries.iter().find(|entry| entry.path == *path)?;
        let entry = entry.as_moved(&cut.moves);
        Some(MovedText { from, shared: cut.before, entry })
    })
}
