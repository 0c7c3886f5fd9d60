//! Keeps the write-ahead log from growing without end.
//!
//! SQLite copies the log into the file by itself, and starts it again when no reader needs it. With many readers at
//! any time there is always one, so that the log would grow as long as they read. Then the writer stops, and waits
//! for those that read: a reader that begins now does not need the log. Only the writer empties it: another connection
//! would wait for the writer, and keep it from doing so.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;

use super::connection::BUSY_TIMEOUT;
use crate::disk::outside;

/// Bytes of the log from which on the writer waits for readers.
const LIMIT: u64 = 32 * 1024 * 1024;

/// How long the writer waits for them; a backup reads for longer, and must not stop all changes.
const PATIENCE: Duration = Duration::from_millis(250);

#[derive(Debug)]
pub(super) struct LogLimit {
    log: PathBuf,
    step: u64,
    /// The length from which on it is tried again.
    next: u64,
    patience: Duration,
}

impl LogLimit {
    pub(super) fn new(database: &Path) -> Self {
        let mut log = database.as_os_str().to_owned();
        log.push("-wal");
        Self { log: log.into(), step: LIMIT, next: LIMIT, patience: PATIENCE }
    }

    /// Copies a log that is too long into the file, and empties it; a log that a reader keeps may grow by one step more.
    pub(super) fn keep(&mut self, writer: &Connection) {
        if outside::length(&self.log) > self.next {
            self.empty(writer);
        }
    }

    /// Copies the log into the file, and empties it; tells whether it is empty.
    pub(super) fn empty(&mut self, writer: &Connection) -> bool {
        let empty = || {
            writer.busy_timeout(self.patience)?;
            let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
            writer.query_row(sql, [], |row| Ok(row.get::<_, i64>(0)? == 0))
        };
        let is_empty = empty().unwrap_or(false);
        let _ = writer.busy_timeout(BUSY_TIMEOUT);
        let length = if is_empty { 0 } else { outside::length(&self.log) };
        self.next = length + self.step;
        is_empty
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::connection::open;

    #[test]
    fn a_long_log_is_emptied_as_soon_as_no_reader_keeps_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("numbers.sqlite");
        outside::make_private_file(&path).expect("it is made");
        let (writer, reader) = (open(&path).expect("it opens"), open(&path).expect("it opens"));
        writer.execute_batch("CREATE TABLE numbers(number)").expect("it is made");
        let mut limit =
            LogLimit { step: 10_000, next: 0, patience: Duration::ZERO, ..LogLimit::new(&path) };
        let length = || outside::length(&folder.path().join("numbers.sqlite-wal"));
        let write = || writer.execute_batch("INSERT INTO numbers VALUES (randomblob(20000))");

        reader.execute_batch("BEGIN; SELECT * FROM numbers").expect("it reads");
        write().expect("it is written");
        limit.keep(&writer);
        assert!(length() > 10_000 && limit.next > length());

        reader.execute_batch("COMMIT").expect("it ends");
        write().expect("it is written");
        limit.keep(&writer);
        assert_eq!((length(), limit.next), (0, 10_000));
    }
}
