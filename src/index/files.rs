//! Reads and writes what the database holds of a file.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::documents;
use super::listing::Stamp;

/// What the database holds of a file.
#[derive(Debug)]
pub(super) struct FileRecord {
    pub(super) stamp: Stamp,
    /// The file system's time before the file was read.
    pub(super) seen: i64,
    pub(super) hash: String,
    /// Why its text is not indexed.
    pub(super) problem: Option<String>,
}

const RECORDS: &str =
    "SELECT id, size, modified, changed, inode, seen, hash, problem, path FROM files";

pub(super) fn load_all(connection: &Connection) -> rusqlite::Result<HashMap<String, FileRecord>> {
    let mut statement = connection.prepare_cached(RECORDS)?;
    let rows = statement.query_map([], |row| Ok((row.get(8)?, read_record(row)?.1)))?;
    rows.collect()
}

/// Returns what is known of a file, behind its number.
pub(super) fn load(
    connection: &Connection,
    path: &str,
) -> rusqlite::Result<Option<(i64, FileRecord)>> {
    let sql = format!("{RECORDS} WHERE path = ?1");
    connection.prepare_cached(&sql)?.query_row([path], read_record).optional()
}

/// Writes what is known of a file, which may have a number; returns its number.
pub(super) fn save(
    connection: &Connection,
    id: Option<i64>,
    path: &str,
    kind: Option<&str>,
    record: &FileRecord,
) -> rusqlite::Result<i64> {
    // No `ON CONFLICT`: for that SQLite makes a savepoint, at which FTS5 writes out all that it holds.
    let sql = match id {
        None => {
            "INSERT INTO files(id, path, kind, size, modified, changed, inode, seen, hash, problem)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
        }
        Some(_) => {
            "UPDATE files SET size = ?4, modified = ?5, changed = ?6, inode = ?7, seen = ?8,
              hash = ?9, problem = ?10 WHERE id = ?1"
        }
    };
    let FileRecord { stamp, seen, hash, problem } = record;
    let Stamp { size, modified, changed, inode } = stamp;
    let values = params![id, path, kind, size, modified, changed, inode, seen, hash, problem];
    connection.prepare_cached(sql)?.execute(values)?;
    Ok(id.unwrap_or_else(|| connection.last_insert_rowid()))
}

pub(super) fn remove(connection: &Connection, file: i64) -> rusqlite::Result<()> {
    documents::remove_all(connection, file)?;
    connection.prepare_cached("DELETE FROM files WHERE id = ?1")?.execute([file]).map(drop)
}

fn read_record(row: &Row<'_>) -> rusqlite::Result<(i64, FileRecord)> {
    let (size, modified, changed, inode) = (row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?);
    let stamp = Stamp { size, modified, changed, inode };
    let (seen, hash, problem) = (row.get(5)?, row.get(6)?, row.get(7)?);
    Ok((row.get(0)?, FileRecord { stamp, seen, hash, problem }))
}
