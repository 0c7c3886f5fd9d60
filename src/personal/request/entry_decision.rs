//! What the log calls the changes of a person's memory.

use super::answer::EntryChangeStatus;
use crate::contract::words;

words! {
    /// What the log says of a change.
    EntryDecision {
        /// An entry is new.
        Created = "created",
        /// An entry was replaced.
        Updated = "updated",
        /// An entry is in the trash.
        Deleted = "deleted",
        /// An entry is back from the trash.
        Restored = "restored",
        /// The latest change of an entry is taken back.
        Undone = "undone",
        /// An entry is gone for good.
        Purged = "purged",
        /// The index says again what the entries say.
        Fixed = "fixed",
    }
}

impl EntryDecision {
    /// Returns what the log says of an answer; `None` if nothing was written.
    pub(crate) fn of(status: EntryChangeStatus) -> Option<Self> {
        match status {
            EntryChangeStatus::Created => Some(Self::Created),
            EntryChangeStatus::Updated => Some(Self::Updated),
            EntryChangeStatus::Unchanged => None,
            EntryChangeStatus::Deleted => Some(Self::Deleted),
            EntryChangeStatus::Restored => Some(Self::Restored),
            EntryChangeStatus::Undone => Some(Self::Undone),
            EntryChangeStatus::Purged => Some(Self::Purged),
        }
    }
}
