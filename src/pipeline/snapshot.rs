//! What the files said when the change was planned.

use std::collections::BTreeMap;

use crate::contract::MemoryPath;
use crate::rejection::Rejection;

/// The files a change reads, taken once, under the lock.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// Each file that the change names, and the generated index.
    pub files: BTreeMap<MemoryPath, FileState>,
    /// The texts that people refused.
    pub rejections: Vec<Rejection>,
}

/// What was found at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileState {
    /// Nothing.
    Absent,
    /// Text.
    Text(String),
    /// Something that cannot be planned on, and why.
    Unusable(String),
}

impl FileState {
    /// Returns the text; nothing if there is none that can be read.
    pub fn into_text(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text),
            Self::Absent | Self::Unusable(_) => None,
        }
    }
}

impl Snapshot {
    /// Returns the text at a path; nothing if there is none that can be read.
    pub(super) fn text(&self, path: &MemoryPath) -> Option<&str> {
        match self.files.get(path) {
            Some(FileState::Text(text)) => Some(text),
            Some(FileState::Absent | FileState::Unusable(_)) | None => None,
        }
    }
}
