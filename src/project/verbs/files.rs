//! Lists and reads memory files as a whole.

use super::Workspace;
use crate::contract::FileState;
use crate::contract::MemoryPath;
use crate::error::Result;
use crate::project::store::index;

/// Lists the memory files, relative to the store, in order.
pub fn memory_paths(workspace: &Workspace) -> Result<Vec<String>> {
    index::memory_files(workspace.store.layout().folder())
}

/// Reads a memory file, secrets masked; nothing if there is none that can be shown.
pub fn read_memory(workspace: &Workspace, path: &str) -> Result<Option<String>> {
    let Ok(path) = MemoryPath::parse(path) else { return Ok(None) };
    Ok(match workspace.store.read(&path)? {
        FileState::Text(text) => Some(workspace.clean(&text)),
        FileState::Absent | FileState::Unusable(_) => None,
    })
}
