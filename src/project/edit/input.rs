//! What an edit needs to know besides the file.

use crate::markdown::SourceNote;
use crate::project::request::{Action, MemoryPath};

/// One operation, with what the engine adds to it.
#[derive(Debug, Clone, Copy)]
pub struct Edit<'a> {
    /// What to do.
    pub action: &'a Action,
    /// The file it is done to.
    pub path: &'a MemoryPath,
    /// The write-once file, for the operations that archive.
    pub archive: &'a MemoryPath,
    /// The evidence that every written section carries.
    pub notes: &'a [SourceNote],
    /// JSON pointer of the operation.
    pub pointer: &'a str,
}
