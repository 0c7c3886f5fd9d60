//! Finishes the changes that a dead process had committed, and discards the others.

mod redo;

use std::io;

use super::files;
use super::journal::record::{DoneMark, JournalRecord, OpenRecord};
use super::journal::{Journal, damaged};
use super::lock::Turn;
use super::locked::Locked;
use super::owner::OwnedStore;
use super::replace::rescue;
use super::step::Step;
use crate::error::Result;
use redo::Redo;

impl<S: OwnedStore> Locked<'_, S> {
    /// Carries out the records that may be missing from the files; returns warnings.
    pub(super) fn recover(&mut self, open: Vec<OpenRecord>, turn: Turn) -> Result<Vec<String>> {
        refuse_unfit(self.store, &open)?;
        let mut warnings = rescue(self.store, &open)?;
        // This is the only time to report what was moved to the trash.
        match self.redo(open, turn, &mut warnings) {
            Ok(()) => Ok(warnings),
            Err(error) => Err(error.warn(warnings)),
        }
    }

    fn redo(
        &mut self,
        open: Vec<OpenRecord>,
        turn: Turn,
        warnings: &mut Vec<String>,
    ) -> Result<()> {
        let store = self.store;
        // Old temp files would be in the way.
        files::empty(&store.temporary())?;
        if open.iter().any(|each| each.done.is_none()) {
            // The writer may have died before the sync: a power cut now would lose the record, and keep what it
            // began.
            self.journal.sync()?;
        }
        let open = with_known_marks(store, &self.journal, open)?;
        let mut redo = Redo::new(store, &mut self.journal, &open, warnings);
        for OpenRecord { record, done } in &open {
            redo.done.clone_from(done);
            for (number, step) in record.steps.iter().enumerate() {
                redo.temp_file = store.temp_file(record.number, number);
                redo.step(step)?;
            }
        }
        // Nothing is marked as done. After a kill only the dead process knew whether the record may stay. After a
        // reboot a mark might survive a second power cut that loses half of what was just restored: the other half
        // has times that no record noted, and would pass for a person's edit. A reader does not wait for the disk
        // without need.
        if !open.is_empty() || (turn == Turn::Awaited && self.journal.is_ripe()) {
            self.checkpoint()?;
        }
        Ok(())
    }

    /// Makes everything durable that the journal names, and empties it.
    pub(super) fn checkpoint(&mut self) -> Result<()> {
        let store = self.store;
        let named = self.journal.named()?;
        let mut paths = vec![store.log_end(), store.inside("")];
        for path in named.paths.iter().chain(&named.moved) {
            // A file is durable only if every folder above it is.
            paths.extend(store.inside(path).ancestors());
        }
        paths.sort_by(|a, b| a.relative().cmp(b.relative()));
        paths.dedup_by(|a, b| a.relative() == b.relative());
        paths.iter().try_for_each(files::sync)?;
        // A moved file may itself be too new to be durable.
        for path in named.moved.iter().flat_map(|path| files::all_below(&store.inside(path))) {
            match files::sync(&path) {
                // We did not write it either.
                Err(error) if error.is_forbidden() => {}
                synced => synced?,
            }
        }
        self.journal.clear()
    }
}

/// Refuses a record that its verb would never write.
fn refuse_unfit(store: &dyn OwnedStore, open: &[OpenRecord]) -> Result<()> {
    let mut refused = open.iter().flat_map(|OpenRecord { record, .. }| {
        record.steps.iter().filter_map(|step| store.refuse_step(&record.verb, step))
    });
    match refused.next() {
        Some(refused) => Err(damaged(&store.journal(), io::Error::other(refused))),
        None => Ok(()),
    }
}

/// Adds the marks that are missing: a commit may bring a journal without them, and a kill comes before the mark. They are
/// added before anything is restored, so that an interrupted recovery finds them in the journal.
fn with_known_marks(
    store: &dyn OwnedStore,
    journal: &Journal,
    mut open: Vec<OpenRecord>,
) -> Result<Vec<OpenRecord>> {
    for each in open.iter_mut().filter(|each| each.done.is_none()) {
        each.done = match journal.known_mark(&each.record) {
            Some(mark) => Some(mark),
            None => mark_by_log(store, journal, &each.record)?,
        };
    }
    Ok(open)
}

/// Returns the mark of a record of this boot that was carried out: its line in the log is written last. Everything at its
/// paths is newer.
fn mark_by_log(
    store: &dyn OwnedStore,
    journal: &Journal,
    record: &JournalRecord,
) -> Result<Option<DoneMark>> {
    let last = record.steps.iter().rev().find_map(|step| match step {
        Step::Append { path, line, .. } => Some((path, line)),
        Step::Write { .. }
        | Step::Folder { .. }
        | Step::Move { .. }
        | Step::Remove { .. }
        | Step::Cut { .. } => None,
    });
    let Some((path, line)) = last.filter(|_| journal.wrote(record)) else { return Ok(None) };
    let log = files::read(&store.inside(path))?.unwrap_or_default();
    let found = log.split_inclusive(|byte| *byte == b'\n').any(|each| each == line.as_bytes());
    Ok(found.then(|| DoneMark { done: record.number, boot: record.boot.clone(), at: i64::MIN }))
}

#[cfg(test)]
mod tests;
