//! Keeps a database in its place while it is used.

use std::fs::{File, TryLockError};
use std::io::{Seek, Write};
use std::thread;
use std::time::{Duration, Instant};

use super::database::PATIENCE;
use crate::error::{Error, ErrorKind, Result};
use crate::store::{Spot, files};

/// Between two tries; the gate is closed for as long as it takes to make an empty database.
const PAUSE: Duration = Duration::from_millis(1);

/// A file beside the database: who uses the database shares its lock, who puts another one in its place
/// holds it alone.
///
/// SQLite finds its journal by name. Without the gate a process that still has the old database open
/// could take the journal of the new one for its own, or leave one there that is not its own.
#[derive(Debug)]
pub(super) struct Gate {
    path: Spot,
    file: File,
    /// Whether it has no other name elsewhere.
    is_ours: bool,
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
            Ok((file, seen)) => Ok(Some(Self { path, file, is_ours: !seen.is_linked })),
            Err(error) if error.is_forbidden() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Tells whether a database ever had one.
    pub(super) fn exists(database: &Spot) -> bool {
        files::exists(&place(database))
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
                Err(TryLockError::WouldBlock) => return Err(self.kept()),
                Err(TryLockError::Error(cause)) => {
                    return Err(Error::io("lock", &self.path, cause));
                }
            }
        }
    }

    fn kept(&self) -> Error {
        let wait = PATIENCE.as_secs();
        let message = format!("waited {wait} s for another process, which keeps");
        Error::new(ErrorKind::LockHeld, message)
            .at(&self.path)
            .hint("try again; the lock goes with the process that holds it")
    }

    /// Returns the file system's own time, in nanoseconds since 1970: times of files can be compared with it.
    pub(super) fn now(&self) -> Result<i64> {
        let write = |mut file: &File| file.rewind().and_then(|()| file.write_all(b"\n"));
        // A file with another name elsewhere is not only ours to write to; too old a time does no harm.
        if self.is_ours {
            write(&self.file).map_err(|cause| Error::io("write", &self.path, cause))?;
        }
        Ok(files::modified(&self.path).unwrap_or_default())
    }
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
    use crate::store::Folder;

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
    fn who_waits_in_vain_says_for_what() {
        let (_folder, [one, _]) = gates();
        let error = one.kept();
        assert_eq!(error.kind(), ErrorKind::LockHeld);
        assert!(error.to_string().contains("index.sqlite.lock"), "{error}");
    }
}
