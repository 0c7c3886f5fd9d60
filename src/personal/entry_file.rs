//! Reads and writes the Markdown file of an entry, ours or one of Claude Code.

mod body;
mod read;
mod write;

pub(crate) use read::{EntryContent, EntryFile, Generation, is_same_name};
pub use write::Dialect;
pub(crate) use write::{EntryFields, changed_file, new_file};
