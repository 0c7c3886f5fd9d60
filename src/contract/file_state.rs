//! What stands in a file of memory.

/// Bytes that a file of memory has at most; a larger one is neither indexed nor changed.
pub(crate) const LARGEST_FILE: u64 = 16 * 1024 * 1024;

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
    pub(crate) fn into_text(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text),
            Self::Absent | Self::Unusable(_) => None,
        }
    }
}
