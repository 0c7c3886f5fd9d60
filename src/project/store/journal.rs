//! Records a change before any of it becomes visible; one sync makes the record durable.
//!
//! `state/journal` is a list of lines, each `<32 hex digits of a code> <JSON>`; the code needs the key of this machine. A
//! line is either a record, with everything that is needed to do the change again, or the mark that a record is done. A
//! line whose code does not fit was torn by a crash and counts as never written, so writing the last byte
//! of a record is the commit point. Behind the last line stands room for more, filled with zeros.

mod lines;
mod progress;

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::key::Key;
use super::transaction::{Step, Trace};
use crate::disk::folder::{Access, Seen, Spot, is_strange};
use crate::disk::{files, outside};
use crate::error::{Error, Result};
use lines::{Lines, Named, Settled, VERSION, is_foreign, line, read_all, read_named, settled};
pub(super) use progress::Progress;

/// Bytes beyond which the journal is brought to its end: as many as SQLite lets a write-ahead log have by default
/// (<https://www.sqlite.org/pragma.html#pragma_wal_autocheckpoint>).
const LIMIT: u64 = 4_096_000;

/// Bytes of room that are made at once. To sync bytes that replace others takes ext4 and XFS less than half of
/// what it takes to make a new length durable too.
const ROOM: usize = 65_536;

/// Nanoseconds after which the operating system has written everything by itself: a minute, twice what
/// Linux takes by default (`vm.dirty_expire_centisecs`).
const REST: i64 = 60_000_000_000;

/// The journal of a store, open for the one writer.
#[derive(Debug)]
pub(super) struct Journal {
    path: Spot,
    key: Key,
    file: File,
    /// Bytes of whole lines.
    length: u64,
    /// Bytes of the file: the lines and the room behind them.
    size: u64,
    next: u64,
    boot: String,
    /// Nanoseconds since the last change; the most where it should be brought to its end, however short it is. None where
    /// nothing is known of it.
    rest: Option<i64>,
    progress: Progress,
}

/// A change that was committed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Record {
    version: u32,
    /// Which command wrote it.
    pub(super) verb: String,
    /// Which one of the journal's.
    pub(super) number: u64,
    /// The run of the operating system in which it was written.
    pub(super) boot: String,
    /// What may stay of it.
    #[serde(default, skip_serializing_if = "Trace::is_kept")]
    pub(super) trace: Trace,
    /// What is to be done.
    pub(super) steps: Vec<Step>,
}

/// The mark that a record was carried out.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Done {
    /// Which record.
    pub(super) done: u64,
    /// The run of the operating system in which it was.
    pub(super) boot: String,
    /// When, by the clock of the file system, in nanoseconds since 1970.
    pub(super) at: i64,
}

/// A record that recovery has to look at.
#[derive(Debug)]
pub(super) struct Open {
    /// The record.
    pub(super) record: Record,
    /// The mark that it was carried out, in an earlier run of the operating system.
    pub(super) done: Option<Done>,
}

impl Journal {
    /// Opens the journal; returns the records that recovery has to look at, oldest first. `now` is by the
    /// clock of the file system, in nanoseconds since 1970.
    ///
    /// A record that was carried out in this run of the operating system needs no look: the kernel
    /// still has every byte. After a reboot it may have lost those that were not synced.
    pub(super) fn open(
        path: &Spot,
        key: &Key,
        progress: Progress,
        now: Option<i64>,
    ) -> Result<(Self, Vec<Open>)> {
        let (mut file, Seen { size, .. }) = files::open(path)?;
        if size == 0 {
            // A record is durable only if the way to it is: `state/`, the store, the repository. Who made the file may
            // have been killed before this.
            path.ancestors().skip(1).try_for_each(|folder| files::sync(&folder))?;
            path.folder().path().parent().map_or(Ok(()), outside::sync)?;
        }
        let boot = boot_id().to_owned();
        let (path, key) = (path.clone(), key.clone());
        if let Some(Settled { last, at, length }) = settled(&mut file, size, (&boot, &key)) {
            let next = last.max(progress.last()).saturating_add(1);
            let rest = now.zip(at).map(|(now, at)| now.saturating_sub(at));
            let journal = Self { path, key, file, length, size, next, boot, rest, progress };
            return Ok((journal, Vec::new()));
        }
        let Lines { open, length, next } = read_all(&mut file, &path, (&boot, &key))?;
        // What a kill has torn may hold a secret, as the whole record might have.
        files::cut(&file, size, length).map_err(|error| Error::io("cut", &path, error))?;
        // With marks of an earlier run alone no reader would ever take it for settled.
        let rest = Some(i64::MAX);
        let next = next.max(progress.last().saturating_add(1));
        Ok((Self { path, key, file, length, size: length, next, boot, rest, progress }, open))
    }

    /// Tells whether it would have something carried out again: a commit may bring an older one back.
    pub(super) fn is_older(path: &Spot, key: &Key, progress: &Progress) -> Result<bool> {
        let Ok((mut file, _)) = path.open(Access::Read) else { return Ok(false) };
        Ok(progress.is_ahead_of(&read_all(&mut file, path, (boot_id(), key))?))
    }

    /// Tells whether a reader may go on without the lock: no change is half visible. A journal that this machine did not
    /// write is none.
    pub(super) fn is_settled(path: &Spot, key: &Key) -> Result<bool> {
        match path.open(Access::Read) {
            Ok((mut file, seen)) => Ok(settled(&mut file, seen.size, (boot_id(), key)).is_some()
                || is_foreign(&mut file, path, key)?),
            Err(error) if is_strange(&error) => Err(Error::io("read", path, error)),
            // Who may not read it can only be a reader.
            Err(_) => Ok(true),
        }
    }

    /// Tells whether another machine wrote it.
    pub(super) fn is_foreign(path: &Spot, key: &Key) -> Result<bool> {
        match path.open(Access::Read) {
            Ok((mut file, _)) => is_foreign(&mut file, path, key),
            // There is none, or none that anybody could carry out.
            Err(_) => Ok(false),
        }
    }

    /// Tells whether all of it was written in this run of the operating system, so that no power cut has
    /// taken anything from a file.
    pub(super) fn is_of_this_run(path: &Spot) -> bool {
        let read =
            path.open(Access::Read).and_then(|(file, seen)| files::read_open(file, seen, 256));
        let Ok(head) = read else { return !files::exists(path) };
        let boot = boot_id();
        // Lines are only ever added, so the first one is the oldest.
        let text = String::from_utf8_lossy(&head);
        let first = text.lines().next().unwrap_or_default();
        head.is_empty() || (!boot.is_empty() && first.contains(&format!(r#""boot":"{boot}""#)))
    }

    /// Returns the mark of a record that git's folder knows to have been carried out.
    pub(super) fn known_mark(&self, record: &Record) -> Option<Done> {
        let at = self.progress.carried_out_at(record.number)?;
        Some(Done { done: record.number, boot: record.boot.clone(), at })
    }

    /// Returns the number that the next record will have.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Appends a record and makes it durable: the commit point.
    pub(super) fn commit(&mut self, verb: &str, steps: Vec<Step>, trace: Trace) -> Result<Record> {
        let (number, boot, verb) = (self.next, self.boot.clone(), verb.to_owned());
        let record = Record { version: VERSION, verb, number, boot, trace, steps };
        let before = self.length;
        let result = self.append(&line(&record, &self.key)).and_then(|()| {
            // After a minute of rest the journal is emptied: who changes something once in a while would make room for
            // nothing.
            if before > 0 && !self.boot.is_empty() {
                self.make_room();
            }
            self.sync()
        });
        if result.is_err() {
            // Not known to be durable is not committed: what may have reached the disk is taken back.
            self.take_back(before);
            let _ = self.sync();
        }
        result?;
        self.next = self.next.saturating_add(1);
        Ok(record)
    }

    /// Marks a record as carried out at a time that is later than that of every step; a lost mark only makes recovery
    /// look at it again.
    pub(super) fn done(&mut self, record: &Record, at: i64) -> Result<()> {
        let done = Done { done: record.number, boot: self.boot.clone(), at };
        self.append(&line(&done, &self.key))?;
        self.progress.note(record.number, at);
        Ok(())
    }

    /// Notes durably, by the latest of all times, that what a power cut has taken is being put back. From
    /// then on the age of a file or folder tells nothing: whatever is not there was lost.
    pub(super) fn reopen(&mut self, open: &[Open]) -> Result<()> {
        let done = open.iter().filter_map(|each| each.done.as_ref());
        let mark = |done: &Done| line(&Done { at: i64::MAX, ..done.clone() }, &self.key);
        let marks: String = done.map(mark).collect();
        self.append(&marks)?;
        self.sync()
    }

    /// Makes durable what was written.
    pub(super) fn sync(&self) -> Result<()> {
        self.file.sync_data().map_err(|error| Error::io("sync", &self.path, error))
    }

    /// Tells whether the journal is so long, or so old, that it should be brought to its end: what is
    /// old is on the disk by itself, so that making sure costs next to nothing.
    pub(super) fn is_ripe(&self) -> bool {
        self.length > LIMIT || (self.length > 0 && self.rest.is_some_and(|rest| rest > REST))
    }

    /// Tells whether a record was written in this run of the operating system.
    pub(super) fn wrote(&self, record: &Record) -> bool {
        record.boot == self.boot && !self.boot.is_empty()
    }

    /// Forgets all records; everything that they wrote must be durable.
    pub(super) fn clear(&mut self) -> Result<()> {
        let cut = self.file.set_len(0).and_then(|()| self.file.sync_data());
        cut.map_err(|error| Error::io("cut", &self.path, error))?;
        (self.length, self.size) = (0, 0);
        self.progress.note_durable(self.next.saturating_sub(1));
        Ok(())
    }

    /// Returns what the records name, to make what they wrote durable.
    pub(super) fn named(&mut self) -> Result<Named> {
        read_named(&mut self.file, &self.path, &self.key)
    }

    fn append(&mut self, lines: &str) -> Result<()> {
        let written = self
            .file
            .seek(SeekFrom::Start(self.length))
            .and_then(|_| self.file.write_all(lines.as_bytes()));
        if let Err(error) = written {
            // The part that was may hold a secret.
            self.take_back(self.length);
            return Err(Error::io("write", &self.path, error));
        }
        self.length += lines.len() as u64;
        self.size = self.size.max(self.length);
        Ok(())
    }

    /// Cuts what failed to be written, if that can be done.
    fn take_back(&mut self, length: u64) {
        (self.length, self.size) = (length, length);
        let _ = self.file.set_len(length);
    }

    /// Makes room behind the lines where none is left; on a full disk there will be none.
    fn make_room(&mut self) {
        if self.size > self.length {
            return;
        }
        match self.file.write_all(&[0; ROOM]) {
            Ok(()) => self.size += ROOM as u64,
            // The last bytes of the disk are for what the record speaks of.
            Err(_) => drop(self.file.set_len(self.size)),
        }
    }
}

/// Names the run of the operating system; empty where that cannot be told, so that nothing is trusted to
/// have survived.
pub(super) fn boot_id() -> &'static str {
    static BOOT: LazyLock<String> = LazyLock::new(|| {
        let path = Path::new("/proc/sys/kernel/random/boot_id");
        let text = outside::read_text(path).ok().flatten().unwrap_or_default();
        text.trim().to_owned()
    });
    &BOOT
}

#[cfg(test)]
mod tests;
