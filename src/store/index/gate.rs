//! Keeps a database in its place while it is used.

use std::fs::File;
use std::io::{Seek, Write};

use crate::error::{Error, Result};
use crate::store::{Spot, files};

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
    /// Opens the gate of a database, which need not be there.
    pub(super) fn of(database: &Spot) -> Result<Self> {
        let path = place(database);
        let (file, seen) = files::open_shared(&path)?;
        Ok(Self { path, file, is_ours: !seen.is_linked })
    }

    /// Tells whether a database ever had one.
    pub(super) fn exists(database: &Spot) -> bool {
        files::exists(&place(database))
    }

    /// Waits until nobody is putting another database in the place.
    pub(super) fn share(&self) -> Result<Held<'_>> {
        self.file.lock_shared().map_err(|cause| Error::io("lock", &self.path, cause))?;
        Ok(Held(self))
    }

    /// Waits until nobody uses the database.
    pub(super) fn close(&self) -> Result<Held<'_>> {
        self.file.lock().map_err(|cause| Error::io("lock", &self.path, cause))?;
        Ok(Held(self))
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
