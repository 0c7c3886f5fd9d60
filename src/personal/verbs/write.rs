//! Writes a change: entry, index, how to undo it, and the line of the log, as one record of the journal.

use super::commit::commit;
use super::session::PersonalSession;
use super::stop::EarlyEnd;
use crate::contract::ContentHash;
use crate::disk::step::{FormerFile, Step, Trace};
use crate::personal::request::{EntryDecision, EntryName};
use crate::personal::store::{EntryLog, EntryUndo, EntryUndoLine, INDEX, IndexUndo, LockedPerson};

/// What becomes of the file of an entry.
pub(super) enum EntryFileChange {
    Write {
        before: Option<String>,
        after: String,
    },
    /// It moves as it is, also if it is no text.
    ToTrash {
        to: String,
        bytes: Vec<u8>,
    },
    FromTrash {
        from: String,
        bytes: Vec<u8>,
    },
}

impl EntryFileChange {
    /// Returns the bytes of the file after the change; `None` if it is gone.
    pub(super) fn after(&self) -> Option<&[u8]> {
        match self {
            Self::Write { after, .. } => Some(after.as_bytes()),
            Self::FromTrash { bytes, .. } => Some(bytes),
            Self::ToTrash { .. } => None,
        }
    }

    fn before(&self) -> Option<&[u8]> {
        match self {
            Self::Write { before, .. } => before.as_ref().map(|text| text.as_bytes()),
            Self::ToTrash { bytes, .. } => Some(bytes),
            Self::FromTrash { .. } => None,
        }
    }

    /// Returns where the file goes in the trash, if it does.
    pub(super) fn trash(&self) -> Option<&str> {
        match self {
            Self::ToTrash { to, .. } => Some(to),
            Self::Write { .. } | Self::FromTrash { .. } => None,
        }
    }
}

/// A change of one entry.
pub(super) struct EntryWrite<'a> {
    pub(super) name: &'a EntryName,
    pub(super) decision: EntryDecision,
    pub(super) file: EntryFileChange,
    /// A text that goes to the trash although its file is overwritten: path and text.
    pub(super) kept: Option<(String, String)>,
    /// The index before and after; `None` before if there was no file.
    pub(super) index: (Option<String>, String),
    /// The change that this one takes back, by its number in the log.
    pub(super) undoes: Option<u64>,
}

impl EntryWrite<'_> {
    /// Writes it under the lock; returns warnings.
    pub(super) fn write(
        self,
        session: &PersonalSession,
        locked: &mut LockedPerson<'_>,
    ) -> Result<Vec<String>, EarlyEnd> {
        let store = locked.store();
        let (log, undo) = (store.signed_log().tail()?, store.undo_list().tail()?);
        let undo_line = self.undo_line(log.decisions() + 1);
        let mut steps = self.steps();
        steps.extend([undo.append(&undo_line), log.append(&self.log_line(session))]);
        commit(locked, steps, Trace::Kept, self.name.as_str())
    }

    fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        if let Some((path, text)) = &self.kept {
            steps.push(Step::write(path, None, text.clone()));
        }
        let path = self.name.path();
        steps.push(match &self.file {
            EntryFileChange::Write { before, after } => {
                Step::write(&path, before.as_deref(), after.clone())
            }
            EntryFileChange::ToTrash { to, bytes } => moved(path, to.clone(), bytes),
            EntryFileChange::FromTrash { from, bytes } => moved(from.clone(), path, bytes),
        });
        let (before, after) = &self.index;
        if before.as_deref().unwrap_or_default() != after {
            steps.push(Step::write(INDEX, before.as_deref(), after.clone()));
        }
        steps
    }

    fn log_line(&self, session: &PersonalSession) -> EntryLog<'_> {
        EntryLog {
            time: session.now,
            decision: self.decision,
            name: self.name.as_str(),
            before: self.file.before().map(ContentHash::of),
            after: self.file.after().map(ContentHash::of),
        }
    }

    fn undo_line(&self, number: u64) -> EntryUndoLine {
        if let Some(undone) = self.undoes {
            return EntryUndoLine::Undone { undone };
        }
        let (before, trash) = match &self.file {
            EntryFileChange::Write { before, .. } => (before.clone(), None),
            EntryFileChange::ToTrash { to: path, .. }
            | EntryFileChange::FromTrash { from: path, .. } => (None, Some(path.clone())),
        };
        let after = self.file.after().map(|bytes| ContentHash::of(bytes).to_string());
        let name = self.name.to_string();
        let index = IndexUndo::of(self.index.0.as_deref().unwrap_or_default(), &self.index.1);
        EntryUndoLine::Change(EntryUndo { number, name, before, after, trash, index })
    }
}

fn moved(from: String, to: String, bytes: &[u8]) -> Step {
    let hash = ContentHash::of(bytes).to_string();
    Step::Move { from, to, before: Some(FormerFile { hash, modified: None }) }
}
