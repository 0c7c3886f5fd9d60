//! What kind of knowledge a memory is.

use crate::contract::words;

words! {
    /// What kind of knowledge a memory is; a memory that was imported may have another type.
    MemoryType {
        /// Something was chosen.
        Decision = "Decision",
        /// Something that is done again and again.
        Pattern = "Pattern",
        /// Something is liked better than something else.
        Preference = "Preference",
        /// How something is written or said.
        Style = "Style",
        /// What is done at certain times.
        Habit = "Habit",
        /// Something was understood.
        Insight = "Insight",
        /// The circumstances, and all that fits no other type.
        Context = "Context",
    }
}
