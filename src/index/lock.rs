//! Keeps a database from being replaced while it is used.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::thread;
use std::time::{Duration, Instant};

use super::failure::{PATIENCE, kept_by_another};
use super::last_write::{BROKEN, LENGTH, LastWrite, record};
use super::listing::Stamp;
use crate::disk::folder::{Access, PathMetadata};
use crate::disk::make_room;
use crate::disk::{StorePath, files};
use crate::error::{Error, Result};

/// Between two tries; making an empty database takes about as long.
const PAUSE: Duration = Duration::from_millis(1);

/// A file beside the database. A process that uses the database holds it shared; a process that replaces the database
/// holds it alone.
///
/// SQLite finds its journal by name. Without the lock a process that has the old database open could use the journal of
/// the new one, or leave its own there.
///
/// The file holds the record of our last write to the database.
#[derive(Debug)]
pub(super) struct IndexLock {
    path: StorePath,
    file: File,
}

#[derive(Debug)]
#[must_use = "dropped, the lock is released"]
pub(super) struct HeldLock<'l>(&'l IndexLock);

impl IndexLock {
    /// Opens the lock of a database, which need not exist; nothing where this user may not write.
    pub(super) fn of(database: &StorePath) -> Result<Option<Self>> {
        let path = lock_path(database);
        match files::open_shared(&path) {
            // A file with another name elsewhere is not only ours to write to.
            Ok((_, seen)) if seen.is_linked => {
                make_room(&path, &trash(&path))?;
                let (file, _) = files::open_shared(&path)?;
                Ok(Some(Self { path, file }))
            }
            Ok((file, _)) => Ok(Some(Self { path, file })),
            Err(error) if error.is_forbidden() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes a lock that this user may not write to, if this user may remove it, once the database is not in use.
    pub(super) fn take_over(database: &StorePath) -> Result<()> {
        if Self::of(database)?.is_some() {
            return Ok(());
        }
        let path = lock_path(database);
        let remove = || make_room(&path, &trash(&path));
        // Without the right to read it this process cannot wait for others.
        let Ok((file, _)) = path.open(Access::Read) else { return remove() };
        let lock = Self { path: path.clone(), file };
        let _held = lock.alone()?;
        // Another process may have been faster.
        if lock.is_at(database) { remove() } else { Ok(()) }
    }

    pub(super) fn exists(database: &StorePath) -> bool {
        files::exists(&lock_path(database))
    }

    /// Tells whether opening the lock of a database would find this one.
    pub(super) fn is_at(&self, database: &StorePath) -> bool {
        let number =
            |seen: std::io::Result<PathMetadata>| seen.ok().map(|seen| (seen.device, seen.inode));
        let found = number(lock_path(database).metadata());
        found.is_some() && found == number(PathMetadata::of(&self.file))
    }

    /// Waits until no process replaces the database.
    pub(super) fn share(&self) -> Result<HeldLock<'_>> {
        self.wait(|| self.held(self.file.try_lock_shared()))
    }

    /// Waits until no process uses the database.
    pub(super) fn alone(&self) -> Result<HeldLock<'_>> {
        self.wait(|| self.held(self.file.try_lock()))
    }

    fn held(&self, locked: std::result::Result<(), TryLockError>) -> Result<Option<HeldLock<'_>>> {
        match locked {
            Ok(()) => Ok(Some(HeldLock(self))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(cause)) => Err(Error::io("lock", &self.path, cause)),
        }
    }

    /// Tries until a timeout: a stopped process must not block all others for good.
    fn wait<T>(&self, attempt: impl Fn() -> Result<Option<T>>) -> Result<T> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match attempt()? {
                Some(done) => return Ok(done),
                None if Instant::now() < deadline => thread::sleep(PAUSE),
                None => return Err(kept_by_another(&self.path)),
            }
        }
    }

    /// Breaks the record before the database is written to; returns the file system's own time, in nanoseconds since
    /// 1970: times of files can be compared with it.
    pub(super) fn begin_write(&self) -> Result<i64> {
        self.write(BROKEN)?;
        Ok(PathMetadata::of(&self.file).map(|seen| seen.modified).unwrap_or_default())
    }

    pub(super) fn end_write(&self, database: Stamp) {
        // Without a record the database is rebuilt.
        let _ = self.write(record(database).as_bytes());
    }

    /// Reads the record before the lock is shared. If it is broken while other processes use the database, waits for
    /// the one that is writing.
    pub(super) fn last_write(&self) -> Result<LastWrite> {
        self.wait(|| {
            let found = self.recorded();
            let is_settled = !found.is_broken() || self.held(self.file.try_lock())?.is_some();
            Ok(is_settled.then_some(found))
        })
    }

    /// Reads the record as it is now.
    pub(super) fn recorded(&self) -> LastWrite {
        let mut found = [0; LENGTH];
        let mut file = &self.file;
        let read = file.rewind().and_then(|()| file.read_exact(&mut found));
        found[0] = if read.is_ok() { found[0] } else { BROKEN[0] };
        LastWrite(found)
    }

    fn write(&self, line: &[u8]) -> Result<()> {
        let mut file = &self.file;
        let written = file.rewind().and_then(|()| file.write_all(line));
        written.map_err(|cause| Error::io("write", &self.path, cause))
    }
}

impl Drop for HeldLock<'_> {
    fn drop(&mut self) {
        // What fails here is made good when the file is closed.
        let _ = self.0.file.unlock();
    }
}

fn lock_path(database: &StorePath) -> StorePath {
    database.with_suffix(".lock")
}

/// Returns where a folder goes that is in the way of a database: beside it.
pub(super) fn trash(database: &StorePath) -> StorePath {
    database.folder().inside(database.relative().with_file_name("trash"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::Folder;
    use crate::error::ErrorKind;

    fn locks() -> (tempfile::TempDir, [IndexLock; 2]) {
        let folder = tempfile::tempdir().expect("a folder");
        let held = Folder::open(folder.path()).expect("it opens").expect("it is there");
        let lock =
            || IndexLock::of(&held.inside("index.sqlite")).expect("it opens").expect("it is ours");
        let locks = [lock(), lock()];
        (folder, locks)
    }

    #[test]
    fn many_use_a_database_and_one_replaces_it() {
        let (_folder, [one, other]) = locks();
        let shared = [one.share().expect("it is open"), other.share().expect("it is open")];
        drop(shared);
        let closed = one.alone().expect("no process uses it");
        assert!(other.file.try_lock_shared().is_err());
        drop(closed);
        let _ = other.share().expect("it is open again");
    }

    #[test]
    fn a_record_vouches_for_what_was_recorded() {
        let (_folder, [one, other]) = locks();
        let stamp = Stamp { size: i64::MAX, modified: i64::MIN, changed: 3, inode: 4 };
        let vouches = |stamp| other.last_write().expect("it is read").vouches_for(stamp);
        assert!(!vouches(stamp), "there never was one");
        one.end_write(stamp);
        assert!(vouches(stamp));
        assert!(!vouches(Stamp { changed: 5, ..stamp }));
        one.begin_write().expect("it is written");
        assert!(!vouches(stamp), "the process that wrote is gone");
        let _ = one.alone().expect("no process reads the record any more");
    }

    #[test]
    fn a_process_waits_for_the_one_that_writes() {
        let (_folder, [one, other]) = locks();
        let stamp = Stamp::default();
        let held = one.share().expect("it is open");
        one.begin_write().expect("it is written");
        thread::scope(|scope| {
            let reader =
                scope.spawn(move || other.last_write().expect("it is read").vouches_for(stamp));
            one.end_write(stamp);
            assert!(reader.join().expect("it does not panic"));
        });
        drop(held);
    }

    #[test]
    fn a_timeout_names_the_lock() {
        let (_folder, [one, _]) = locks();
        let error = kept_by_another(&one.path);
        assert_eq!(error.kind(), ErrorKind::LockHeld);
        assert!(error.to_string().contains("index.sqlite.lock"), "{error}");
    }
}
