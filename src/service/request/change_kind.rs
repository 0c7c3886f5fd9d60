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
    }
}
