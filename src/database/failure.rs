//! Says what SQLite says, as an error of ours.

use rusqlite::ErrorCode;

use crate::error::{Error, ErrorKind};

impl From<rusqlite::Error> for Error {
    fn from(cause: rusqlite::Error) -> Self {
        let (message, hint) = match cause.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => (
                "no room is left for the database",
                "free some space: `df` and `df -i` show where; nothing was written",
            ),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                ("another process is writing to the database", "try again")
            }
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                ("the database cannot be opened for writing", "see who may write there: `ls -ld`")
            }
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                ("the database is damaged", "restore it from a backup")
            }
            None if is_damage(&cause) => ("the database is damaged", "restore it from a backup"),
            _ => ("the database does not answer", "try again; if it goes on, look at the disk"),
        };
        Self::new(ErrorKind::DatabaseFailed, message).hint(hint).because(cause)
    }
}

/// Tells whether a row holds what we never write.
fn is_damage(cause: &rusqlite::Error) -> bool {
    use rusqlite::Error;
    matches!(
        cause,
        Error::FromSqlConversionFailure(..)
            | Error::IntegralValueOutOfRange(..)
            | Error::InvalidColumnType(..)
            | Error::Utf8Error(..)
    )
}
