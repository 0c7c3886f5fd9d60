//! Where a person's memory lies, and how a door reads what is sent.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

use super::session::{EntryAnswer, PersonalSession};
use super::stop::answered;
use crate::disk::{DraftFile, outside};
use crate::error::Result;

/// The folder of a person's memory.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct PersonalPath {
    /// The whole path; the folder is made by the first entry.
    pub(crate) path: String,
}

/// Names the person's folder, which may be missing.
pub(crate) fn folder(session: &PersonalSession) -> EntryAnswer<PersonalPath> {
    answered(|| {
        let path = session.path(session.user()?);
        Ok(PersonalPath { path: path.display().to_string() })
    })
}

/// Keeps a text that a person wrote and that was refused, in a file that they alone can read.
pub(crate) fn keep_draft(text: &str) -> Result<PathBuf> {
    DraftFile::make(text)?.keep()
}

/// Reads a request or a body from a file, or from stdin; what is beyond the limit is left unread.
pub(crate) fn read_input(file: Option<&Path>, limit: usize) -> Result<Vec<u8>> {
    outside::read_up_to(file, limit as u64 + 1)
}
