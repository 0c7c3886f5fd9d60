//! What a caller is told about personal memory.

use schemars::JsonSchema;
use serde::Serialize;

use crate::contract::words;

words! {
    /// What became of an entry.
    EntryChangeStatus {
        /// It is new.
        Created = "created",
        /// It was replaced.
        Updated = "updated",
        /// It says this already; nothing was written.
        Unchanged = "unchanged",
        /// It is in the trash.
        Deleted = "deleted",
        /// It is back from the trash.
        Restored = "restored",
        /// Its latest change is taken back.
        Undone = "undone",
        /// It is gone for good.
        Purged = "purged",
    }
}

/// A change of an entry and of the index.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct EntryChange {
    /// What became of the entry.
    pub status: EntryChangeStatus,
    /// The same, in one sentence.
    pub message: String,
    /// The entry.
    pub name: String,
    /// Its file, relative to the person's folder.
    pub path: String,
    /// What the index says of it; absent when it is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its line in the index; absent when it is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index_line: Option<String>,
    /// SHA-256 of its file; absent when it is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// Where the old file is now, relative to the person's folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trash: Option<String>,
    /// How full the index is.
    pub index: IndexSize,
    /// Other information for the caller.
    pub warnings: Vec<String>,
}

/// How full the index is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct IndexSize {
    /// Its lines.
    pub lines: usize,
    /// Its bytes.
    pub bytes: usize,
    /// Lines that the settings allow.
    pub max_lines: usize,
    /// Bytes that the settings allow.
    pub max_bytes: usize,
}

/// An entry.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ReadEntry {
    /// The name of its file, without `.md`.
    pub name: String,
    /// `user`, `feedback`, `project`, `reference`, or the word that stands in the file.
    #[serde(rename = "type")]
    pub kind: String,
    /// The one line that the index shows.
    pub description: String,
    /// The text below the front matter.
    pub body: String,
    /// All of it, as an agent reads it.
    pub text: String,
    /// Its file, relative to the person's folder.
    pub path: String,
    /// SHA-256 of its file, for `if_hash`.
    pub hash: String,
    /// When it was changed, where its front matter says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// Other information for the caller.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The index.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct IndexRead {
    /// The text of `MEMORY.md`; empty where there is none.
    pub text: String,
    /// Its file, relative to the person's folder.
    pub path: String,
    /// How full it is.
    pub index: IndexSize,
    /// Other information for the caller.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// All entries, by name.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct EntryList {
    /// The entries.
    pub entries: Vec<ListedEntry>,
    /// How full the index is.
    pub index: IndexSize,
    /// Entries without a line, lines without an entry, files that cannot be read.
    pub warnings: Vec<String>,
}

/// An entry without its body.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ListedEntry {
    /// The name of its file, without `.md`.
    pub name: String,
    /// `user`, `feedback`, `project`, `reference`, or the word that stands in the file.
    #[serde(rename = "type")]
    pub kind: String,
    /// The one line that the index shows.
    pub description: String,
    /// Its file, relative to the person's folder.
    pub path: String,
    /// SHA-256 of its file, for `if_hash`.
    pub hash: String,
    /// When it was changed, where its front matter says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
}
