//! What a merge gives, whole and piece by piece.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Merged {
    /// The text; with markers where there are conflicts.
    pub text: String,
    /// The sections that a person has to look at, by id or heading; empty for what stands before the first.
    pub conflicts: Vec<String>,
}

pub(super) struct MergePiece {
    pub(super) text: String,
    pub(super) is_conflict: bool,
}

impl MergePiece {
    pub(super) fn clean(text: &str) -> Self {
        Self { text: text.to_owned(), is_conflict: false }
    }
}
