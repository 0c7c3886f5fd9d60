//! Writes a change: entry, index, how to undo it, and the line of the log, as one record of the journal.

use super::session::PersonalSession;
use super::stop::EarlyEnd;
use crate::contract::ContentHash;
use crate::disk::step::{FormerFile, Step, Trace};
use crate::disk::transaction::EditedMeanwhile;
use crate::personal::request::{EntryName, EntryReason, EntryRefusal};
use crate::personal::store::{EntryLog, EntryUndo, INDEX, LockedPerson};

/// What becomes of the file of an entry.
pub(super) enum EntryFileChange {
    /// The old and the new text.
    Write { before: Option<String>, after: String },
    /// The file moves, as it is.
    Move { from: String, to: String, bytes: Vec<u8> },
}

/// A change of one entry.
pub(super) struct EntryWrite<'a> {
    pub(super) name: &'a EntryName,
    /// The word of the log.
    pub(super) decision: &'static str,
    pub(super) file: EntryFileChange,
    /// A text that goes to the trash although its file is overwritten: path and text.
    pub(super) kept: Option<(String, String)>,
    /// The index before and after; `None` before if there was no file.
    pub(super) index: (Option<String>, String),
}

impl EntryWrite<'_> {
    /// Writes it under the lock; returns warnings.
    pub(super) fn write(
        self,
        session: &PersonalSession,
        locked: &mut LockedPerson<'_>,
    ) -> Result<Vec<String>, EarlyEnd> {
        let store = locked.store();
        let log = self.log_line(session);
        let undo = store.undo_list().tail()?.append(&self.undo_line());
        let log = store.signed_log().tail()?.append(&log);
        let mut steps = self.steps();
        steps.extend([undo, log]);
        match locked.prepare(steps, Trace::Kept)? {
            Ok(prepared) => Ok(prepared.commit()?),
            Err(EditedMeanwhile { path }) => {
                let message = format!("`{path}` was edited at the same moment");
                let hint = "nothing was written; read it again, then do it again";
                let refusal = EntryRefusal::new(EntryReason::TargetDrift, message, hint);
                Err(refusal.about(self.name).into())
            }
        }
    }

    fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        if let Some((path, text)) = &self.kept {
            steps.push(Step::write(path, None, text.clone()));
        }
        steps.push(match &self.file {
            EntryFileChange::Write { before, after } => {
                Step::write(&self.name.path(), before.as_deref(), after.clone())
            }
            EntryFileChange::Move { from, to, bytes } => {
                let hash = ContentHash::of(bytes).to_string();
                let before = Some(FormerFile { hash, modified: None });
                Step::Move { from: from.clone(), to: to.clone(), before }
            }
        });
        let (before, after) = &self.index;
        if before.as_deref().unwrap_or_default() != after {
            steps.push(Step::write(INDEX, before.as_deref(), after.clone()));
        }
        steps
    }

    fn log_line(&self, session: &PersonalSession) -> EntryLog<'_> {
        let is_deleted = self.decision == "deleted";
        let (before, after) = match &self.file {
            EntryFileChange::Write { before, after } => {
                (before.as_ref().map(|text| text.as_bytes()), Some(after.as_bytes()))
            }
            EntryFileChange::Move { bytes, .. } if is_deleted => (Some(bytes.as_slice()), None),
            EntryFileChange::Move { bytes, .. } => (None, Some(bytes.as_slice())),
        };
        EntryLog {
            time: session.now,
            decision: self.decision,
            name: self.name.as_str(),
            before: before.map(ContentHash::of),
            after: after.map(ContentHash::of),
        }
    }

    fn undo_line(&self) -> EntryUndo {
        let hash = |bytes: &[u8]| ContentHash::of(bytes).to_string();
        let name = self.name.to_string();
        match &self.file {
            EntryFileChange::Write { before, after } => EntryUndo {
                name,
                before: before.clone(),
                after: Some(hash(after.as_bytes())),
                trash: None,
            },
            EntryFileChange::Move { to, .. } if self.decision == "deleted" => {
                EntryUndo { name, before: None, after: None, trash: Some(to.clone()) }
            }
            EntryFileChange::Move { bytes, .. } => {
                EntryUndo { name, before: None, after: Some(hash(bytes)), trash: None }
            }
        }
    }
}
