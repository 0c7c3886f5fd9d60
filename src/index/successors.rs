//! Finds what came in the place of a document.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, Row};

use super::source::{Classify, DocumentPlace, KeptDocument};

/// Successors of successors that are followed at most.
const LONGEST_CHAIN: usize = 16;

/// Returns the document that stands at the end of a chain of successors; none where no place leads to one.
pub(super) fn last_successor(
    connection: &Connection,
    classify: &Classify<'_>,
    (document, places): (i64, &[DocumentPlace]),
) -> rusqlite::Result<Option<(i64, KeptDocument)>> {
    let mut seen = BTreeSet::from([document]);
    let mut last = None;
    let mut places = places.to_vec();
    for _ in 0..LONGEST_CHAIN {
        let mut next = None;
        for place in &places {
            next = find(connection, place)?.filter(|(id, _)| !seen.contains(id));
            if next.is_some() {
                break;
            }
        }
        let Some((id, kept)) = next else { break };
        places = (classify.standing)(&kept).map(|standing| standing.successors).unwrap_or_default();
        seen.insert(id);
        last = Some((id, kept));
    }
    Ok(last)
}

/// Returns the documents that say which others they stand for.
pub(super) fn replacing(connection: &Connection) -> rusqlite::Result<Vec<KeptDocument>> {
    let sql = "SELECT documents.id, path, name, note FROM documents
        JOIN files ON files.id = documents.file WHERE replaces AND NOT archived
        ORDER BY path, line";
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_map([], |row| Ok(read(row)?.1))?.collect()
}

/// Finds the document at a place: of a file the first; of a name that several have, none.
fn find(
    connection: &Connection,
    place: &DocumentPlace,
) -> rusqlite::Result<Option<(i64, KeptDocument)>> {
    let select = "SELECT documents.id, path, name, note FROM documents
        JOIN files ON files.id = documents.file WHERE NOT withheld AND";
    match (&place.file, &place.name) {
        (Some(file), None) => {
            let sql = format!("{select} path = ?1 ORDER BY line LIMIT 1");
            connection.prepare_cached(&sql)?.query_row([file], read).optional()
        }
        (Some(file), Some(name)) => {
            let sql = format!("{select} path = ?1 AND name = ?2 ORDER BY line LIMIT 1");
            connection.prepare_cached(&sql)?.query_row([file, name], read).optional()
        }
        (None, Some(name)) => {
            let sql = format!("{select} name = ?1 AND NOT archived LIMIT 2");
            let mut statement = connection.prepare_cached(&sql)?;
            let mut found: Vec<_> =
                statement.query_map([name], read)?.collect::<rusqlite::Result<_>>()?;
            Ok(if found.len() == 1 { found.pop() } else { None })
        }
        (None, None) => Ok(None),
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<(i64, KeptDocument)> {
    Ok((row.get(0)?, KeptDocument { file: row.get(1)?, name: row.get(2)?, note: row.get(3)? }))
}
