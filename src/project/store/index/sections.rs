//! Writes what the database holds of the sections of a file, and nothing of those with a secret.

use rusqlite::{Connection, params};

use super::connection::outdate;
use super::drafts::{Draft, Drafts, Known, KnownSections, NewSection};
use crate::contract::Sha256Digest;

pub(super) fn known(connection: &Connection, file: i64) -> rusqlite::Result<KnownSections> {
    let sql = "SELECT key, id, line, hash, withheld FROM sections WHERE file = ?1
        ORDER BY line DESC";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([file])?;
    let mut found = KnownSections::new();
    while let Some(row) = rows.next()? {
        found.entry(row.get(0)?).or_default().push(Known {
            id: row.get(1)?,
            line: row.get(2)?,
            hash: row.get(3)?,
            withheld: row.get(4)?,
        });
    }
    Ok(found)
}

pub(super) fn store(connection: &Connection, file: i64, drafts: &Drafts) -> rusqlite::Result<()> {
    // A process that has just read the number of a removed section must not find another one under it.
    let mut next: i64 = connection
        .prepare_cached("SELECT ifnull(max(id), 0) + 1 FROM sections")?
        .query_row([], |row| row.get(0))?;
    // First, as FTS5 writes out all that it holds when a number comes that is smaller than the last one.
    remove(connection, drafts.gone.iter().copied())?;
    for draft in &drafts.sections {
        match draft {
            Draft::Kept { known, line, hash } => {
                move_section(connection, known, *line, hash)?;
                continue;
            }
            Draft::Withheld { key, line } => withhold(connection, (next, file), *key, *line)?,
            Draft::New(section) => insert(connection, (next, file), section)?,
        }
        next += 1;
    }
    if drafts.is_regretted { outdate(connection) } else { Ok(()) }
}

pub(super) fn remove_all(connection: &Connection, file: i64) -> rusqlite::Result<()> {
    let known = known(connection, file)?;
    remove(connection, known.into_values().flatten().map(|row| row.id))
}

fn move_section(
    connection: &Connection,
    known: &Known,
    line: u32,
    hash: &str,
) -> rusqlite::Result<()> {
    if known.line == line && known.hash == hash {
        return Ok(());
    }
    connection
        .prepare_cached("UPDATE sections SET line = ?2, hash = ?3 WHERE id = ?1")?
        .execute(params![known.id, line, hash])
        .map(drop)
}

/// Records that there is a section, and nothing that stands in it.
fn withhold(
    connection: &Connection,
    (id, file): (i64, i64),
    key: Sha256Digest,
    line: u32,
) -> rusqlite::Result<()> {
    let sql =
        "INSERT INTO sections(id, file, line, key, heading, hash, archived, withheld, sources)
        VALUES (?1, ?2, ?3, ?4, '', '', 0, 1, '')";
    connection.prepare_cached(sql)?.execute(params![id, file, line, key]).map(drop)
}

fn insert(
    connection: &Connection,
    (id, file): (i64, i64),
    section: &NewSection,
) -> rusqlite::Result<()> {
    let sql =
        "INSERT INTO sections(id, file, line, key, section_id, heading, hash, archived, withheld,
        sources, day) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, ?9, ?10)";
    let NewSection { key, line, hash, section_id, heading, archived, sources, day, .. } = section;
    connection
        .prepare_cached(sql)?
        .execute(params![id, file, line, key, section_id, heading, hash, archived, sources, day])?;
    connection
        .prepare_cached("INSERT INTO bodies(id, body) VALUES (?1, ?2)")?
        .execute(params![id, section.body])?;
    let sql = "INSERT INTO words(rowid, heading, names, body, parts, before, after)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let [heading, names, body, parts, before, after] = &section.columns;
    connection
        .prepare_cached(sql)?
        .execute(params![id, heading, names, body, parts, before, after])
        .map(drop)
}

fn remove(connection: &Connection, sections: impl Iterator<Item = i64>) -> rusqlite::Result<()> {
    for id in sections {
        for sql in [
            "DELETE FROM words WHERE rowid = ?1",
            "DELETE FROM bodies WHERE id = ?1",
            "DELETE FROM sections WHERE id = ?1",
        ] {
            connection.prepare_cached(sql)?.execute([id])?;
        }
    }
    Ok(())
}
