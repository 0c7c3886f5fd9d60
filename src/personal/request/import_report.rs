//! What a caller is told of an import or an export.

use schemars::JsonSchema;
use serde::Serialize;

use super::entry_name::EntryName;
use super::entry_refusal::{EntryReason, EntryRefusal};
use crate::contract::words;

words! {
    /// What became of a file or bullet of the source.
    ImportStatus {
        /// It is a new entry.
        Created = "created",
        /// An entry says this already.
        Unchanged = "unchanged",
        /// It is no entry; the others are not affected.
        Rejected = "rejected",
    }
}

/// What became of each file or bullet of a source.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ImportReport {
    /// The folder or file that was read.
    pub source: String,
    /// Whether nothing was written, as asked for.
    pub dry_run: bool,
    /// In the order in which the entries were made.
    pub entries: Vec<ImportedEntry>,
    /// How many are new.
    pub created: usize,
    /// How many were there already.
    pub unchanged: usize,
    /// How many are refused.
    pub rejected: usize,
    /// Other information for the caller.
    pub warnings: Vec<String>,
}

/// A file or bullet of the source.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ImportedEntry {
    /// What became of it.
    pub status: ImportStatus,
    /// The name of the entry.
    pub name: String,
    /// The file, relative to the source; for a bullet the file and the line, such as `GEMINI.md:7`.
    pub from: String,
    /// Whether the entry has another name than the file.
    pub renamed: bool,
    /// Why it is refused.
    #[serde(flatten)]
    pub refusal: Option<ImportRefusal>,
}

/// Why a file or bullet is no entry.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ImportRefusal {
    /// The stable code.
    pub reason: EntryReason,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do next.
    pub hint: String,
}

/// What was written where.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ExportReport {
    /// The whole path of the folder.
    pub folder: String,
    /// How many entries are in it, beside the index.
    pub exported: usize,
    /// How many files of entries cannot be read, such as a link.
    pub left_out: usize,
    /// Files that were left out, and what to know before the folder is given away.
    pub warnings: Vec<String>,
}

impl ImportReport {
    /// Begins the report of a source.
    pub(crate) fn new(source: String, dry_run: bool) -> Self {
        Self {
            source,
            dry_run,
            entries: Vec::new(),
            created: 0,
            unchanged: 0,
            rejected: 0,
            warnings: Vec::new(),
        }
    }

    /// Adds a file or bullet, and counts it.
    pub(crate) fn push(&mut self, entry: ImportedEntry) {
        match entry.status {
            ImportStatus::Created => self.created += 1,
            ImportStatus::Unchanged => self.unchanged += 1,
            ImportStatus::Rejected => self.rejected += 1,
        }
        self.entries.push(entry);
    }
}

impl ImportedEntry {
    /// Tells what became of a file or bullet.
    pub(crate) fn new(status: ImportStatus, name: &EntryName, from: &str) -> Self {
        Self {
            status,
            name: name.to_string(),
            from: from.to_owned(),
            renamed: false,
            refusal: None,
        }
    }

    /// Says why it is refused.
    #[must_use]
    pub(crate) fn refused(self, refusal: EntryRefusal) -> Self {
        let EntryRefusal { reason, message, hint, .. } = refusal;
        Self { refusal: Some(ImportRefusal { reason, message, hint }), ..self }
    }
}
