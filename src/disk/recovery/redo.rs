//! Carries out the steps of a record again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::disk::files;
use crate::disk::folder::StorePath;
use crate::disk::journal::Journal;
use crate::disk::journal::record::{DoneMark, OpenRecord};
use crate::disk::owner::OwnedStore;
use crate::disk::replace::{
    Replacement, check_moved, hash, is_still, is_torn, move_if_there, remove_if_still, replace,
};
use crate::disk::step::{FormerFile, Step};
use crate::error::Result;

/// Carries out steps that may have been carried out before, in part or in full.
pub(super) struct Redo<'a> {
    store: &'a dyn OwnedStore,
    journal: &'a mut Journal,
    open: &'a [OpenRecord],
    /// The temp file of the current step.
    pub(super) temp_file: StorePath,
    /// The mark that the current record was carried out, in an earlier boot, which may have lost its writes.
    pub(super) done: Option<DoneMark>,
    /// The restored files, and the times of files and folders from before that.
    renewed: BTreeSet<String>,
    times: BTreeMap<PathBuf, Option<i64>>,
    /// Whether the journal says that a restore has begun.
    reopened: bool,
    warnings: &'a mut Vec<String>,
}

/// The state of a file after a committed change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileVerdict {
    /// The change is missing.
    Lost,
    /// A person edited the file since.
    Edited,
}

impl<'a> Redo<'a> {
    pub(super) fn new(
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

    pub(super) fn step(&mut self, step: &Step) -> Result<()> {
        match step {
            Step::Write { path, before, after } => self.write(path, before.as_ref(), after),
            Step::Folder { .. } if self.is_past() => Ok(()),
            Step::Folder { path, files: inner } => match self.find_folder(path) {
                None => self.make_folder(path, inner),
                Some(folder) => inner.iter().try_for_each(|(name, text)| {
                    self.write(&format!("{folder}/{name}"), None, text)
                }),
            },
            Step::Move { .. } | Step::Remove { .. } if self.is_past() => Ok(()),
            Step::Move { from, to, before } => {
                self.move_again(from, to, before.as_ref())?;
                before.as_ref().map_or(Ok(()), |former| self.mend_moved(to, former))?;
                let before = before.as_ref().filter(|_| self.done.is_none());
                self.warnings.extend(check_moved(self.store, from, to, before)?);
                Ok(())
            }
            // What is there now came after the step.
            Step::Remove { path, .. } if self.is_newer(path) => Ok(()),
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
        self.put(path, after, expected.as_deref())
    }

    /// Writes a text in place of what is there.
    fn put(&mut self, path: &str, text: &str, expected: Option<&str>) -> Result<()> {
        self.begin()?;
        self.renewed.insert(path.to_owned());
        let file = files::write(&self.temp_file, text.as_bytes())?;
        files::copy_mode(&self.store.inside(path), &file)?;
        let new = Replacement { temp_file: &self.temp_file, path, expected };
        let said = replace(self.store, &new)?;
        self.warnings.extend(said);
        Ok(())
    }

    /// Moves a file or folder that is still there, and not newer than the move.
    fn move_again(&mut self, from: &str, to: &str, moved: Option<&FormerFile>) -> Result<()> {
        let (source, target) = (self.store.inside(from), self.store.inside(to));
        if self.is_newer(from) || !files::is_there(&source)? {
            return Ok(());
        }
        // A move makes the folders newer, and a later record asks how old they were.
        self.begin()?;
        let is_renewed = self.renewed.remove(from);
        if is_renewed && files::is_there(&target)? {
            // It was moved before, and written again just now because it was missing at its old path.
            let is_ours = is_still(moved, files::read(&source)?.as_deref());
            return if is_ours { files::remove_plain(&source) } else { Ok(()) };
        }
        move_if_there(self.store, from, to)?;
        if is_renewed {
            self.renewed.insert(to.to_owned());
        }
        // A later record asks for the time of the file that stands there now, which a move keeps.
        self.times.remove(&target.to_path_buf());
        Ok(())
    }

    /// Writes a moved file again that lost its bytes: the record that wrote it found no file at the old path.
    fn mend_moved(&mut self, path: &str, moved: &FormerFile) -> Result<()> {
        let target = self.store.inside(path);
        let now = if files::is_plain(&target) { files::read(&target)? } else { None };
        let Some(now) = now.filter(|now| hash(now) != moved.hash) else { return Ok(()) };
        let open = self.open;
        let mut steps = open.iter().flat_map(|each| &each.record.steps);
        let text = steps.find_map(|step| match step {
            Step::Write { after, .. } => {
                let is_it = is_torn(&now, after.as_bytes()) && hash(after.as_bytes()) == moved.hash;
                is_it.then_some(after)
            }
            Step::Folder { .. }
            | Step::Move { .. }
            | Step::Remove { .. }
            | Step::Append { .. }
            | Step::Cut { .. } => None,
        });
        let modified = self.modified(&target);
        match text.filter(|_| self.is_untouched(modified)) {
            Some(text) => self.put(path, text, Some(&hash(&now))),
            None => Ok(()),
        }
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
    pub(super) fn classify(
        &mut self,
        path: &str,
        after: &str,
        before: Option<&FormerFile>,
        now: Option<&[u8]>,
    ) -> FileVerdict {
        let target = self.store.inside(path);
        let modified = self.modified(&target);
        let folder = self.folder_modified(&target);
        let is_part = |now: &[u8]| is_torn(now, after.as_bytes()) && self.is_untouched(modified);
        let lost = match (before, now) {
            // After a power cut the folder is as old as the lost file; a person who deleted the file made the
            // folder newer.
            (None, None) => self.is_untouched(folder),
            // A person restored the same old text, with a new time.
            (Some(former), Some(now)) if is_still(Some(former), Some(now)) => {
                let begun = self.done.as_ref().is_none_or(|done| done.at == i64::MAX);
                // Where the new text begins with the old one, this may be all that is left of it.
                let is_left = is_part(now) && modified > former.modified;
                begun || self.renewed.contains(path) || former.modified == modified || is_left
            }
            // If the name was durable before the bytes, it has zeros, a part of them, or nothing.
            (_, Some(now)) => is_part(now),
            (Some(_), None) => false,
        };
        if lost { FileVerdict::Lost } else { FileVerdict::Edited }
    }

    /// Tells whether a time is not after the record was carried out.
    fn is_untouched(&self, time: Option<i64>) -> bool {
        self.done.as_ref().is_none_or(|done| time.is_none_or(|time| time <= done.at))
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

    pub(super) fn append(&self, path: &str, offset: u64, line: &str) -> Result<()> {
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
