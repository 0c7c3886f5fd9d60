//! What was done with a memory.

use super::event_kind::EventKind;
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
        /// Two entities were merged: a search for one finds the memories of both.
        Merged = "merged",
    }
}

impl ChangeKind {
    /// Returns what those who listen are told of it.
    pub(crate) fn event(self) -> Option<EventKind> {
        match self {
            Self::Stored | Self::Restored => Some(EventKind::MemoryStore),
            Self::Updated | Self::Undone => Some(EventKind::MemoryUpdate),
            Self::Deleted | Self::Forgotten => Some(EventKind::MemoryDelete),
            Self::Related => Some(EventKind::MemoryAssociate),
            Self::Merged => None,
        }
    }

    /// Tells whether the change can alter the text or the fields of a memory.
    pub(crate) fn changes_memory(self) -> bool {
        match self {
            Self::Stored | Self::Updated | Self::Deleted | Self::Restored | Self::Undone => true,
            Self::Related | Self::Forgotten | Self::Merged => false,
        }
    }
}
