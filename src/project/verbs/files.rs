//! Lists and reads memory files as a whole.

use super::Workspace;
use crate::contract::MemoryPath;
use crate::error::Result;
use crate::project::store::index;

pub(crate) fn memory_paths(workspace: &Workspace) -> Result<Vec<String>> {
    index::memory_files(workspace.store.layout().folder())
}

/// Reads a memory file with secrets masked; none where it is missing or unreadable.
pub fn read_memory(workspace: &Workspace, path: &str) -> Result<Option<String>> {
    let Ok(path) = MemoryPath::parse(path) else { return Ok(None) };
    Ok(workspace.store.read(&path)?.into_text().map(|text| workspace.clean(&text)))
}
