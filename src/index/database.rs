//! The tables of the index, and a connection to them.

use std::cell::Cell;

use rusqlite::{Connection, OpenFlags, Row, Transaction, TransactionBehavior};

use super::database_files::real_path;
use super::failure::PATIENCE;
use crate::database::distrust;
use crate::disk::StorePath;

/// To be raised whenever the tables below, or what stands in them, change.
pub(super) const VERSION: i32 = 20;

/// Statements that are kept compiled, more than a refresh and a question have together.
const STATEMENTS: usize = 64;

/// Bytes that the journal keeps behind a change that took more; a change of one document takes a tenth of it.
pub(super) const JOURNAL_ROOM: u64 = 512 * 1024;

/// The number of a file is never used again, so that a pending removal cannot hit another file. Texts are stored
/// apart from their places, as a new line at the top of a file moves every document in it. Texts are cut into terms
/// before they are written: the tokenizer only splits them at blanks, and with marks (`Mn`, `Mc`) it does not split
/// a word of Hindi or Thai at each of its vowels. New words are sorted in 8 MiB of memory; with the 1 MiB that is
/// the default of FTS5, merging takes a quarter of its time.
const SCHEMA: &str = "
BEGIN;
CREATE TABLE settings(digest TEXT NOT NULL);
CREATE TABLE files(
  id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, kind TEXT,
  size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL, inode INTEGER NOT NULL,
  seen INTEGER NOT NULL, hash TEXT NOT NULL, problem TEXT);
CREATE TABLE documents(
  id INTEGER PRIMARY KEY, file INTEGER NOT NULL, line INTEGER NOT NULL, key BLOB NOT NULL,
  name TEXT, titles TEXT NOT NULL, hash TEXT NOT NULL, archived INTEGER NOT NULL,
  withheld INTEGER NOT NULL, replaces INTEGER NOT NULL, flags TEXT NOT NULL, note TEXT NOT NULL,
  day TEXT);
CREATE INDEX documents_of_file ON documents(file);
CREATE INDEX archived_documents ON documents(id) WHERE archived;
CREATE INDEX withheld_documents ON documents(id) WHERE withheld;
CREATE INDEX replacing_documents ON documents(id) WHERE replaces;
CREATE INDEX named_documents ON documents(name) WHERE name IS NOT NULL;
CREATE TABLE bodies(id INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE VIRTUAL TABLE words USING fts5(
  heading, names, body, parts, before, after,
  content='', contentless_delete=1,
  tokenize='unicode61 remove_diacritics 0 categories ''L* N* Co Mn Mc''');
INSERT INTO words(words, rank) VALUES('hashsize', 8388608);
";

/// The columns of `words`: the title; the titles above and the names; the text; parts of identifiers; the neighbours
/// before, and behind.
pub(super) const COLUMNS: [&str; 6] = ["heading", "names", "body", "parts", "before", "after"];

/// An open database.
#[derive(Debug)]
pub(super) struct Database {
    pub(super) connection: Connection,
    is_writable: Cell<bool>,
}

impl Database {
    /// Makes a database in memory, where a system may be read and not written.
    pub(super) fn in_memory(digest: Option<&str>) -> rusqlite::Result<Self> {
        let database = Self::over(Connection::open_in_memory()?)?;
        database.lay_out(digest)?;
        Ok(database)
    }

    pub(super) fn open(path: &StorePath) -> rusqlite::Result<Self> {
        Self::open_with(path, OpenFlags::empty())
    }

    /// Makes the tables in an empty file.
    pub(super) fn create(path: &StorePath, digest: Option<&str>) -> rusqlite::Result<Self> {
        let database = Self::open_with(path, OpenFlags::SQLITE_OPEN_CREATE)?;
        database.prepare_to_write()?;
        database.lay_out(digest)?;
        Ok(database)
    }

    fn open_with(path: &StorePath, more: OpenFlags) -> rusqlite::Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        Self::over(Connection::open_with_flags(real_path(path), flags | more)?)
    }

    fn over(connection: Connection) -> rusqlite::Result<Self> {
        connection.busy_timeout(PATIENCE)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        distrust(&connection)?;
        Ok(Self { connection, is_writable: Cell::new(false) })
    }

    /// Makes the tables. The digest is written with them: a database without one would not be signed.
    fn lay_out(&self, digest: Option<&str>) -> rusqlite::Result<()> {
        self.connection.execute_batch(SCHEMA)?;
        self.connection
            .execute("INSERT INTO settings VALUES (?1)", [digest.unwrap_or_default()])?;
        self.connection.execute_batch(&format!("PRAGMA user_version = {VERSION}; COMMIT"))
    }

    /// Begins to change the database; other processes cannot until the end.
    pub(super) fn begin(&self) -> rusqlite::Result<Transaction<'_>> {
        // SQLite compiles each `PRAGMA` again, and most connections only read.
        if !self.is_writable.replace(true) {
            self.prepare_to_write()?;
        }
        Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)
    }

    fn prepare_to_write(&self) -> rusqlite::Result<()> {
        // A write-ahead log would be made and removed by every process that is alone, as most are, and one that stays makes
        // fewer changes with it, by a twentieth. A journal that keeps its room costs less to write than one that is cut
        // each time, and only a change of many files makes it longer.
        // What a power cut takes from the index comes back from the files.
        self.connection.execute_batch(&format!(
            "PRAGMA journal_mode = PERSIST; PRAGMA journal_size_limit = {JOURNAL_ROOM};
            PRAGMA synchronous = OFF"
        ))
    }

    pub(super) fn version(&self) -> rusqlite::Result<i32> {
        self.connection.pragma_query_value(None, "user_version", |row| row.get(0))
    }

    pub(super) fn digest(&self) -> rusqlite::Result<String> {
        let sql = "SELECT digest FROM settings";
        self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))
    }

    /// Marks the database for a rebuild: removed text may still be in its free pages, in words that are not merged yet,
    /// and in its journal.
    pub(super) fn outdate(&self) -> rusqlite::Result<()> {
        self.connection.execute("UPDATE settings SET digest = 'outdated'", []).map(drop)
    }

    /// Reads all of it; a fault is an error.
    pub(super) fn check(&self) -> rusqlite::Result<()> {
        let check = "PRAGMA integrity_check(1)";
        let verdict: String = self.connection.query_row(check, [], |row| row.get(0))?;
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
        match verdict == "ok" {
            true => Ok(()),
            false => Err(rusqlite::Error::SqliteFailure(code, Some(verdict))),
        }
    }
}

/// Reads a count, which a signed column holds.
pub(super) fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<usize> {
    let number: i64 = row.get(column)?;
    usize::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, number))
}
