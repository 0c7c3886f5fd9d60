//! Keeps a database in its place while it is used.

use std::cell::Cell;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::thread;
use std::time::{Duration, Instant};

use super::database::PATIENCE;
use super::listing::Stamp;
use crate::disk::boot::boot_id;
use crate::disk::folder::{Access, Seen};
use crate::disk::lock::kept;
use crate::disk::store_folder::make_room;
use crate::disk::{Spot, files};
use crate::error::{Error, Result};

/// How long to wait for a seal.
const FOR_A_SEAL: Duration = Duration::from_secs(1);

/// Between two tries; making an empty database takes about as long.
const PAUSE: Duration = Duration::from_millis(1);

/// A file beside the database. A process that uses the database holds its lock shared; a process that replaces the
/// database holds it alone.
///
/// SQLite finds its journal by name. Without the gate a process that has the old database open could use the
/// journal of the new one, or leave its own there.
///
/// The gate holds the seal: the metadata of the database after our last write. If the metadata differs, another
/// program wrote there, such as a commit that brings a database. If the system was started since, a power cut may
/// have lost pages that were not synced. Then the database is not opened, but rebuilt.
#[derive(Debug)]
pub(super) struct Gate {
    path: Spot,
    file: File,
    /// Whether it has no other name elsewhere.
    is_ours: bool,
    /// Whether the database was sealed when it was opened, or made.
    is_trusted: Cell<bool>,
    /// Whether the seal is broken, and by this process.
    is_unsealed: Cell<bool>,
}

#[derive(Debug)]
#[must_use = "dropped, it is open to others"]
pub(super) struct Held<'g>(&'g Gate);

impl Gate {
    /// Opens the gate of a database, which need not exist; nothing where this user may not write.
    pub(super) fn of(database: &Spot) -> Result<Option<Self>> {
        let path = place(database);
        match files::open_shared(&path) {
            Ok(opened) => Ok(Some(Self::over(&path, opened))),
            Err(error) if error.is_forbidden() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes a gate that this user may not write to, if this user may remove it, once the database is not in use.
    pub(super) fn take_over(database: &Spot) -> Result<()> {
        if Self::of(database)?.is_some() {
            return Ok(());
        }
        let path = place(database);
        // Without the right to read it this process cannot wait for others.
        let Ok(opened) = path.open(Access::Read) else { return make_room(&path) };
        let gate = Self::over(&path, opened);
        let _held = gate.close()?;
        // Another one may have been faster.
        if gate.is_at(database) { make_room(&path) } else { Ok(()) }
    }

    fn over(path: &Spot, (file, seen): (File, Seen)) -> Self {
        let (is_trusted, is_unsealed) = (Cell::new(false), Cell::new(false));
        Self { path: path.clone(), file, is_ours: !seen.is_linked, is_trusted, is_unsealed }
    }

    pub(super) fn exists(database: &Spot) -> bool {
        files::exists(&place(database))
    }

    /// Tells whether opening the gate of a database would find this one.
    pub(super) fn is_at(&self, database: &Spot) -> bool {
        let number = |seen: std::io::Result<Seen>| seen.ok().map(|seen| (seen.device, seen.inode));
        let found = number(place(database).look());
        found.is_some() && found == number(Seen::of(&self.file))
    }

    /// Waits until no process replaces the database.
    pub(super) fn share(&self) -> Result<Held<'_>> {
        self.wait(File::try_lock_shared)
    }

    /// Waits until no process uses the database.
    pub(super) fn close(&self) -> Result<Held<'_>> {
        self.wait(File::try_lock)
    }

    /// Tries until a timeout: a stopped process must not block all others for good.
    fn wait(
        &self,
        lock: impl Fn(&File) -> std::result::Result<(), TryLockError>,
    ) -> Result<Held<'_>> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match lock(&self.file) {
                Ok(()) => return Ok(Held(self)),
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => return Err(kept(&self.path, PATIENCE)),
                Err(TryLockError::Error(cause)) => {
                    return Err(Error::io("lock", &self.path, cause));
                }
            }
        }
    }

    /// Breaks the seal before the database is written to; returns the file system's own time, in nanoseconds since
    /// 1970: times of files can be compared with it.
    pub(super) fn unseal(&self) -> Result<i64> {
        self.is_unsealed.set(true);
        self.write(BROKEN)?;
        Ok(Seen::of(&self.file).map(|seen| seen.modified).unwrap_or_default())
    }

    pub(super) fn trust(&self) {
        self.is_trusted.set(true);
    }

    /// Tells whether this process broke the seal and may make a new one. A process that found the seal broken by
    /// another one may not.
    pub(super) fn is_to_be_sealed(&self) -> bool {
        self.is_trusted.get() && self.is_unsealed.get()
    }

    pub(super) fn seal(&self, database: Stamp) {
        // Without a seal the database is rebuilt.
        self.is_unsealed.set(self.write(seal(database).as_bytes()).is_err());
    }

    /// Reads the seal before the gate is shared. If it is broken while other processes use the database, waits for
    /// the one that is writing.
    pub(super) fn read_seal(&self) -> Seal {
        if !self.is_ours {
            return Seal::Unknown;
        }
        let deadline = Instant::now() + FOR_A_SEAL;
        loop {
            match self.read_closed() {
                Seal::Broken => match self.file.try_lock() {
                    Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                        thread::sleep(PAUSE);
                    }
                    Err(TryLockError::WouldBlock) => return Seal::Unknown,
                    Ok(()) | Err(TryLockError::Error(_)) => {
                        drop(Held(self));
                        return Seal::Broken;
                    }
                },
                read => return read,
            }
        }
    }

    /// Reads the seal while this process holds the gate alone.
    pub(super) fn read_closed(&self) -> Seal {
        let mut found = [0; SEAL];
        let mut file = &self.file;
        match file.rewind().and_then(|()| file.read(&mut found)) {
            Ok(SEAL) if !found.starts_with(BROKEN) => Seal::Whole(found),
            Ok(_) | Err(_) => Seal::Broken,
        }
    }

    fn write(&self, line: &[u8]) -> Result<()> {
        // A file with another name elsewhere is not only ours to write to; too old a time does no harm.
        if !self.is_ours {
            return Ok(());
        }
        let mut file = &self.file;
        let written = file.rewind().and_then(|()| file.write_all(line));
        written.map_err(|cause| Error::io("write", &self.path, cause))
    }
}

const SEAL: usize = 121;

/// Overwrites the beginning of a seal that is no longer valid.
const BROKEN: &[u8] = b"\n";

#[derive(Debug)]
pub(super) enum Seal {
    Whole([u8; SEAL]),
    /// By a process that died, or in a store that never had one.
    Broken,
    /// Broken while other processes use the database, one of which writes for long or was stopped; or the gate has
    /// another name. Waiting would block all processes.
    Unknown,
}

impl Seal {
    /// Tells whether only we wrote to a database with this metadata; nothing where that is not known.
    pub(super) fn vouches_for(&self, database: Stamp) -> Option<bool> {
        match self {
            Self::Whole(found) => Some(found == seal(database).as_bytes()),
            Self::Broken => Some(false),
            Self::Unknown => None,
        }
    }

    /// Tells whether it was made before the system was started.
    pub(super) fn is_of_earlier_start(&self) -> bool {
        let end = format!("{:>36.36}\n", boot_id());
        matches!(self, Self::Whole(found) if !found.ends_with(end.as_bytes()))
    }
}

fn seal(database: Stamp) -> String {
    let Stamp { size, modified, changed, inode } = database;
    let boot = boot_id();
    format!("{size:>20} {modified:>20} {changed:>20} {inode:>20} {boot:>36.36}\n")
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // What fails here is made good when the file is closed.
        let _ = self.0.file.unlock();
    }
}

fn place(database: &Spot) -> Spot {
    database.with_suffix(".lock")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::Folder;
    use crate::error::ErrorKind;

    fn gates() -> (tempfile::TempDir, [Gate; 2]) {
        let folder = tempfile::tempdir().expect("a folder");
        let held = Folder::open(folder.path()).expect("it opens").expect("it is there");
        let gate = || Gate::of(&held.spot("index.sqlite")).expect("it opens").expect("it is ours");
        let gates = [gate(), gate()];
        (folder, gates)
    }

    #[test]
    fn many_use_a_database_and_one_replaces_it() {
        let (_folder, [one, other]) = gates();
        let shared = [one.share().expect("it is open"), other.share().expect("it is open")];
        drop(shared);
        let closed = one.close().expect("nobody uses it");
        assert!(other.file.try_lock_shared().is_err());
        drop(closed);
        let _ = other.share().expect("it is open again");
    }

    #[test]
    fn a_seal_vouches_for_what_was_sealed() {
        let (_folder, [one, other]) = gates();
        let stamp = Stamp { size: i64::MAX, modified: i64::MIN, changed: 3, inode: 4 };
        let vouches = |stamp| other.read_seal().vouches_for(stamp);
        assert_eq!(vouches(stamp), Some(false), "there never was one");
        one.seal(stamp);
        assert_eq!(vouches(stamp), Some(true));
        assert_eq!(vouches(Stamp { changed: 5, ..stamp }), Some(false));
        let held = one.share().expect("it is open");
        one.unseal().expect("it is written");
        assert_eq!(vouches(stamp), None, "one may be at work");
        drop(held);
        assert_eq!(vouches(stamp), Some(false), "who was at work is gone");
        let _ = one.close().expect("nobody looks at the seal any more");
    }

    #[test]
    fn only_who_knows_the_database_seals_it() {
        let (_folder, [one, _]) = gates();
        one.unseal().expect("it is written");
        assert!(!one.is_to_be_sealed());
        one.trust();
        assert!(one.is_to_be_sealed());
        one.seal(Stamp::default());
        assert!(!one.is_to_be_sealed());
    }

    #[test]
    fn who_waits_in_vain_says_for_what() {
        let (_folder, [one, _]) = gates();
        let error = kept(&one.path, PATIENCE);
        assert_eq!(error.kind(), ErrorKind::LockHeld);
        assert!(error.to_string().contains("index.sqlite.lock"), "{error}");
    }
}
