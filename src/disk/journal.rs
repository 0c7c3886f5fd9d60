//! Records a change before any of it becomes visible; one sync makes the record durable.
//!
//! `state/journal` is a list of lines, each `<32 hex digits of a code> <JSON>`; the code needs the key of this machine.
//! A line is a record, with everything that is needed to do the change again, or the mark that a record is done. A line
//! with a wrong code was torn by a crash and counts as not written, so the last byte of a record is the commit point.
//! Free space filled with zeros follows the last line.

mod lines;
mod progress;
pub(super) mod record;

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};

use super::boot::boot_id;
use super::folder::{Access, PathMetadata, StorePath, is_strange};
use super::key::Key;
use super::step::{Step, Trace};
use super::store_folder::StoreFolder;
use super::{files, outside};
use crate::error::{Error, Result};
pub(super) use lines::damaged;
use lines::{
    Lines, NamedPaths, ROOM, Settled, VERSION, is_foreign, line, read_all, read_named, settled,
};
use progress::JournalProgress;
use record::{DoneMark, JournalRecord, OpenRecord};

/// Bytes beyond which the journal is emptied: the default of SQLite for its write-ahead log
/// (<https://www.sqlite.org/pragma.html#pragma_wal_autocheckpoint>).
const LIMIT: u64 = 4_096_000;

/// Nanoseconds after which the operating system has written everything: twice the default of Linux
/// (`vm.dirty_expire_centisecs`).
const REST: i64 = 60_000_000_000;

/// The journal of a store, open for the one writer.
#[derive(Debug)]
pub(crate) struct Journal {
    path: StorePath,
    key: Key,
    file: File,
    /// Bytes of whole lines.
    length: u64,
    /// Bytes of the file: lines and free space.
    size: u64,
    next: u64,
    /// Whether the last record of this value has its mark.
    is_marked: bool,
    boot: String,
    /// Nanoseconds since the last change; `i64::MAX` if the journal must be emptied, `None` if unknown.
    rest: Option<i64>,
    progress: JournalProgress,
}

impl Journal {
    /// Opens the journal; returns the records that recovery has to check, oldest first. `now` is by the clock of the
    /// file system, in nanoseconds since 1970.
    ///
    /// A record that was carried out in this boot needs no check: the kernel still has every byte. A reboot may have
    /// lost those that were not synced.
    pub(super) fn open(store: &StoreFolder, now: Option<i64>) -> Result<(Self, Vec<OpenRecord>)> {
        let (path, key, progress) =
            (store.journal(), store.journal_key().clone(), JournalProgress::of(store));
        let (mut file, PathMetadata { size, modified, .. }) = files::open(&path)?;
        if size == 0 {
            // A record is durable only if all folders above it are. The process that made the file may have been
            // killed before this.
            path.ancestors().skip(1).try_for_each(|folder| files::sync(&folder))?;
            path.folder().path().parent().map_or(Ok(()), outside::sync)?;
        }
        let boot = boot_id().to_owned();
        if let Some(Settled { last, at, length }) = settled(&mut file, size, &boot, &key) {
            let next = last.max(progress.last()).saturating_add(1);
            let rest = match progress.is_of_another(last, modified) {
                // It is emptied before the next record, which recovery would not find behind a damaged line.
                true => Some(i64::MAX),
                false => now.zip(at).map(|(now, at)| now.saturating_sub(at)),
            };
            let journal =
                Self { path, key, file, length, size, next, is_marked: true, boot, rest, progress };
            return Ok((journal, Vec::new()));
        }
        let Lines { open, length, next, .. } = read_all(&mut file, &path, &boot, &key)?;
        // A torn line may hold a secret, as the whole record might have.
        files::cut(&file, size, length).map_err(|error| Error::io("cut", &path, error))?;
        // With only marks of an earlier boot, no reader would ever take the journal for settled.
        let rest = Some(i64::MAX);
        let next = next.max(progress.last().saturating_add(1));
        let is_marked = open.iter().all(|each| each.done.is_some());
        Ok((
            Self { path, key, file, length, size: length, next, is_marked, boot, rest, progress },
            open,
        ))
    }

    /// Tells whether an older journal, which a commit brought, would repeat changes.
    pub(crate) fn is_older(store: &StoreFolder) -> Result<bool> {
        // The progress is read first: a writer marks a record as done before it notes its number there.
        let (progress, path) = (JournalProgress::of(store), store.journal());
        let Ok((mut file, _)) = path.open(Access::Read) else { return Ok(false) };
        let lines = read_all(&mut file, &path, boot_id(), store.journal_key())?;
        Ok(progress.is_ahead_of(&lines))
    }

    /// Tells whether no change is half visible, so that a reader needs no lock. A foreign journal does not count.
    pub(crate) fn is_settled(store: &StoreFolder) -> Result<bool> {
        let (path, key) = (store.journal(), store.journal_key());
        match path.open(Access::Read) {
            Ok((mut file, metadata)) => Ok(settled(&mut file, metadata.size, boot_id(), key)
                .is_some()
                || is_foreign(&mut file, &path, key)?),
            Err(error) if is_strange(&error) => Err(Error::io("read", &path, error)),
            // A process that may not read it can only be a reader.
            Err(_) => Ok(true),
        }
    }

    pub(crate) fn is_foreign(store: &StoreFolder) -> Result<bool> {
        let path = store.journal();
        match path.open(Access::Read) {
            Ok((mut file, _)) => is_foreign(&mut file, &path, store.journal_key()),
            // There is none, or none that any process could carry out.
            Err(_) => Ok(false),
        }
    }

    /// Tells whether all of it was written in this boot, so that no power cut damaged a file.
    pub(crate) fn is_of_this_run(store: &StoreFolder) -> bool {
        let path = store.journal();
        let read = path
            .open(Access::Read)
            .and_then(|(file, metadata)| files::read_open(file, metadata, 256));
        let Ok(head) = read else { return !files::exists(&path) };
        let boot = boot_id();
        // Lines are only appended, so the first one is the oldest.
        let text = String::from_utf8_lossy(&head);
        let first = text.lines().next().unwrap_or_default();
        head.is_empty() || (!boot.is_empty() && first.contains(&format!(r#""boot":"{boot}""#)))
    }

    /// Returns the mark of a record that git's folder knows as carried out.
    pub(super) fn known_mark(&self, record: &JournalRecord) -> Option<DoneMark> {
        let at = self.progress.carried_out_at(record.number)?;
        Some(DoneMark { done: record.number, boot: record.boot.clone(), at })
    }

    /// Tells whether the last record has its mark. Without it no other record may follow: where the mark of an earlier
    /// record is missing, a commit brought the journal.
    pub(super) fn is_marked(&self) -> bool {
        self.is_marked
    }

    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Appends a record and makes it durable: the commit point.
    pub(super) fn commit(
        &mut self,
        verb: &str,
        steps: Vec<Step>,
        trace: Trace,
    ) -> Result<JournalRecord> {
        let (number, boot, verb) = (self.next, self.boot.clone(), verb.to_owned());
        let record = JournalRecord { version: VERSION, verb, number, boot, trace, steps };
        let before = self.length;
        let result = self.append(&line(&record, &self.key)).and_then(|()| {
            // After a minute of rest the journal is emptied: a rare change needs no free space.
            if before > 0 && !self.boot.is_empty() {
                self.make_room();
            }
            self.sync()
        });
        if result.is_err() {
            // What is not known to be durable is not committed: it is cut off.
            self.take_back(before);
            let _ = self.sync();
        }
        result?;
        self.next = self.next.saturating_add(1);
        self.is_marked = false;
        Ok(record)
    }

    /// Marks a record as carried out at a time after its last step; if the mark is lost, recovery only checks the
    /// record again.
    pub(super) fn done(&mut self, record: &JournalRecord, at: i64) -> Result<()> {
        let done = DoneMark { done: record.number, boot: self.boot.clone(), at };
        self.append(&line(&done, &self.key))?;
        self.is_marked = true;
        self.progress.note(record.number, Some(at), self.written());
        Ok(())
    }

    /// Marks durably, with the latest possible time, that a restore after a power cut has begun. From then on file
    /// times prove nothing: whatever is missing was lost.
    pub(super) fn reopen(&mut self, open: &[OpenRecord]) -> Result<()> {
        let done = open.iter().filter_map(|each| each.done.as_ref());
        // Nothing of these is restored.
        let done = done.filter(|done| done.at != i64::MIN);
        let mark = |done: &DoneMark| line(&DoneMark { at: i64::MAX, ..done.clone() }, &self.key);
        let marks: String = done.map(mark).collect();
        self.append(&marks)?;
        self.sync()
    }

    pub(super) fn sync(&self) -> Result<()> {
        self.file.sync_data().map_err(|error| Error::io("sync", &self.path, error))
    }

    /// Tells whether the journal is so long or so old that it should be emptied. Old changes are on the disk already,
    /// so this is cheap.
    pub(super) fn is_ripe(&self) -> bool {
        self.length > LIMIT || (self.length > 0 && self.rest.is_some_and(|rest| rest > REST))
    }

    /// Tells whether a record was written in this boot.
    pub(super) fn wrote(&self, record: &JournalRecord) -> bool {
        record.boot == self.boot && !self.boot.is_empty()
    }

    /// Empties the journal; everything that its records wrote must be durable.
    pub(super) fn clear(&mut self) -> Result<()> {
        let cut = self.file.set_len(0).and_then(|()| self.file.sync_data());
        cut.map_err(|error| Error::io("cut", &self.path, error))?;
        (self.length, self.size, self.is_marked) = (0, 0, true);
        self.progress.note_durable(self.next.saturating_sub(1), self.written());
        Ok(())
    }

    /// Returns when the journal was last written.
    fn written(&self) -> Option<i64> {
        PathMetadata::of(&self.file).ok().map(|metadata| metadata.modified)
    }

    /// Returns the paths in the records, to make them durable.
    pub(super) fn named(&mut self) -> Result<NamedPaths> {
        read_named(&mut self.file, &self.path, &self.key)
    }

    fn append(&mut self, lines: &str) -> Result<()> {
        let written = self
            .file
            .seek(SeekFrom::Start(self.length))
            .and_then(|_| self.file.write_all(lines.as_bytes()));
        if let Err(error) = written {
            // The written part may hold a secret.
            self.take_back(self.length);
            return Err(Error::io("write", &self.path, error));
        }
        self.length += lines.len() as u64;
        self.size = self.size.max(self.length);
        Ok(())
    }

    /// Cuts a failed write, if possible.
    fn take_back(&mut self, length: u64) {
        (self.length, self.size) = (length, length);
        let _ = self.file.set_len(length);
    }

    /// Adds free space if there is none; a full disk gets none.
    fn make_room(&mut self) {
        if self.size > self.length {
            return;
        }
        match self.file.write_all(&[0; ROOM]) {
            Ok(()) => self.size += ROOM as u64,
            // The last bytes of the disk are for the change itself.
            Err(_) => drop(self.file.set_len(self.size)),
        }
    }
}

#[cfg(test)]
mod tests;
