//! Asks the database which sections answer a question.

use std::collections::{HashMap, HashSet};

use rusqlite::Connection;

use super::candidates::{Phrase, by_days, by_expression, by_words, count_sections, look_up};
use super::database::number;
use super::dates::named_in;
use super::duplicates::Likeness;
use super::entries::HEADING_JOINT;
use super::query::{DAY, Order, Query};
use super::rank::{Scores, best_apart, fuse, keep_best};
use super::signals::{Candidate, Part, Reader, Term};
use super::snippet::snippet;
use super::sources::read_sources;
use super::words::{phrases, unfinished_word};
use crate::markdown::SourceNote;
use crate::provenance::Freshness;

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
    /// What the score is the sum of.
    pub parts: Vec<Part>,
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
    /// The day it is about, if it says so.
    pub day: Option<String>,
    /// When the file was last written, in seconds since 1970.
    pub modified: i64,
    /// The evidence.
    pub sources: Vec<SourceNote>,
    /// What has become of the evidence.
    pub freshness: Option<Freshness>,
    /// Path and line of what says the same in nearly the same words, and is left out.
    pub duplicates: Vec<(String, usize)>,
}

/// Tells what has become of the evidence of a section.
pub type Judge<'a> = dyn Fn(&[SourceNote]) -> Option<Freshness> + 'a;

/// So many of the best sections are looked at closely.
const WINDOW: usize = 50;

/// From so many of the best the youngest are taken.
const RECENT: usize = 100;

const NANOSECONDS: i64 = 1_000_000_000;

/// Returns the best answers in order; equals by path and line.
pub(super) fn search(
    connection: &Connection,
    query: &Query<'_>,
    judge: &Judge<'_>,
) -> rusqlite::Result<Vec<Hit>> {
    if query.limit == 0 {
        return Ok(Vec::new());
    }
    // One view of the database for all statements, whoever writes meanwhile.
    let snapshot = connection.unchecked_transaction()?;
    let search = Search { connection: &snapshot, query, judge };
    let wanted = query.limit.saturating_add(query.offset);
    let phrases = phrases(query.text, query.weights.stop_words);
    let (mut scored, mut parts) = search.rank(&phrases, wanted)?;
    let looked_at = match query.freshness {
        Some(_) => usize::MAX,
        None => wanted.saturating_mul(2).saturating_add(WINDOW),
    };
    keep_best(&mut scored, looked_at);
    let sorted = search.sorted(scored)?;
    let found = match query.order {
        Order::Score => search.distinct(sorted, wanted)?,
        Order::Time => {
            let mut recent = search.distinct(sorted, wanted.max(RECENT))?;
            recent.sort_by(|a, b| b.place.day.cmp(&a.place.day));
            recent
        }
    };
    let page = found.into_iter().skip(query.offset).take(query.limit);
    page.map(|found| {
        let parts = parts.remove(&found.id).unwrap_or_else(|| vec![("words", found.score)]);
        search.hit(found, parts, &phrases)
    })
    .collect()
}

/// A question, and whom to ask.
struct Search<'a> {
    connection: &'a Connection,
    query: &'a Query<'a>,
    judge: &'a Judge<'a>,
}

/// A section on its way into the answer.
struct Found {
    id: i64,
    score: f64,
    place: Place,
    duplicates: Vec<(String, usize)>,
}

/// Where a section stands.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    path: String,
    line: usize,
    /// The day that counts when it comes to time.
    day: String,
}

impl Search<'_> {
    /// Scores the sections that may answer; says of the best what their scores are the sums of.
    fn rank(
        &self,
        phrases: &[String],
        wanted: usize,
    ) -> rusqlite::Result<(Scores, HashMap<i64, Vec<Part>>)> {
        let Query { text, weights, .. } = *self.query;
        let total = count_sections(self.connection)?;
        let prefix = unfinished_word(text);
        let known = look_up(self.connection, phrases, prefix.as_deref(), total)?;
        let words = match self.query.raw {
            true => by_expression(self.connection, self.query)?,
            false => by_words(self.connection, self.query, &known, wanted.max(WINDOW), total)?,
        };
        let mut scored = fuse(vec![words]);
        let of_days = self.of_days()?;
        let window = add_window(&mut scored, &of_days);
        let terms: Vec<Term> = known.iter().filter_map(Phrase::term).collect();
        let reader = Reader::new(text, &terms, weights, total);
        let mut candidates = Vec::with_capacity(window.len());
        for (section, score) in &window {
            candidates.push((*score, self.candidate(*section, of_days.contains(section))?));
        }
        let mut parts: HashMap<i64, Vec<Part>> = HashMap::new();
        for ((section, score), more) in window.iter().zip(reader.read(&candidates)) {
            parts.insert(*section, [("words", *score)].into_iter().chain(more).collect());
        }
        for (section, score) in &mut scored {
            if let Some(parts) = parts.get(section) {
                *score = parts.iter().map(|(_, value)| value).sum();
            }
        }
        Ok((scored, parts))
    }

    fn of_days(&self) -> rusqlite::Result<HashSet<i64>> {
        match named_in(self.query.text, self.query.now).filter(|_| !self.query.raw) {
            Some(days) => Ok(by_days(self.connection, self.query, &days)?.into_iter().collect()),
            None => Ok(HashSet::new()),
        }
    }

    fn candidate(&self, section: i64, is_of_days: bool) -> rusqlite::Result<Candidate> {
        let sql = "SELECT heading, body, log, archived, sources FROM sections
            JOIN files ON files.id = sections.file JOIN bodies ON bodies.id = sections.id
            WHERE sections.id = ?1";
        self.connection.prepare_cached(sql)?.query_row([section], |row| {
            let heading: String = row.get(0)?;
            Ok(Candidate {
                heading: heading.rsplit(HEADING_JOINT).next().unwrap_or_default().to_owned(),
                body: row.get(1)?,
                is_log: row.get(2)?,
                is_of_days,
                archived: row.get(3)?,
                freshness: match row.get_ref(4)?.as_str()? {
                    "" => None,
                    sources => (self.judge)(&read_sources(sources)),
                },
            })
        })
    }

    /// Sorts by score, then by path and line.
    fn sorted(&self, scored: Scores) -> rusqlite::Result<Vec<Found>> {
        let sql = format!(
            "SELECT path, line, {DAY} FROM sections JOIN files ON files.id = sections.file
            WHERE sections.id = ?1"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut found = Vec::with_capacity(scored.len());
        for (id, score) in scored {
            let place = statement.query_row([id], |row| {
                Ok(Place { path: row.get(0)?, line: number(row, 1)?, day: row.get(2)? })
            })?;
            found.push(Found { id, score, place, duplicates: Vec::new() });
        }
        found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.place.cmp(&b.place)));
        Ok(found)
    }

    /// Keeps the first of what says the same, until there are enough.
    fn distinct(&self, sorted: Vec<Found>, enough: usize) -> rusqlite::Result<Vec<Found>> {
        let mut kept: Vec<(Found, Likeness)> = Vec::new();
        let sql =
            "SELECT body, sources, heading FROM bodies JOIN sections ON sections.id = bodies.id
            WHERE bodies.id = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        for found in sorted {
            if kept.len() >= enough {
                break;
            }
            let (likeness, is_wanted) = statement.query_row([found.id], |row| {
                let is_wanted = match self.query.freshness {
                    Some(_) => (self.judge)(&read_sources(row.get_ref(1)?.as_str()?)),
                    None => None,
                } == self.query.freshness;
                let heading = row.get_ref(2)?.as_str()?.rsplit(HEADING_JOINT).next();
                let body = row.get_ref(0)?.as_str()?;
                Ok((Likeness::of(heading.unwrap_or_default(), body), is_wanted))
            })?;
            if !is_wanted {
                continue;
            }
            match kept.iter_mut().find(|(_, other)| other.resembles(&likeness)) {
                Some((first, _)) => first.duplicates.push((found.place.path, found.place.line)),
                None => kept.push((found, likeness)),
            }
        }
        Ok(kept.into_iter().map(|(found, _)| found).collect())
    }

    fn hit(&self, found: Found, parts: Vec<Part>, phrases: &[String]) -> rusqlite::Result<Hit> {
        let sql = "SELECT section_id, heading, sections.hash, category, archived, modified, sources,
            body, day
            FROM sections JOIN files ON files.id = sections.file JOIN bodies ON bodies.id = sections.id
            WHERE sections.id = ?1";
        let Found { id, score, place, duplicates } = found;
        self.connection.prepare_cached(sql)?.query_row([id], |row| {
            let heading: String = row.get(1)?;
            let sources = read_sources(row.get_ref(6)?.as_str()?);
            let (snippet, matches) = snippet(row.get_ref(7)?.as_str()?, phrases);
            Ok(Hit {
                path: place.path,
                section_id: row.get(0)?,
                heading: heading
                    .split(HEADING_JOINT)
                    .filter(|heading| !heading.is_empty())
                    .map(str::to_owned)
                    .collect(),
                line: place.line,
                score,
                parts,
                snippet,
                matches,
                hash: row.get(2)?,
                category: row.get(3)?,
                archived: row.get(4)?,
                day: row.get(8)?,
                modified: row.get::<_, i64>(5)?.div_euclid(NANOSECONDS),
                freshness: (self.judge)(&sources),
                sources,
                duplicates,
            })
        })
    }
}

/// Returns the best sections and those of the days that the question names, which may hold no word of it
/// and are added then.
fn add_window(scored: &mut Scores, of_days: &HashSet<i64>) -> Scores {
    let mut window = best_apart(scored, WINDOW);
    if of_days.is_empty() {
        return window;
    }
    let scores: HashMap<i64, f64> = scored.iter().copied().collect();
    let best: HashSet<i64> = window.iter().map(|(section, _)| *section).collect();
    for section in of_days.difference(&best) {
        let score = scores.get(section).copied();
        scored.extend(score.is_none().then_some((*section, 0.0)));
        window.push((*section, score.unwrap_or_default()));
    }
    window
}
