//! Turns the sections of a store into documents of the search index, and its answers back into sections.

mod branch_notes;
mod dates;
mod documents;
mod entries;
mod memory_files;
mod query;
mod section_source;
mod source_notes;
mod standing_notes;

pub(crate) use branch_notes::BranchNotes;
pub(crate) use memory_files::{is_memory, memory_files};
pub use query::Query;
pub(crate) use query::{AskedStores, CitedToday};
pub(crate) use section_source::SectionSource;
pub(crate) use source_notes::read_sources;
pub(crate) use standing_notes::StandingNote;
