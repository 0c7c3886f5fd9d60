//! What a person sends: how a door reads it, and keeps it where it was refused.

use std::path::{Path, PathBuf};

use super::call::CALL_BYTES;
use crate::disk::{DraftFile, outside, read_document};
use crate::error::Result;

/// Keeps a text that a person wrote and that was not stored, in a file that they alone can read.
pub(crate) fn keep_draft(text: &str) -> Result<PathBuf> {
    DraftFile::make(text)?.keep()
}

/// Reads a body from a file, or from stdin; what is beyond the limit is left unread.
pub(crate) fn read_body(file: Option<&Path>) -> Result<Vec<u8>> {
    outside::read_up_to(file, CALL_BYTES as u64 + 1)
}

/// Reads a request from stdin; what is beyond the limit is left unread.
pub(crate) fn read_call() -> Result<Vec<u8>> {
    read_document(None, CALL_BYTES as u64 + 1)
}
