//! What was done with a memory.

use crate::contract::words;

words! {
    /// What was done with a memory.
    ChangeKind {
        /// It was stored.
        Stored = "stored",
        /// It was changed.
        Updated = "updated",
        /// It was moved to the trash.
        Deleted = "deleted",
        /// It was taken out of the trash.
        Restored = "restored",
        /// Its last change was taken back.
        Undone = "undone",
        /// A relation to another memory was set.
        Related = "related",
        /// Its text was erased for good.
        Forgotten = "forgotten",
        /// An entity was merged with another, so that memories which name one are found by both.
        Merged = "merged",
    }
}

impl ChangeKind {
    /// Tells whether what a memory says may be another after it.
    pub(crate) fn is_of_text(self) -> bool {
        match self {
            Self::Stored | Self::Updated | Self::Deleted | Self::Restored | Self::Undone => true,
            Self::Related | Self::Forgotten | Self::Merged => false,
        }
    }
}
