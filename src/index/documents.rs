//! Writes what the database holds of the documents of a file, and nothing of those with a secret.

use rusqlite::{Connection, params};

use super::document::{Document, DocumentDraft, KnownDocument, KnownDocuments};
use super::identifiers::parts;
use super::terms::terms;

/// Stands between the titles of a document; no line of text holds it.
pub(super) const TITLE_JOINT: char = '\u{1f}';

pub(super) fn known(connection: &Connection, file: i64) -> rusqlite::Result<KnownDocuments> {
    let sql = "SELECT key, id, line, hash, withheld FROM documents WHERE file = ?1
        ORDER BY line DESC";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([file])?;
    let mut found = KnownDocuments::default();
    while let Some(row) = rows.next()? {
        let (id, line, hash, withheld) = (row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?);
        found.add(row.get(0)?, KnownDocument { id, line, hash, withheld });
    }
    Ok(found)
}

/// Writes the documents of a file, and removes those that are gone.
pub(super) fn store(
    connection: &Connection,
    file: i64,
    drafts: &[DocumentDraft],
    gone: &[KnownDocument],
) -> rusqlite::Result<()> {
    // A process that has just read the number of a removed document must not find another one under it.
    let mut next: i64 = connection
        .prepare_cached("SELECT ifnull(max(id), 0) + 1 FROM documents")?
        .query_row([], |row| row.get(0))?;
    // First, as FTS5 writes out all that it holds when a number comes that is smaller than the last one.
    remove(connection, gone)?;
    for draft in drafts {
        match draft {
            DocumentDraft::Kept { known, line, hash } => {
                if known.line != *line || known.hash != *hash {
                    let sql = "UPDATE documents SET line = ?2, hash = ?3 WHERE id = ?1";
                    connection.prepare_cached(sql)?.execute(params![known.id, line, hash])?;
                }
                continue;
            }
            DocumentDraft::Withheld { key, line } => {
                let empty = Document { key: *key, line: *line, ..Document::default() };
                insert_row(connection, next, file, &empty, true)?;
            }
            DocumentDraft::New(document) => {
                insert_row(connection, next, file, document, false)?;
                insert_text(connection, next, document)?;
            }
        }
        next += 1;
    }
    Ok(())
}

pub(super) fn remove_all(connection: &Connection, file: i64) -> rusqlite::Result<()> {
    remove(connection, &known(connection, file)?.into_gone())
}

fn insert_row(
    connection: &Connection,
    id: i64,
    file: i64,
    document: &Document,
    withheld: bool,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO documents(id, file, line, key, hash, name, day, archived, note, titles,
        flags, withheld, replaces)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
    let Document { line, key, hash, name, day, archived, replaces, note, titles, flags, .. } =
        document;
    let titles = titles.join(&TITLE_JOINT.to_string());
    let flags: String = flags.iter().map(|flag| format!(" {flag} ")).collect();
    let values = params![
        id, file, line, key, hash, name, day, archived, note, titles, flags, withheld, replaces
    ];
    connection.prepare_cached(sql)?.execute(values).map(drop)
}

fn insert_text(connection: &Connection, id: i64, document: &Document) -> rusqlite::Result<()> {
    let Document { titles, names, body, before, after, .. } = document;
    let (title, above) = titles.split_last().map_or(("", &[][..]), |(own, all)| (own, all));
    let parts = parts(&format!("{}\n{names}\n{body}", titles.join("\n")));
    let names = format!("{}\n{names}", above.join("\n"));
    connection
        .prepare_cached("INSERT INTO bodies(id, body) VALUES (?1, ?2)")?
        .execute(params![id, body])?;
    let sql = "INSERT INTO words(rowid, heading, names, body, parts, before, after)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let [title, names, body] = [title, &names, body].map(terms);
    let [before, after] = [before, after].map(|text| terms(text));
    let values = params![id, title, names, body, parts, before, after];
    connection.prepare_cached(sql)?.execute(values).map(drop)
}

fn remove(connection: &Connection, documents: &[KnownDocument]) -> rusqlite::Result<()> {
    for KnownDocument { id, .. } in documents {
        for sql in [
            "DELETE FROM words WHERE rowid = ?1",
            "DELETE FROM bodies WHERE id = ?1",
            "DELETE FROM documents WHERE id = ?1",
        ] {
            connection.prepare_cached(sql)?.execute([id])?;
        }
    }
    Ok(())
}
