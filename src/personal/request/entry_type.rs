//! The four types of an entry.

use crate::contract::words;

words! {
    /// What an entry is for.
    EntryType {
        /// Long-term preferences and standing instructions of the person.
        User = "user",
        /// Corrections that the person gave, such as "don't do X".
        Feedback = "feedback",
        /// Facts of a project: stack, conventions, key files.
        Project = "project",
        /// Reference data: addresses, where credentials are kept, external ids.
        Reference = "reference",
    }
}
