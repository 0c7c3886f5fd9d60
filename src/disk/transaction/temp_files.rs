//! The temp files of a change, until its record is durable.

use crate::disk::files;
use crate::disk::folder::StorePath;
use crate::disk::journal::record::JournalRecord;
use crate::disk::owner::OwnedStore;
use crate::disk::replace::{Replacement, check_moved, move_if_there, remove_if_still, replace};
use crate::disk::step::Step;
use crate::error::Result;

/// The temp files of new bytes.
#[derive(Debug)]
pub(super) struct TempFiles {
    /// The number of the record that will name them.
    record: u64,
    /// One for each step with bytes.
    paths: Vec<Option<StorePath>>,
}

impl TempFiles {
    pub(super) fn new(record: u64) -> Self {
        Self { record, paths: Vec::new() }
    }

    pub(super) fn put(&mut self, steps: &[Step], store: &dyn OwnedStore) -> Result<()> {
        steps.iter().try_for_each(|step| self.put_one(step, store))
    }

    fn put_one(&mut self, step: &Step, store: &dyn OwnedStore) -> Result<()> {
        let temp_file = store.temp_file(self.record, self.paths.len());
        // Noted first, so that a part from a full disk is removed.
        let has_bytes = matches!(step, Step::Write { .. } | Step::Folder { .. });
        self.paths.push(has_bytes.then(|| temp_file.clone()));
        match step {
            Step::Write { path, after, .. } => {
                let file = files::write(&temp_file, after.as_bytes())?;
                let like = store.copied_from(path).unwrap_or(path);
                files::copy_mode(&store.inside(like), &file)
            }
            Step::Folder { path, files: inner } => inner.iter().try_for_each(|(name, text)| {
                let file = files::write(&temp_file.join(name), text.as_bytes())?;
                let like = format!("{path}/{name}");
                let like = store.copied_from(&like).map(|like| store.inside(like));
                like.map_or(Ok(()), |like| files::copy_mode(&like, &file))
            }),
            Step::Move { .. } | Step::Remove { .. } | Step::Append { .. } | Step::Cut { .. } => {
                Ok(())
            }
        }
    }

    /// Carries out the steps of the record; returns warnings.
    pub(super) fn into_place(
        mut self,
        record: &JournalRecord,
        store: &dyn OwnedStore,
    ) -> Result<Vec<String>> {
        let mut warnings = Vec::new();
        // After an error a temp file may be a person's: recovery checks it.
        let paths = std::mem::take(&mut self.paths);
        let is_needed = paths.iter().any(Option::is_some);
        let held = is_needed.then(|| files::enter(&store.temporary())).transpose()?;
        let temp_files = paths.iter().map(|path| {
            let name = path.as_ref()?.file_name()?;
            held.as_ref().map(|folder| folder.inside(name))
        });
        for (step, temp_file) in record.steps.iter().zip(temp_files) {
            match carry_out(step, temp_file, store) {
                Ok(said) => warnings.extend(said),
                // Recovery does not say again where an edit went.
                Err(error) => return Err(error.warn(warnings)),
            }
        }
        Ok(warnings)
    }
}

/// Carries out a step; returns a warning.
fn carry_out(
    step: &Step,
    temp_file: Option<StorePath>,
    store: &dyn OwnedStore,
) -> Result<Option<String>> {
    match (step, temp_file) {
        (Step::Write { path, before, .. }, Some(temp_file)) => {
            let expected = before.as_ref().map(|former| former.hash.as_str());
            replace(store, &Replacement { temp_file: &temp_file, path, expected })
        }
        (Step::Folder { path, .. }, Some(temp_file)) => {
            files::rename(&temp_file, &store.inside(path)).map(|()| None)
        }
        (Step::Move { from, to, before }, _) => {
            move_if_there(store, from, to)?;
            check_moved(store, from, to, before.as_ref())
        }
        (Step::Remove { path, before }, _) => remove_if_still(store, path, before),
        (Step::Append { path, offset, line }, _) => {
            files::write_at(&store.inside(path), *offset, line.as_bytes())?;
            store.signed_log().renew_end(line).map(|()| None)
        }
        (Step::Cut { .. }, _) => store.signed_log().cut_torn().map(|()| None),
        (Step::Write { .. } | Step::Folder { .. }, None) => {
            unreachable!("`put` keeps a path for every step with bytes")
        }
    }
}

impl Drop for TempFiles {
    fn drop(&mut self) {
        // The next recovery removes what an error leaves here.
        self.paths.iter().flatten().for_each(|path| drop(files::discard(path)));
    }
}
