//! Lists and reads memory files as a whole.

use super::project::Project;
use crate::error::Result;
use crate::project::request::MemoryPath;
use crate::project::store::sections::memory_files;

pub(crate) fn memory_paths(project: &Project) -> Result<Vec<String>> {
    memory_files(project.store.layout().folder())
}

/// Reads a memory file with secrets masked; none where it is missing or unreadable.
pub fn read_memory(project: &Project, path: &str) -> Result<Option<String>> {
    let Ok(path) = MemoryPath::parse(path) else { return Ok(None) };
    Ok(project.store.read(&path)?.into_text().map(|text| project.clean(&text)))
}
