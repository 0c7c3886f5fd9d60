//! Finds the documents that have most words in common with a text.

use rusqlite::{Connection, Row};

use super::database::number;

/// A document that may say what a text says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AlikeDocument {
    pub(crate) file: String,
    pub(crate) name: Option<String>,
    /// Line of its title, from 1.
    pub(crate) line: usize,
    pub(crate) body: String,
}

/// Returns the documents whose texts hold the most, and the rarest, of some terms. What is archived or withheld is not
/// among them.
pub(super) fn alike(
    connection: &Connection,
    terms: &[&str],
    most: usize,
) -> rusqlite::Result<Vec<AlikeDocument>> {
    if terms.is_empty() {
        return Ok(Vec::new());
    }
    // A term is a word of letters and digits, so that it needs no escape within the quotes.
    let any: Vec<String> = terms.iter().map(|term| format!("\"{term}\"")).collect();
    let expression = format!("body : ({})", any.join(" OR "));
    let sql = "SELECT path, name, line, body FROM
          (SELECT rowid AS found, rank AS place FROM words WHERE words MATCH ?1
            AND +rowid NOT IN (SELECT id FROM documents WHERE archived OR withheld)
            ORDER BY rank LIMIT ?2)
        JOIN documents ON documents.id = found
        JOIN files ON files.id = documents.file
        JOIN bodies ON bodies.id = found
        ORDER BY place, found";
    let mut statement = connection.prepare_cached(sql)?;
    let read = |row: &Row<'_>| {
        Ok(AlikeDocument {
            file: row.get(0)?,
            name: row.get(1)?,
            line: number(row, 2)?,
            body: row.get(3)?,
        })
    };
    statement.query_map((expression, most as i64), read)?.collect()
}
