//! Keeps a database in its place while it is used.

use std::cell::Cell;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::thread;
use std::time::{Duration, Instant};

use super::database::PATIENCE;
use super::listing::Stamp;
use crate::disk::folder::{Access, Seen};
use crate::disk::{Spot, files};
use crate::error::{Error, Result};
use crate::project::store::journal::boot_id;
use crate::project::store::layout::make_room;
use crate::project::store::lock::kept;

/// How long a seal is waited for.
const FOR_A_SEAL: Duration = Duration::from_secs(1);

/// Between two tries; the gate is closed for as long as it takes to make an empty database.
const PAUSE: Duration = Duration::from_millis(1);

/// A file beside the database: who uses the database shares its lock, who puts another one in its place
/// holds it alone.
///
/// SQLite finds its journal by name. Without the gate a process that still has the old database open
/// could take the journal of the new one for its own, or leave one there that is not its own.
///
/// In it stands the seal: how the database looked when one of us had last written to it. Where it looks otherwise
/// somebody else wrote there, such as a commit that brings one, and where the system was started since, a power cut may
/// have taken pages that nobody had synced. Then it is not even opened, but made anew.
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

/// A lock on the gate, until it is dropped.
#[derive(Debug)]
#[must_use = "dropped, it is open to others"]
pub(super) struct Held<'g>(&'g Gate);

impl Gate {
    /// Opens the gate of a database, which need not be there; nothing where this user may not write.
    pub(super) fn of(database: &Spot) -> Result<Option<Self>> {
        let path = place(database);
        match files::open_shared(&path) {
            Ok(opened) => Ok(Some(Self::over(&path, opened))),
            Err(error) if error.is_forbidden() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes one that this user may not write to, if that is theirs to do, once nobody uses the database.
    pub(super) fn take_over(database: &Spot) -> Result<()> {
        if Self::of(database)?.is_some() {
            return Ok(());
        }
        let path = place(database);
        // Who may not read it either cannot wait for anybody.
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

    /// Tells whether a database ever had one.
    pub(super) fn exists(database: &Spot) -> bool {
        files::exists(&place(database))
    }

    /// Tells whether who opens the gate of a database anew would find this one.
    pub(super) fn is_at(&self, database: &Spot) -> bool {
        let number = |seen: std::io::Result<Seen>| seen.ok().map(|seen| (seen.device, seen.inode));
        let found = number(place(database).look());
        found.is_some() && found == number(Seen::of(&self.file))
    }

    /// Waits until nobody is putting another database in the place.
    pub(super) fn share(&self) -> Result<Held<'_>> {
        self.wait(File::try_lock_shared)
    }

    /// Waits until nobody uses the database.
    pub(super) fn close(&self) -> Result<Held<'_>> {
        self.wait(File::try_lock)
    }

    /// Tries until it works; a process that was stopped in its midst must not hold up all others for good.
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

    /// Notes that the database is as it should be.
    pub(super) fn trust(&self) {
        self.is_trusted.set(true);
    }

    /// Tells whether the seal is broken and this process may make a new one: who found it broken by another one, and
    /// took its word for the database, may not.
    pub(super) fn is_to_be_sealed(&self) -> bool {
        self.is_trusted.get() && self.is_unsealed.get()
    }

    /// Notes how the database looks that was written to.
    pub(super) fn seal(&self, database: Stamp) {
        // Not noted, it is made anew.
        self.is_unsealed.set(self.write(seal(database).as_bytes()).is_err());
    }

    /// Reads the seal; asked by who does not share the gate yet. Where it is broken and others use the database, one of
    /// whom may be writing, it is waited for that one's seal.
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

    /// Reads the seal while the gate is closed to all others.
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

/// Bytes of a seal.
const SEAL: usize = 121;

/// Stands over the beginning of a seal that does not count.
const BROKEN: &[u8] = b"\n";

/// What stands in the gate.
#[derive(Debug)]
pub(super) enum Seal {
    Whole([u8; SEAL]),
    /// By one who died, or in a store that never had one.
    Broken,
    /// It is broken while others use the database, one of whom has written for long or was stopped; or the gate is not only
    /// ours. Waiting for them would hold up everybody.
    Unknown,
}

impl Seal {
    /// Tells whether a database that looks so was written to by one of us alone; nothing where that cannot be told.
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
