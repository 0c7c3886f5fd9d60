//! What the log and the undo list say of a change. The log has hashes and no text.

use serde::{Deserialize, Serialize};

use crate::contract::{ContentHash, Moment};

/// A line of the log.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct EntryLog<'a> {
    pub(crate) time: Moment,
    /// `created`, `updated`, `deleted`, `restored`, `undone`.
    pub(crate) decision: &'static str,
    pub(crate) name: &'a str,
    /// SHA-256; absent if there was no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) before: Option<ContentHash>,
    /// SHA-256; absent if the file is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<ContentHash>,
}

/// How to take back a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EntryUndo {
    pub(crate) name: String,
    /// The text before the change; absent if there was none.
    pub(crate) before: Option<String>,
    /// SHA-256 of the text after it; absent if the entry was deleted.
    pub(crate) after: Option<String>,
    /// Where the change moved the old file.
    pub(crate) trash: Option<String>,
}
