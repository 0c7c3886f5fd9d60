//! Opens a connection to the file, and sets it for durable writes beside readers.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

/// How long a statement waits for another process that writes.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Statements that are kept compiled.
const STATEMENTS: usize = 256;

/// Pages of the write-ahead log after which it is copied into the file: 4 MiB.
const CHECKPOINT_PAGES: u32 = 1_000;

/// Bytes that the write-ahead log keeps after it was copied.
const LOG_ROOM: u64 = 16 * 1024 * 1024;

/// Opens the file, which must exist. `synchronous = FULL` syncs the log at each commit: what was answered survives a
/// power cut.
pub(super) fn open(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    distrust(&connection)?;
    connection.execute_batch(&format!(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
        PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES};
        PRAGMA journal_size_limit = {LOG_ROOM}"
    ))?;
    Ok(connection)
}

/// Lets nothing in a file run by itself, as it may come from elsewhere; and keeps the plans of statements.
pub(crate) fn distrust(connection: &Connection) -> rusqlite::Result<()> {
    // Otherwise SQLite plans a statement again for each new value, at ten times the cost of running it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    Ok(())
}
