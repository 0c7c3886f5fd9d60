//! Tells why the database did not answer, and what to do about it.

use std::path::Path;
use std::time::Duration;

use rusqlite::ErrorCode;
use rusqlite::ffi::{SQLITE_ERROR, SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_WRITE};

use crate::error::{Error, ErrorKind};

/// How long one process waits for another.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

pub(super) fn failed(path: &Path, cause: rusqlite::Error) -> Error {
    if is_busy(&cause) {
        return kept_by_another(path);
    }
    let hint = match is_out_of_reach(&cause) {
        true => {
            "there may be no room left, or no right to write: look at `df`, `df -i`, `ls -l`, `ulimit -f`"
        }
        false => "delete the file; it is rebuilt from the Markdown files",
    };
    let cause = match cause {
        // It would show the statement.
        rusqlite::Error::SqlInputError { error, msg, .. } => {
            rusqlite::Error::SqliteFailure(error, Some(msg))
        }
        other => other,
    };
    Error::new(ErrorKind::IndexFailed, "the search index does not answer")
        .at(path)
        .hint(hint)
        .because(cause)
}

/// The error after waiting for an unknown process.
pub(crate) fn kept_by_another(path: &Path) -> Error {
    let message = format!("waited {} s for another process, which keeps", PATIENCE.as_secs());
    Error::new(ErrorKind::LockHeld, message)
        .at(path)
        .hint("try again; the lock goes with the process that holds it")
}

/// Tells whether another process kept the database to itself until the timeout.
pub(super) fn is_busy(cause: &rusqlite::Error) -> bool {
    matches!(cause.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// Tells whether an expression is at fault, and not the database.
pub(super) fn is_misspelt(cause: &rusqlite::Error) -> bool {
    cause.sqlite_error().is_some_and(|error| error.extended_code == SQLITE_ERROR)
}

/// Tells whether the disk is at fault, and not the database; also where the file may not grow that large.
pub(super) fn is_out_of_reach(cause: &rusqlite::Error) -> bool {
    let Some(error) = cause.sqlite_error() else { return false };
    matches!(error.code, ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::DiskFull)
        || matches!(error.extended_code, SQLITE_IOERR_WRITE | SQLITE_IOERR_SHMSIZE)
}
