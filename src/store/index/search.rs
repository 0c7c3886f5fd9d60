//! Asks the database which sections answer a question.

use std::collections::HashSet;

use rusqlite::{Connection, params};

use super::database::number;
use super::entries::HEADING_JOINT;
use super::rank::{Candidates, demote, fuse, keep_best};
use super::snippet::snippet;
use super::sources::read_sources;
use super::words::phrases;
use crate::markdown::SourceNote;

/// A question.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// Any text; there is no syntax in it.
    pub text: &'a str,
    /// How many sections to return at most.
    pub limit: usize,
    /// How many of the best sections to leave out.
    pub offset: usize,
    /// Only files of this category.
    pub category: Option<&'a str>,
    /// Only files whose path is this, or matches it where it holds `*`, `?` or `[…]`.
    pub file: Option<&'a str>,
    /// Whether archived sections are found too, ranked down.
    pub include_archived: bool,
}

/// A section that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The file, relative to the store.
    pub path: String,
    /// The id, if it has one.
    pub section_id: Option<String>,
    /// The headings from the outermost down to its own; none for the text before the first heading.
    pub heading: Vec<String>,
    /// Line of the heading, from 1.
    pub line: usize,
    /// Higher is better; comparable within one answer only.
    pub score: f64,
    /// The one to three lines that answer best, as plain text.
    pub snippet: String,
    /// Bytes of the snippet where words of the question stand, as start and end.
    pub matches: Vec<(usize, usize)>,
    /// Identifies the section's text, deeper sections included.
    pub hash: String,
    /// The category of the file.
    pub category: Option<String>,
    /// Whether it is in the archive, or was moved there.
    pub archived: bool,
    /// When the file was last written, in seconds since 1970.
    pub modified: i64,
    /// The evidence.
    pub sources: Vec<SourceNote>,
}

/// What a word counts in the heading, the headings above, the names of file and section, the body,
/// and as a part of an identifier.
const COLUMN_WEIGHTS: &str = "1.5, 0.3, 0.5, 1.0, 0.4";

const NANOSECONDS: i64 = 1_000_000_000;

/// Returns the best answers in order; equals by path and line.
pub(super) fn search(connection: &Connection, query: &Query<'_>) -> rusqlite::Result<Vec<Hit>> {
    let phrases = phrases(query.text);
    if phrases.is_empty() || query.limit == 0 {
        return Ok(Vec::new());
    }
    // One view of the database for all statements, whoever writes meanwhile.
    let snapshot = connection.unchecked_transaction()?;
    let connection = &*snapshot;
    let mut scored = fuse(vec![by_words(connection, query, &phrases)?]);
    if query.include_archived {
        let archived = archived_sections(connection)?;
        demote(&mut scored, |section| archived.contains(&section));
    }
    let best = keep_best(scored, query.limit.saturating_add(query.offset));
    let mut found = Vec::with_capacity(best.len());
    for (section, score) in best {
        found.push((section, place(connection, section)?, score));
    }
    found.sort_by(|a, b| b.2.total_cmp(&a.2).then_with(|| a.1.cmp(&b.1)));
    found
        .into_iter()
        .skip(query.offset)
        .take(query.limit)
        .map(|(section, _, score)| hit(connection, (section, score), &phrases))
        .collect()
}

/// Finds sections that hold any of the phrases, and scores them by how telling these are.
fn by_words(
    connection: &Connection,
    query: &Query<'_>,
    phrases: &[String],
) -> rusqlite::Result<Candidates> {
    let any: Vec<String> = phrases.iter().map(|phrase| format!("\"{phrase}\"")).collect();
    let mut sql =
        format!("SELECT rowid, -bm25(words, {COLUMN_WEIGHTS}) FROM words WHERE words MATCH ?1");
    // The plus keeps the filters from driving the search, one look-up for each section of a category.
    if !query.include_archived {
        sql += " AND +rowid NOT IN (SELECT id FROM sections WHERE archived)";
    }
    if query.category.is_some() || query.file.is_some() {
        sql += " AND +rowid IN (SELECT sections.id FROM sections
            JOIN files ON files.id = sections.file
            WHERE (?2 IS NULL OR category = ?2) AND (?3 IS NULL OR path = ?3 OR path GLOB ?3))";
    } else {
        sql += " AND ?2 IS NULL AND ?3 IS NULL";
    }
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement
        .query_map(params![any.join(" OR "), query.category, query.file], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    Ok(Candidates { weight: 1.0, scores: rows.collect::<rusqlite::Result<_>>()? })
}

fn archived_sections(connection: &Connection) -> rusqlite::Result<HashSet<i64>> {
    let mut statement = connection.prepare_cached("SELECT id FROM sections WHERE archived")?;
    statement.query_map([], |row| row.get(0))?.collect()
}

fn place(connection: &Connection, section: i64) -> rusqlite::Result<(String, usize)> {
    let sql = "SELECT path, line FROM sections JOIN files ON files.id = sections.file
        WHERE sections.id = ?1";
    connection.prepare_cached(sql)?.query_row([section], |row| Ok((row.get(0)?, number(row, 1)?)))
}

fn hit(
    connection: &Connection,
    (section, score): (i64, f64),
    phrases: &[String],
) -> rusqlite::Result<Hit> {
    let sql = "SELECT path, section_id, heading, line, sections.hash, category, archived, modified,
        sources, body
        FROM sections JOIN files ON files.id = sections.file JOIN bodies ON bodies.id = sections.id
        WHERE sections.id = ?1";
    connection.prepare_cached(sql)?.query_row([section], |row| {
        let heading: String = row.get(2)?;
        let (snippet, matches) = snippet(row.get_ref(9)?.as_str()?, phrases);
        Ok(Hit {
            path: row.get(0)?,
            section_id: row.get(1)?,
            heading: heading
                .split(HEADING_JOINT)
                .filter(|heading| !heading.is_empty())
                .map(str::to_owned)
                .collect(),
            line: number(row, 3)?,
            score,
            snippet,
            matches,
            hash: row.get(4)?,
            category: row.get(5)?,
            archived: row.get(6)?,
            modified: row.get::<_, i64>(7)?.div_euclid(NANOSECONDS),
            sources: read_sources(row.get_ref(8)?.as_str()?),
        })
    })
}
