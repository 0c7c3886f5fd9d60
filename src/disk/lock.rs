//! One writer at a time, in order of arrival: advisory locks that the kernel releases when a process dies.
//!
//! A writer locks `state/turn` before `state/lock`, and releases it once it has both. So exactly one process is next,
//! and no later one overtakes it.

use std::fs::File;
use std::io::{Seek, Write};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use fs4::FileExt;

use super::files;
use super::folder::{Access, PathMetadata, StorePath};
use super::outside::{make_private_file, open_to_lock};
use super::store_folder::StoreFolder;
use crate::error::{Error, ErrorKind, Result};

/// How long a writer waits for others by default.
pub const WAIT: Duration = Duration::from_secs(10);

/// Is released when this value is dropped.
#[derive(Debug)]
pub(crate) struct WriteLock {
    file: File,
}

/// Keeps other processes of its kind out; is released when this value is dropped.
#[derive(Debug)]
pub(crate) struct AloneLock {
    _file: File,
}

/// Whether to queue behind earlier processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    Awaited,
    /// A reader waits only until the current change is whole.
    Skipped,
}

impl WriteLock {
    /// Waits for the lock and notes the holder in its file.
    pub(crate) fn acquire(
        store: &StoreFolder,
        turn: Turn,
        wait: Duration,
        holder: &str,
    ) -> Result<Self> {
        let path = store.lock();
        let begun = Instant::now();
        let deadline = begun + wait;
        let turn = match turn {
            Turn::Awaited => {
                Some(open_and_lock(&store.turn(), deadline)?.ok_or_else(|| held(&path, wait))?)
            }
            Turn::Skipped => None,
        };
        let (mut file, metadata) =
            open_and_lock(&path, deadline)?.ok_or_else(|| held(&path, wait))?;
        drop(turn);
        tracing::debug!(pending_ms = begun.elapsed().as_millis(), "lock taken");
        // The note is optional: a full disk must not stop a `reject`. A file with a second name is not only ours to
        // write to.
        if !metadata.is_linked {
            let _ = note(&mut file, holder);
        }
        Ok(Self { file })
    }

    /// Tells whether the next writer would take the same lock: `state/` may have been removed.
    pub(crate) fn is_in_place(&self, store: &StoreFolder) -> bool {
        let number = |metadata: std::io::Result<PathMetadata>| {
            metadata.ok().map(|metadata| (metadata.device, metadata.inode))
        };
        let found = number(store.lock().metadata());
        found.is_some() && found == number(PathMetadata::of(&self.file))
    }

    /// Returns when the lock was taken, by the clock of the file system.
    pub(crate) fn taken(&self) -> Option<i64> {
        // Noting the holder wrote to the file.
        PathMetadata::of(&self.file).ok().map(|metadata| metadata.modified)
    }

    /// Returns the time by the clock of the file system, not before that of any earlier write.
    ///
    /// The lock file is never synced: setting the time of a durable file would cost more than its bytes (on XFS, more
    /// than twice as long).
    pub(crate) fn now(&self) -> std::io::Result<i64> {
        Ok(PathMetadata::touched(&self.file)?.modified)
    }
}

pub(crate) fn is_held(path: &StorePath) -> bool {
    let is_refused =
        |file: &File| matches!(FileExt::try_lock_shared(file), Err(fs4::TryLockError::WouldBlock));
    path.open(Access::Read).is_ok_and(|(file, _)| is_refused(&file))
}

/// Locks a file for as long as the value lives, and makes it if there is none; `None` if another process has it.
pub(crate) fn lock_alone(path: &Path) -> Result<Option<AloneLock>> {
    make_private_file(path)?;
    let fail = |cause| Error::io("lock", path, cause);
    let file = open_to_lock(path)?;
    match FileExt::try_lock(&file) {
        Ok(()) => Ok(Some(AloneLock { _file: file })),
        Err(fs4::TryLockError::WouldBlock) => Ok(None),
        Err(fs4::TryLockError::Error(cause)) => Err(fail(cause)),
    }
}

/// Locks a file; `None` on a timeout.
fn open_and_lock(path: &StorePath, deadline: Instant) -> Result<Option<(File, PathMetadata)>> {
    let (file, metadata) = files::open_shared(path)?;
    Ok(wait_for(file, path, deadline)?.map(|file| (file, metadata)))
}

/// Locks an open file; `None` on a timeout.
fn wait_for(file: File, path: &Path, deadline: Instant) -> Result<Option<File>> {
    let fail = |cause| Error::io("lock", path, cause);
    // Written out: `file.try_lock()` would be the standard library's.
    match FileExt::try_lock(&file) {
        Ok(()) => return Ok(Some(file)),
        Err(fs4::TryLockError::WouldBlock) => {}
        Err(fs4::TryLockError::Error(cause)) => return Err(fail(cause)),
    }
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Ok(None);
    }
    // Only a blocking call gets the lock at once and in turn, but it has no timeout.
    let (sender, receiver) = mpsc::channel();
    let wait = move || {
        // A lock that arrives after the timeout is released with its file.
        let _ = sender.send(lock(&file).map(|()| file));
    };
    thread::Builder::new().spawn(wait).map_err(fail)?;
    match receiver.recv_timeout(left) {
        Ok(locked) => locked.map(Some).map_err(fail),
        Err(RecvTimeoutError::Timeout) => Ok(None),
        Err(RecvTimeoutError::Disconnected) => Err(fail(std::io::Error::other("gave up waiting"))),
    }
}

/// Blocks until the file is locked, also after signals.
fn lock(file: &File) -> std::io::Result<()> {
    loop {
        match FileExt::lock(file) {
            Err(cause) if cause.kind() == std::io::ErrorKind::Interrupted => {}
            outcome => return outcome,
        }
    }
}

/// Overwrites the line; cutting the file first would cost as much as all the rest.
fn note(file: &mut File, holder: &str) -> std::io::Result<()> {
    file.rewind()?;
    file.write_all(format!("{holder}\n").as_bytes())
}

/// The error after waiting for a known holder.
fn held(path: &StorePath, wait: Duration) -> Error {
    let text = files::read_text(path).ok().flatten().unwrap_or_default();
    let holder = text.lines().next().filter(|line| !line.trim().is_empty());
    let holder = holder.unwrap_or("another process");
    Error::new(
        ErrorKind::LockHeld,
        format!("waited {} s for {holder}, which writes to", wait.as_secs()),
    )
    .at(path)
    .hint("try again; the lock goes with the process that holds it, so there is no file to delete")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::owner::tests::PlainStore;

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(1);

    fn store() -> (tempfile::TempDir, PlainStore) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = PlainStore::of(folder.path());
        (folder, store)
    }

    fn acquire(store: &PlainStore, turn: Turn, wait: Duration) -> Result<WriteLock> {
        WriteLock::acquire(store, turn, wait, "somebody")
    }

    #[test]
    fn who_waits_gets_the_lock_when_it_is_free() {
        let (_folder, store) = store();
        for turn in [Turn::Awaited, Turn::Skipped] {
            let held = acquire(&store, Turn::Awaited, SHORT).expect("it is free");
            thread::scope(|scope| {
                let waiting = scope.spawn(|| acquire(&store, turn, LONG));
                drop(held);
                waiting.join().expect("no panic").expect("it becomes free");
            });
        }
    }

    #[test]
    fn who_comes_later_does_not_pass_by_who_is_next() {
        let (_folder, store) = store();
        let next =
            open_and_lock(&store.turn(), Instant::now()).expect("a file").expect("it is free");
        let error = acquire(&store, Turn::Awaited, SHORT).expect_err("another is next");
        assert_eq!(error.kind(), ErrorKind::LockHeld);
        acquire(&store, Turn::Skipped, SHORT).expect("a reader may");
        drop(next);
        acquire(&store, Turn::Awaited, SHORT).expect("nobody is next any more");
    }

    #[test]
    fn a_lock_that_comes_too_late_is_let_go() {
        let (_folder, store) = store();
        let held = acquire(&store, Turn::Awaited, SHORT).expect("it is free");
        let error = acquire(&store, Turn::Awaited, SHORT).expect_err("it is held");
        assert!(error.to_string().contains("for somebody, which writes to"), "{error}");
        drop(held);
        acquire(&store, Turn::Awaited, LONG).expect("nobody keeps it");
    }
}
