//! What the log and the undo list say of a change. The log has hashes and no text.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::index_undo::IndexUndo;
use crate::contract::{ContentHash, Moment};
use crate::personal::request::{EntryDecision, EntryName};

/// A line of the log.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct EntryLog<'a> {
    pub(crate) time: Moment,
    pub(crate) decision: EntryDecision,
    /// The entry; of a repaired index `MEMORY`.
    pub(crate) name: &'a str,
    /// SHA-256; absent if there was no file, and of a purge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) before: Option<ContentHash>,
    /// SHA-256; absent if the file is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<ContentHash>,
}

/// A line of the undo list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum EntryUndoLine {
    Change(EntryUndo),
    /// A change was taken back.
    Undone {
        /// Its number in the log.
        undone: u64,
    },
}

/// How to take back a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EntryUndo {
    /// The number of the change in the log.
    pub(crate) number: u64,
    pub(crate) name: String,
    /// The text before the change; absent if there was none.
    pub(crate) before: Option<String>,
    /// SHA-256 of the text after it; absent if the entry was deleted.
    pub(crate) after: Option<String>,
    /// The path in the trash to which the change moved the file, or from which it took it.
    pub(crate) trash: Option<String>,
    pub(crate) index: IndexUndo,
}

/// Returns the latest change that was not taken back: of one entry, or of all.
pub(crate) fn latest(lines: Vec<EntryUndoLine>, name: Option<&EntryName>) -> Option<EntryUndo> {
    let (mut open, mut undone) = (Vec::new(), BTreeSet::new());
    for line in lines {
        match line {
            EntryUndoLine::Change(change) => open.push(change),
            EntryUndoLine::Undone { undone: number } => drop(undone.insert(number)),
        }
    }
    let is_wanted = |change: &EntryUndo| name.is_none_or(|name| name.as_str() == change.name);
    open.retain(|change| is_wanted(change) && !undone.contains(&change.number));
    open.pop()
}
