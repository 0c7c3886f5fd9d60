//! Makes a change of many files visible as a whole or not at all.
//!
//! [`Locked::prepare`] writes all new bytes to temp files; [`Prepared::commit`] records the steps in the journal with
//! one sync and carries them out. Bytes that must leave no trace are written to temp files only after the record, which
//! the next command completes. Steps are data and may be repeated, so recovery is: do them again.

mod temp_files;

use std::io;

use super::files;
use super::journal::record::JournalRecord;
use super::locked::Locked;
use super::owner::OwnedStore;
use super::replace::is_still;
use super::step::{Step, Trace};
use super::store_folder::StoreFolder;
use crate::error::{Error, ErrorKind, Result, Strange};
use temp_files::TempFiles;

/// A change that is ready to be recorded; nothing of it is visible.
#[derive(Debug)]
#[must_use = "call `commit`; dropped, it never happened"]
pub(crate) struct Prepared<'l, 'a, S> {
    locked: &'l mut Locked<'a, S>,
    steps: Vec<Step>,
    trace: Trace,
    temp_files: TempFiles,
}

/// A file that was edited after the change was planned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EditedMeanwhile {
    /// Relative to the store.
    pub(crate) path: String,
}

impl<'a, S: OwnedStore> Locked<'a, S> {
    /// Prepares a change, unless a file was edited since it was planned.
    pub(crate) fn prepare<'l>(
        &'l mut self,
        mut steps: Vec<Step>,
        trace: Trace,
    ) -> Result<std::result::Result<Prepared<'l, 'a, S>, EditedMeanwhile>> {
        let store = self.store;
        if !self.lock.is_in_place(store) {
            // Its journal is gone too, and another process may be writing.
            let message = "the lock was taken away while it was held:";
            let hint = "nothing was written; do it again";
            return Err(Error::new(ErrorKind::Io, message).at(&store.lock()).hint(hint));
        }
        if let Some(refused) = steps.iter().find_map(|step| store.refuse_step(self.verb, step)) {
            return Err(Error::new(ErrorKind::Io, refused).at(store.store()));
        }
        refuse_hopeless(&steps, store)?;
        if !self.journal.is_marked() {
            self.checkpoint()?;
        }
        let mut temp_files = TempFiles::new(self.journal.next());
        if trace == Trace::Kept {
            temp_files.put(&steps, store)?;
        }
        // The last check before the commit point, so that the time for an edit is short.
        for step in &mut steps {
            let (path, before) = match step {
                Step::Write { path, before, .. } => (path, before.as_mut()),
                Step::Move { from, before: before @ Some(_), .. } => (from, before.as_mut()),
                Step::Remove { path, before } => (path, Some(before)),
                Step::Folder { .. }
                | Step::Move { before: None, .. }
                | Step::Append { .. }
                | Step::Cut { .. } => continue,
            };
            let target = store.inside(path);
            let (now, metadata) = files::read_with_metadata(&target, u64::MAX)?.unzip();
            if !is_still(before.as_deref(), now.as_deref()) {
                return Ok(Err(EditedMeanwhile { path: path.clone() }));
            }
            if let Some(former) = before {
                former.modified = metadata.map(|metadata| metadata.modified);
            }
        }
        Ok(Ok(Prepared { locked: self, steps, trace, temp_files }))
    }

    fn mark_done(&mut self, record: &JournalRecord) -> Result<()> {
        let now = self.lock.now();
        let at = now.map_err(|error| Error::io("write", &self.store.lock(), error))?;
        self.journal.done(record, at)
    }
}

impl<S: OwnedStore> Prepared<'_, '_, S> {
    /// Records the steps and carries them out; returns warnings.
    ///
    /// After the record there is only forward: if a step fails, the next command that takes the lock completes it.
    pub(crate) fn commit(self) -> Result<Vec<String>> {
        let Self { locked, steps, trace, mut temp_files } = self;
        let store = locked.store;
        let verb = locked.verb;
        tell(verb, &steps);
        let mode = mode_of_copies(&steps, store);
        files::narrow(&store.journal(), mode)?;
        let record = locked.journal.commit(verb, steps, trace)?;
        let hint = "the change is recorded; the next command finishes it as soon as that works";
        if trace == Trace::Wiped {
            // After a kill before the record no reader would find these temp files.
            temp_files.put(&record.steps, store).map_err(|error| error.hint(hint))?;
        }
        let carried = temp_files.into_place(&record, store);
        // The undo list has copies of the texts too.
        let narrowed = files::narrow(&store.undo(), mode);
        let mut warnings = carried.map_err(|error| error.hint(hint))?;
        warnings.extend(narrowed.err().map(|error| error.to_string()));
        match trace {
            Trace::Kept => {
                // All is done: without the mark the next command checks it once more.
                let marked = locked.mark_done(&record);
                warnings.extend(marked.err().map(|error| format!("{error}; the change is made")));
            }
            // If it were marked first, the record of a process that dies here would stay for ever.
            Trace::Wiped => {
                if let Err(error) = locked.checkpoint() {
                    return Err(error.hint(hint).warn(warnings));
                }
            }
        }
        Ok(warnings)
    }
}

fn tell(verb: &str, steps: &[Step]) {
    tracing::debug!(verb, steps = steps.len(), "change");
    for path in steps.iter().flat_map(Step::paths) {
        tracing::trace!(%path, "changed file");
    }
}

/// Returns the permissions for a copy of all memory texts in the steps.
fn mode_of_copies(steps: &[Step], store: &dyn OwnedStore) -> u32 {
    let mut mode = 0o777;
    let mut take = |path: &str| mode &= files::mode(&store.inside(path));
    for step in steps {
        match step {
            Step::Write { path, before: Some(_), .. } => take(path),
            Step::Folder { path, files } => {
                for (name, _) in files {
                    store.copied_from(&format!("{path}/{name}")).into_iter().for_each(&mut take);
                }
            }
            Step::Write { before: None, .. }
            | Step::Move { .. }
            | Step::Remove { .. }
            | Step::Append { .. }
            | Step::Cut { .. } => {}
        }
    }
    mode
}

/// Refuses what renames cannot do: after the commit point it would stay half done for ever, and block every other
/// command.
fn refuse_hopeless(steps: &[Step], store: &StoreFolder) -> Result<()> {
    for (number, step) in steps.iter().enumerate() {
        let (from, to) = match step {
            Step::Write { path, .. } | Step::Folder { path, .. } => {
                (store.temporary().join("0"), store.inside(path))
            }
            Step::Move { from, to, .. } => (store.inside(from), store.inside(to)),
            Step::Remove { path, .. } => {
                files::refuse_closed(&store.inside(path))?;
                continue;
            }
            Step::Append { .. } | Step::Cut { .. } => continue,
        };
        if !files::is_one_file_system(&from, &to) {
            return Err(Error::io("rename to", &to, io::ErrorKind::CrossesDevices.into()));
        }
        files::refuse_closed(&to)?;
        if let Step::Move { .. } = step {
            files::refuse_closed(&from)?;
            files::refuse_fixed(&from)?;
        }
        if let Step::Folder { path, .. } | Step::Move { to: path, .. } = step {
            refuse_taken(path, &steps[..number], store)?;
        }
    }
    Ok(())
}

/// Refuses a target that exists and is not moved away by an earlier step.
fn refuse_taken(path: &str, earlier: &[Step], store: &StoreFolder) -> Result<()> {
    let goes = |step: &Step| matches!(step, Step::Move { from, .. } if from == path);
    let target = store.inside(path);
    if !files::exists(&target) || earlier.iter().any(goes) {
        return Ok(());
    }
    let taken = Strange("something stands there already".to_owned());
    Err(Error::io("rename to", &target, io::Error::other(taken)))
}

#[cfg(test)]
mod tests;
