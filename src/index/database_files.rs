//! The file of the database and those beside it, as they are on the disk.
//!
//! SQLite takes a path and no folder that is held. It refuses a path with a link in it, but looks before it
//! opens: an attacker who swaps the folder for a link in between only gets a database of what the files say anyway.

use std::io;
use std::path::PathBuf;

use super::lock::trash;
use crate::disk::folder::{Access, FileKind, PathMetadata};
use crate::disk::make_room;
use crate::disk::{StorePath, files};
use crate::error::Result;

/// What SQLite adds to the name of the database, for that itself and the files beside it. We keep no write-ahead log,
/// but one that came with a commit would be used.
const SUFFIXES: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// Makes an empty file, after what stands there and beside it is removed.
pub(super) fn make_empty(path: &StorePath) -> Result<()> {
    for suffix in SUFFIXES {
        make_room(&path.with_suffix(suffix), &trash(path))?;
    }
    // SQLite would make it writable for this user only, whatever the umask of a group that shares the store.
    files::open_shared(path).map(drop)
}

pub(super) fn inode_of(path: &StorePath) -> Option<i64> {
    path.metadata().ok().map(|seen| seen.inode)
}

/// Tells whether this user may not read the database, or a file beside it.
pub(super) fn is_shut(path: &StorePath) -> bool {
    let is_forbidden = |error: io::Error| error.kind() == io::ErrorKind::PermissionDenied;
    SUFFIXES
        .iter()
        .any(|suffix| path.with_suffix(suffix).open(Access::Read).is_err_and(is_forbidden))
}

/// Reads the metadata of a database; nothing unless it and the files beside it are only ours. SQLite writes to the files
/// as they are there: it destroys a database that has two names, and a file that never was ours.
pub(super) fn metadata_if_ours(path: &StorePath) -> Option<PathMetadata> {
    // Their folder is opened once for all of them.
    let folder = path.ancestors().nth(1).and_then(|folder| folder.enter().ok())?;
    let path = folder.inside(path.file_name()?);
    let seen = SUFFIXES.map(|suffix| path.with_suffix(suffix).metadata().ok());
    let is_ours = |seen: &PathMetadata| seen.kind == FileKind::File && !seen.is_linked;
    seen[0].filter(|_| seen.iter().flatten().all(is_ours))
}

/// Tells whether SQLite would write pages from a file beside the database into it, which may have come with a commit. Only
/// a process that writes at this moment has such a journal, and none a write-ahead log.
pub(super) fn would_be_rolled_back(path: &StorePath) -> bool {
    let is_there = |suffix: &str| files::exists(&path.with_suffix(suffix));
    // The journal stays, and begins with a zero once its change is whole.
    let is_hot = || {
        let begin = files::read_between(&path.with_suffix("-journal"), 0, 1);
        // One that cannot be read is not read by SQLite either.
        begin.is_ok_and(|begin| begin.first().is_some_and(|first| *first != 0))
    };
    is_there("-wal") || is_there("-shm") || is_hot()
}

/// Returns the path for SQLite, which refuses links above the store as well.
pub(super) fn real_path(path: &StorePath) -> PathBuf {
    match path.folder().real_path() {
        Ok(folder) => folder.join(path.relative()),
        Err(_) => path.to_path_buf(),
    }
}
