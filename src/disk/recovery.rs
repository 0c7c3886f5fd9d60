//! Finishes the changes that a dead process had committed, and discards the others.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;

use super::files;
use super::folder::StorePath;
use super::journal::record::{DoneMark, JournalRecord, OpenRecord};
use super::journal::{Journal, damaged};
use super::lock::Turn;
use super::locked::Locked;
use super::owner::OwnedStore;
use super::replace::{
    Replacement, check_moved, hash, is_still, is_torn, move_if_there, remove_if_still, replace,
    rescue,
};
use super::step::{FormerFile, Step};
use crate::error::Result;

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

/// Carries out steps that may have been carried out before, in part or in full.
struct Redo<'a> {
    store: &'a dyn OwnedStore,
    journal: &'a mut Journal,
    open: &'a [OpenRecord],
    /// The temp file of the current step.
    temp_file: StorePath,
    /// The mark that the current record was carried out, in an earlier boot, which may have lost its writes.
    done: Option<DoneMark>,
    /// The restored files, and the times of files and folders from before that.
    renewed: BTreeSet<String>,
    times: BTreeMap<PathBuf, Option<i64>>,
    /// Whether the journal says that a restore has begun.
    reopened: bool,
    warnings: &'a mut Vec<String>,
}

/// The state of a file after a committed change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileVerdict {
    /// The change is missing.
    Lost,
    /// A person edited the file since.
    Edited,
}

impl<'a> Redo<'a> {
    fn new(
        store: &'a dyn OwnedStore,
        journal: &'a mut Journal,
        open: &'a [OpenRecord],
        warnings: &'a mut Vec<String>,
    ) -> Self {
        Self {
            store,
            journal,
            open,
            temp_file: store.temporary().join("again"),
            done: None,
            renewed: BTreeSet::new(),
            times: BTreeMap::new(),
            reopened: false,
            warnings,
        }
    }

    fn step(&mut self, step: &Step) -> Result<()> {
        match step {
            Step::Write { path, before, after } => self.write(path, before.as_ref(), after),
            Step::Folder { .. } if self.is_past() => Ok(()),
            Step::Folder { path, files: inner } => match self.find_folder(path) {
                None => self.make_folder(path, inner),
                Some(folder) => inner.iter().try_for_each(|(name, text)| {
                    self.write(&format!("{folder}/{name}"), None, text)
                }),
            },
            // What is there now came after the step.
            Step::Move { from: path, .. } | Step::Remove { path, .. }
                if self.is_past() || self.is_newer(path) =>
            {
                Ok(())
            }
            Step::Move { from, to, before } => {
                move_if_there(self.store, from, to)?;
                let before = before.as_ref().filter(|_| self.done.is_none());
                self.warnings.extend(check_moved(self.store, from, to, before)?);
                Ok(())
            }
            Step::Remove { path, before } => {
                self.warnings.extend(remove_if_still(self.store, path, before)?);
                Ok(())
            }
            Step::Append { path, offset, line } => {
                self.append(path, *offset, line)?;
                self.store.signed_log().renew_end(line)
            }
            Step::Cut { .. } => self.store.signed_log().cut_torn(),
        }
    }

    fn write(&mut self, path: &str, before: Option<&FormerFile>, after: &str) -> Result<()> {
        let target = self.store.inside(path);
        // Another file type that a person put there later is theirs, and blocks nothing.
        if self.done.is_some() && files::exists(&target) && !files::is_plain(&target) {
            return Ok(());
        }
        let now = files::read(&target)?;
        if now.as_deref() == Some(after.as_bytes()) {
            return Ok(());
        }
        let expected = match (self.classify(path, after, before, now.as_deref()), &self.done) {
            (FileVerdict::Edited, Some(_)) => return Ok(()),
            (FileVerdict::Edited, None) => before.map(|former| former.hash.clone()),
            (FileVerdict::Lost, Some(_) | None) => now.as_deref().map(hash),
        };
        self.begin()?;
        self.renewed.insert(path.to_owned());
        let file = files::write(&self.temp_file, after.as_bytes())?;
        files::copy_mode(&target, &file)?;
        let new = Replacement { temp_file: &self.temp_file, path, expected: expected.as_deref() };
        let said = replace(self.store, &new)?;
        self.warnings.extend(said);
        Ok(())
    }

    /// Notes all times and marks the journal before the first restore, which changes the times of folders.
    fn begin(&mut self) -> Result<()> {
        if self.done.is_none() || self.reopened {
            return Ok(());
        }
        let (store, open) = (self.store, self.open);
        for step in open.iter().flat_map(|each| &each.record.steps) {
            let Step::Write { path, .. } = step else { continue };
            let target = store.inside(path);
            self.modified(&target);
            self.folder_modified(&target);
        }
        self.journal.reopen(open)?;
        self.reopened = true;
        Ok(())
    }

    /// Tells whether everything at the paths of the record is newer.
    fn is_past(&self) -> bool {
        self.done.as_ref().is_some_and(|done| done.at == i64::MIN)
    }

    /// Tells whether a file was written after the record was carried out, and not by recovery.
    fn is_newer(&mut self, path: &str) -> bool {
        let file = self.store.inside(path);
        if self.renewed.contains(path) || !files::is_plain(&file) {
            return false;
        }
        let modified = self.modified(&file);
        self.done.as_ref().zip(modified).is_some_and(|(done, modified)| modified > done.at)
    }

    /// Tells whether a file lost the change, or was edited after it.
    fn classify(
        &mut self,
        path: &str,
        after: &str,
        before: Option<&FormerFile>,
        now: Option<&[u8]>,
    ) -> FileVerdict {
        let target = self.store.inside(path);
        let modified = self.modified(&target);
        let folder = self.folder_modified(&target);
        let untouched = |time: Option<i64>| {
            self.done.as_ref().is_none_or(|done| time.is_none_or(|time| time <= done.at))
        };
        let lost = match (before, now) {
            // After a power cut the folder is as old as the lost file; a person who deleted the file made the
            // folder newer.
            (None, None) => untouched(folder),
            // A person restored the same old text, with a new time.
            (Some(former), Some(now)) if is_still(Some(former), Some(now)) => {
                let begun = self.done.as_ref().is_none_or(|done| done.at == i64::MAX);
                begun || self.renewed.contains(path) || former.modified == modified
            }
            // If the name was durable before the bytes, it has zeros, a part of them, or nothing.
            (_, Some(now)) => is_torn(now, after.as_bytes()) && untouched(modified),
            (Some(_), None) => false,
        };
        if lost { FileVerdict::Lost } else { FileVerdict::Edited }
    }

    /// Returns the time of the nearest folder above that exists: removing a folder changes the time of its parent.
    fn folder_modified(&mut self, target: &StorePath) -> Option<i64> {
        target.ancestors().skip(1).find_map(|folder| self.modified(&folder))
    }

    /// Returns the time from before any restore.
    fn modified(&mut self, path: &StorePath) -> Option<i64> {
        *self.times.entry(path.to_path_buf()).or_insert_with(|| files::modified(path))
    }

    /// Finds a folder where it was made, or where later decisions moved it.
    fn find_folder(&self, path: &str) -> Option<String> {
        let mut paths = vec![path];
        let later = self.open.iter().filter(|_| self.done.is_some());
        for step in later.flat_map(|each| &each.record.steps) {
            if let Step::Move { from, to, .. } = step
                && paths.contains(&from.as_str())
            {
                paths.push(to);
            }
        }
        let found = paths.into_iter().find(|path| files::exists(&self.store.inside(path)));
        found.map(str::to_owned)
    }

    fn make_folder(&mut self, path: &str, inner: &[(String, String)]) -> Result<()> {
        self.begin()?;
        for (name, text) in inner {
            files::write(&self.temp_file.join(name), text.as_bytes())?;
        }
        files::rename(&self.temp_file, &self.store.inside(path))
    }

    fn append(&self, path: &str, offset: u64, line: &str) -> Result<()> {
        let target = self.store.inside(path);
        // The log may be long, and after a power cut it has most of the records.
        if files::has_line_at(&target, offset, line)? {
            return Ok(());
        }
        let now = files::read(&target)?.unwrap_or_default();
        if now.split_inclusive(|byte| *byte == b'\n').any(|each| each == line.as_bytes()) {
            return Ok(());
        }
        let there = usize::try_from(offset).ok().and_then(|at| now.get(at..)).unwrap_or_default();
        let there = &there[..there.len().min(line.len())];
        if !there.is_empty() && is_torn(there, line.as_bytes()) {
            // Later lines may have reached the disk before it.
            return files::write_over(&target, offset, line.as_bytes());
        }
        let whole = now.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        files::write_at(&target, whole as u64, line.as_bytes())
    }
}

#[cfg(test)]
mod tests;
