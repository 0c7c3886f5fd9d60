//! What a request stores: one memory, one that replaces another, or a list.

use crate::service::request::{MemoryId, RelationType};

/// What a request stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StoreForm {
    /// One memory.
    One,
    /// One memory that replaces another.
    Superseding(MemoryId, RelationType),
    /// A list.
    Batch,
}

impl StoreForm {
    /// Returns a name that no other form has: the same body in another form is another request.
    pub(super) fn name(self) -> String {
        match self {
            Self::One => "one".to_owned(),
            Self::Superseding(old, relation) => format!("superseding {old} {relation}"),
            Self::Batch => "batch".to_owned(),
        }
    }

    /// Tells whether it is a list.
    pub(super) fn is_list(self) -> bool {
        self == Self::Batch
    }
}
