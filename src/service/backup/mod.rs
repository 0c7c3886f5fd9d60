//! Reads memories out of a backup, and writes them for an export: bytes in, memories out.
//!
//! - `archive`: writes an archive in that form
//! - `container`: archives, compressed or not, and which form a file has
//! - `server_file`: the files of the observed server's backup, `falkordb_….json` and `qdrant_….json`
//! - `lines`: JSON Lines, one memory or relation a line
//! - `pages`: Markdown, one page a memory
//! - `saved_memories`: what was read, whatever the form

mod archive;
mod container;
mod lines;
mod pages;
mod saved_memories;
mod server_file;

pub(crate) use archive::archive_of;
pub(crate) use container::read_backup;
pub(crate) use lines::{memory_line, relation_line};
pub(crate) use pages::{NamedRelation, page_of};
pub(crate) use saved_memories::SavedMemories;
