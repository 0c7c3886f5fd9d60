//! Tells why the database did not answer, and what to do about it.

use std::path::Path;

use super::database::PATIENCE;
use crate::disk::lock::kept;
use crate::error::{Error, ErrorKind};

pub(super) fn failed(path: &Path, cause: rusqlite::Error) -> Error {
    if is_busy(&cause) {
        return kept(path, PATIENCE);
    }
    let hint = match is_out_of_reach(&cause) {
        true => {
            "there may be no room left, or no right to write: look at `df`, `df -i`, `ls -l`, `ulimit -f`"
        }
        false => "delete the file; it is made anew from the Markdown files",
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

/// Tells whether another process kept the database to itself for the whole wait.
pub(super) fn is_busy(cause: &rusqlite::Error) -> bool {
    matches!(
        cause.sqlite_error_code(),
        Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked)
    )
}

/// Tells whether an expression is at fault, and not the database.
pub(super) fn is_misspelt(cause: &rusqlite::Error) -> bool {
    cause.sqlite_error().is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_ERROR)
}

/// Tells whether the disk stands in the way, and not the database.
pub(super) fn is_out_of_reach(cause: &rusqlite::Error) -> bool {
    use rusqlite::ffi::{SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_WRITE};
    let code = cause.sqlite_error().map(|error| error.extended_code);
    // As where the file may not grow that large.
    let is_unwritten = matches!(code, Some(SQLITE_IOERR_WRITE | SQLITE_IOERR_SHMSIZE));
    let is_kept_out = matches!(
        cause.sqlite_error_code(),
        Some(
            rusqlite::ErrorCode::CannotOpen
                | rusqlite::ErrorCode::ReadOnly
                | rusqlite::ErrorCode::DiskFull
        )
    );
    is_unwritten || is_kept_out
}
