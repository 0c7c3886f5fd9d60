//! What the files said when the change was planned.

use std::collections::{BTreeMap, BTreeSet};

use crate::contract::FileState;
use crate::project::rejection::Rejection;
use crate::project::request::MemoryPath;

/// The files a change reads, taken once, under the lock.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// Each file that the change names.
    pub files: BTreeMap<MemoryPath, FileState>,
    /// The files in which git left a conflict inside of code, where it looks like an example; each with the line.
    pub conflicts: BTreeMap<MemoryPath, usize>,
    /// The texts that people rejected.
    pub rejections: Vec<Rejection>,
    /// The ids of those whose proposal is kept, so that `restore` finds it.
    pub restorable: BTreeSet<String>,
}

impl Snapshot {
    pub(super) fn text(&self, path: &MemoryPath) -> Option<&str> {
        match self.files.get(path) {
            Some(FileState::Text(text)) => Some(text),
            Some(FileState::Absent | FileState::Unusable(_)) | None => None,
        }
    }
}
