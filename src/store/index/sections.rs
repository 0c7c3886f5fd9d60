//! Writes what the database holds of the sections of a file, and nothing of those with a secret.

use std::collections::HashMap;

use rusqlite::{Connection, params};

use super::entries::{Entry, HEADING_JOINT, entries};
use super::sources::write_sources;
use super::words;
use crate::markdown::Outline;
use crate::secrets::Scanner;

/// A file whose sections are written.
#[derive(Debug)]
pub(super) struct File<'a> {
    pub(super) id: i64,
    pub(super) path: &'a str,
    pub(super) text: &'a str,
}

/// Stands for a heading that may not be shown.
const WITHHELD: &str = "[withheld]";

/// A section that the database knows.
struct Known {
    id: i64,
    line: u32,
    hash: String,
    withheld: bool,
}

/// Where a section goes.
struct Place<'a> {
    file: &'a File<'a>,
    outer: &'a str,
    key: i64,
}

/// Writes those sections of a file that changed, and removes those that are gone.
pub(super) fn store(
    connection: &Connection,
    scanner: &Scanner,
    file: &File<'_>,
) -> rusqlite::Result<()> {
    let mut known = rows_of(connection, file.id)?;
    let outline = Outline::read(file.text);
    let entries = entries(&outline);
    // Heading paths as they may be shown, by entry.
    let mut shown: Vec<String> = Vec::with_capacity(entries.len());
    for entry in &entries {
        let outer = entry.parent.map_or("", |parent| shown[parent].as_str()).to_owned();
        let place = Place { file, outer: &outer, key: entry.key(&outer) };
        let row = known.get_mut(&place.key).and_then(Vec::pop);
        let withheld = match row {
            Some(row) => {
                move_section(connection, &row, entry)?;
                row.withheld
            }
            None => {
                let withheld = !scanner.scan(entry.own).is_empty();
                if withheld {
                    withhold(connection, &place, entry.line)?;
                } else {
                    insert(connection, &place, entry)?;
                }
                withheld
            }
        };
        shown.push(join_headings(&outer, if withheld { WITHHELD } else { entry.heading }));
    }
    for id in known.into_values().flatten().map(|row| row.id) {
        remove_section(connection, id)?;
    }
    Ok(())
}

/// Removes all sections of a file.
pub(super) fn remove_all(connection: &Connection, file: i64) -> rusqlite::Result<()> {
    for id in rows_of(connection, file)?.into_values().flatten().map(|row| row.id) {
        remove_section(connection, id)?;
    }
    Ok(())
}

/// Returns the sections of a file by their keys; equal ones in such an order that the first is last.
fn rows_of(connection: &Connection, file: i64) -> rusqlite::Result<HashMap<i64, Vec<Known>>> {
    let sql = "SELECT key, id, line, hash, withheld FROM sections WHERE file = ?1
        ORDER BY line DESC";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([file])?;
    let mut found: HashMap<i64, Vec<Known>> = HashMap::new();
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

fn move_section(connection: &Connection, row: &Known, entry: &Entry<'_>) -> rusqlite::Result<()> {
    let hash = if row.withheld { "" } else { &entry.hash };
    if row.line == entry.line && row.hash == hash {
        return Ok(());
    }
    connection
        .prepare_cached("UPDATE sections SET line = ?2, hash = ?3 WHERE id = ?1")?
        .execute(params![row.id, entry.line, hash])
        .map(drop)
}

/// Records that there is a section, and nothing that stands in it.
fn withhold(connection: &Connection, place: &Place<'_>, line: u32) -> rusqlite::Result<()> {
    let sql = "INSERT INTO sections(file, line, key, heading, hash, archived, withheld, sources)
        VALUES (?1, ?2, ?3, '', '', 0, 1, '')";
    connection.prepare_cached(sql)?.execute(params![place.file.id, line, place.key]).map(drop)
}

fn insert(connection: &Connection, place: &Place<'_>, entry: &Entry<'_>) -> rusqlite::Result<()> {
    let sql = "INSERT INTO sections(file, line, key, section_id, heading, hash, archived, withheld,
        sources) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8)";
    let section_id = entry.section_id.map_or("", |id| id.as_str());
    let heading = join_headings(place.outer, entry.heading);
    let archived = entry.archived || place.file.path.starts_with("archive/");
    let sources = write_sources(entry.sources);
    connection.prepare_cached(sql)?.execute(params![
        place.file.id,
        entry.line,
        place.key,
        entry.section_id.map(|id| id.as_str()),
        heading,
        entry.hash,
        archived,
        sources
    ])?;
    let id = connection.last_insert_rowid();
    connection
        .prepare_cached("INSERT INTO bodies(id, body) VALUES (?1, ?2)")?
        .execute(params![id, entry.body])?;
    let names = format!("{} {section_id}", place.file.path.trim_end_matches(".md"));
    let parts = words::parts(&format!("{heading}\n{names}\n{}", entry.body));
    let sql = "INSERT INTO words(rowid, heading, outer, names, body, parts)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    connection
        .prepare_cached(sql)?
        .execute(params![id, entry.heading, place.outer, names, entry.body, parts])
        .map(drop)
}

fn remove_section(connection: &Connection, id: i64) -> rusqlite::Result<()> {
    for sql in [
        "DELETE FROM words WHERE rowid = ?1",
        "DELETE FROM bodies WHERE id = ?1",
        "DELETE FROM sections WHERE id = ?1",
    ] {
        connection.prepare_cached(sql)?.execute([id])?;
    }
    Ok(())
}

fn join_headings(outer: &str, heading: &str) -> String {
    if outer.is_empty() { heading.to_owned() } else { format!("{outer}{HEADING_JOINT}{heading}") }
}
