//! Reads and writes what the database holds of a file.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::Source;
use super::drafts::Drafts;
use super::listing::{Contents, Stamp};
use super::sections;

#[derive(Debug)]
pub(super) struct Record {
    pub(super) id: i64,
    pub(super) stamp: Stamp,
    /// The file system's time when the file was read.
    pub(super) seen: i64,
    pub(super) hash: String,
    pub(super) problem: Option<String>,
}

#[derive(Debug)]
pub(super) struct Writer<'a> {
    pub(super) connection: &'a Connection,
    pub(super) source: &'a Source<'a>,
    /// The file system's time before the first file was read.
    pub(super) seen: i64,
}

pub(super) fn load_all(connection: &Connection) -> rusqlite::Result<HashMap<String, Record>> {
    let sql = "SELECT id, size, modified, changed, inode, seen, hash, problem, path FROM files";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| Ok((row.get(8)?, read_record(row)?)))?;
    rows.collect()
}

pub(super) fn load(connection: &Connection, path: &str) -> rusqlite::Result<Option<Record>> {
    let sql = "SELECT id, size, modified, changed, inode, seen, hash, problem FROM files
        WHERE path = ?1";
    connection.prepare_cached(sql)?.query_row([path], read_record).optional()
}

impl Writer<'_> {
    pub(super) fn add(
        &self,
        path: &str,
        contents: &Contents,
        drafts: &Drafts,
    ) -> rusqlite::Result<()> {
        let Stamp { size, modified, changed, inode } = contents.stamp;
        let (hash, problem) = (&contents.hash, contents.text.as_ref().err());
        let category = self.source.catalog.owner_of(path).map(|each| &each.name);
        let sql = "INSERT INTO files(path, category, size, modified, changed, inode, seen, hash,
              problem) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        let values =
            params![path, category, size, modified, changed, inode, self.seen, hash, problem];
        self.connection.prepare_cached(sql)?.execute(values)?;
        sections::store(self.connection, self.connection.last_insert_rowid(), drafts)
    }

    /// Records a file as it was read, and rewrites those of its sections that changed.
    pub(super) fn renew(
        &self,
        file: i64,
        contents: &Contents,
        drafts: &Drafts,
    ) -> rusqlite::Result<()> {
        let Stamp { size, modified, changed, inode } = contents.stamp;
        let (hash, problem) = (&contents.hash, contents.text.as_ref().err());
        let sql = "UPDATE files SET size = ?2, modified = ?3, changed = ?4, inode = ?5, seen = ?6,
              hash = ?7, problem = ?8 WHERE id = ?1";
        let values = params![file, size, modified, changed, inode, self.seen, hash, problem];
        self.connection.prepare_cached(sql)?.execute(values)?;
        sections::store(self.connection, file, drafts)
    }

    pub(super) fn touch(&self, file: i64, stamp: Stamp) -> rusqlite::Result<()> {
        let sql = "UPDATE files SET size = ?2, modified = ?3, changed = ?4, inode = ?5, seen = ?6
            WHERE id = ?1";
        let Stamp { size, modified, changed, inode } = stamp;
        let values = params![file, size, modified, changed, inode, self.seen];
        self.connection.prepare_cached(sql)?.execute(values).map(drop)
    }

    pub(super) fn remove(&self, file: i64) -> rusqlite::Result<()> {
        sections::remove_all(self.connection, file)?;
        self.connection.prepare_cached("DELETE FROM files WHERE id = ?1")?.execute([file]).map(drop)
    }
}

fn read_record(row: &Row<'_>) -> rusqlite::Result<Record> {
    let stamp = Stamp {
        size: row.get(1)?,
        modified: row.get(2)?,
        changed: row.get(3)?,
        inode: row.get(4)?,
    };
    let (seen, hash, problem) = (row.get(5)?, row.get(6)?, row.get(7)?);
    Ok(Record { id: row.get(0)?, stamp, seen, hash, problem })
}
