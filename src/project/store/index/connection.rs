//! Sets up a connection to the database, and what is noted there about its making.

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::database::PATIENCE;

/// Statements that are kept compiled, more than a refresh and a question have together.
const STATEMENTS: usize = 64;

/// Bytes that the journal keeps behind a change that took more; a change of one section takes a tenth of it.
pub(super) const JOURNAL_ROOM: u64 = 512 * 1024;

pub(super) fn prepare_to_read(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    configure(connection)
}

/// Makes a connection ready to change the database; most only ask, so it is not done before.
pub(super) fn prepare_to_write(connection: &Connection) -> rusqlite::Result<()> {
    // A write-ahead log would be made and removed by every process that is alone, as most are, and one that stays makes
    // fewer changes with it, by a twentieth. A journal that keeps its room costs less to write than one that is cut each
    // time, and only a change of many files makes it longer.
    let limit = format!("PRAGMA journal_size_limit = {JOURNAL_ROOM}");
    for set_journal in ["PRAGMA journal_mode = PERSIST", &limit] {
        connection.prepare_cached(set_journal)?.query_row([], |_| Ok(()))?;
    }
    // What a power cut takes from the index comes back from the Markdown files.
    connection.prepare_cached("PRAGMA synchronous = OFF")?.execute([]).map(drop)
}

pub(super) fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // Otherwise SQLite plans a statement again for each new value, at ten times the cost of running it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // The file may have come with a repository: nothing in it may run by itself.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true).map(drop)
}

/// Marks the database for a rebuild: removed text may still be in its free pages, in words that are not merged yet,
/// and in its journal.
pub(super) fn outdate(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute("UPDATE settings SET digest = 'outdated'", []).map(drop)
}

pub(super) fn digest_in(connection: &Connection) -> rusqlite::Result<String> {
    connection.prepare_cached("SELECT digest FROM settings")?.query_row([], |row| row.get(0))
}

pub(super) fn find_fault(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let check = "PRAGMA integrity_check(1)";
    let verdict: String = connection.query_row(check, [], |row| row.get(0))?;
    Ok(Some(verdict).filter(|verdict| verdict != "ok"))
}
