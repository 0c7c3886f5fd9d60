//! What a person sends: how a door reads it, and keeps it where it was refused.

use std::path::{Path, PathBuf};

use crate::disk::{DraftFile, outside};
use crate::error::Result;

/// Keeps a text that a person wrote and that was not stored, in a file that they alone can read.
pub(crate) fn keep_draft(text: &str) -> Result<PathBuf> {
    DraftFile::make(text)?.keep()
}

/// Reads a request or a body from a file, or from stdin; what is beyond the limit is left unread.
pub(crate) fn read_input(file: Option<&Path>, limit: usize) -> Result<Vec<u8>> {
    outside::read_up_to(file, limit as u64 + 1)
}
