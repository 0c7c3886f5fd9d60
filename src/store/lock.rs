//! One writer at a time: an advisory lock that the kernel lets go when a process dies.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use fs4::FileExt;

use super::files;
use crate::error::{Error, ErrorKind, Result};

/// How long a writer waits for another, unless told otherwise.
pub const WAIT: Duration = Duration::from_secs(10);

/// The lock, held until this value goes.
#[derive(Debug)]
pub(super) struct WriteLock {
    _file: File,
}

impl WriteLock {
    /// Waits for the lock and leaves word of who holds it.
    pub(super) fn acquire(path: &Path, wait: Duration, holder: &str) -> Result<Self> {
        let mut file = files::open(path)?;
        let deadline = Instant::now() + wait;
        let mut pause = Duration::from_millis(1);
        loop {
            // Spelled out: `file.try_lock()` would silently be the standard library's.
            match FileExt::try_lock(&file) {
                Ok(()) => break,
                Err(fs4::TryLockError::WouldBlock) if Instant::now() < deadline => {
                    std::thread::sleep(pause);
                    // Short enough that a waiter is not passed by for long, long enough not to spin.
                    pause = (pause * 2).min(Duration::from_millis(16));
                }
                Err(fs4::TryLockError::WouldBlock) => return Err(held(&mut file, path, wait)),
                Err(fs4::TryLockError::Error(error)) => return Err(Error::io("lock", path, error)),
            }
        }
        // Who holds the lock is a courtesy: a full disk must not stop a `reject` for it.
        let _ = note(&mut file, holder);
        Ok(Self { _file: file })
    }
}

/// Tells whether somebody holds the lock.
pub(super) fn is_held(path: &Path) -> bool {
    let held =
        |file: File| matches!(FileExt::try_lock_shared(&file), Err(fs4::TryLockError::WouldBlock));
    files::open(path).is_ok_and(held)
}

/// Writes one line over what stands there; cutting the file first would cost as much as all the rest.
fn note(file: &mut File, holder: &str) -> std::io::Result<()> {
    file.rewind()?;
    file.write_all(format!("{holder}\n").as_bytes())
}

fn held(file: &mut File, path: &Path, wait: Duration) -> Error {
    let mut holder = String::new();
    let known = file.rewind().and_then(|()| file.read_to_string(&mut holder)).is_ok();
    let holder = holder.lines().next().filter(|line| known && !line.trim().is_empty());
    let holder = holder.unwrap_or("another process");
    Error::new(
        ErrorKind::LockHeld,
        format!("waited {} s for {holder}, which writes to", wait.as_secs()),
    )
    .at(path)
    .hint("try again; the lock goes with the process that holds it, so there is no file to delete")
}
