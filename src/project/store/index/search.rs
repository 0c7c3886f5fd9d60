//! Asks the database which sections answer a question.

use std::collections::HashMap;

use rusqlite::{Connection, Row};

use super::candidates::{Finder, Known, ask};
use super::database::number;
use super::entries::HEADING_JOINT;
use super::flaws::{ARCHIVED, Flaws, Part};
use super::query::{DAY, Order, Query, in_terms};
use super::rank::{Scores, Waiting};
use super::snippet::{Wanted, snippet};
use super::sources::read_sources;
use super::words::{Phrase, phrases};
use crate::markdown::SourceNote;
use crate::project::provenance::Freshness;
use crate::text::duplicate_key;

#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub path: String,
    pub section_id: Option<String>,
    /// The headings from the outermost down to its own; none for the text before the first heading.
    pub heading: Vec<String>,
    pub line: usize,
    /// Higher is better; comparable within one answer only.
    pub score: f64,
    pub parts: Vec<Part>,
    /// The one to three lines that answer best, as they stand.
    pub snippet: String,
    /// Bytes of the snippet where words of the question stand, as start and end.
    pub matches: Vec<(usize, usize)>,
    /// Identifies the section's text, deeper sections included.
    pub hash: String,
    pub category: Option<String>,
    pub archived: bool,
    /// The day it is about, if it says so.
    pub day: Option<String>,
    /// When the file was last written, in seconds since 1970.
    pub modified: i64,
    pub sources: Vec<SourceNote>,
    pub freshness: Option<Freshness>,
    /// Path and line of what says the same in the same words, and is left out.
    pub duplicates: Vec<(String, usize)>,
}

pub(crate) type Judge<'a> = dyn Fn(&[SourceNote]) -> Option<Freshness> + 'a;

/// How many of the best sections are told apart, however many are shown.
const FIRST: usize = 30;

/// From how many of the best the newest are taken.
pub(crate) const RECENT: usize = 100;

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
    // One view of the database for all statements, even if another process writes.
    let snapshot = connection.unchecked_transaction()?;
    let search = Search { connection: &snapshot, query, judge };
    // What is scored first is the same for each page, else a later one would show some again and others never.
    let (first, wanted) = match query.order {
        Order::Score => (FIRST, query.limit.saturating_add(query.offset)),
        Order::Time => (query.limit.max(RECENT), query.limit.max(RECENT)),
    };
    let phrases = phrases(query.text, query.weights.stop_words);
    let mut ranked = search.rank(&phrases, first)?;
    let mut found = search.distinct(&mut ranked, wanted)?;
    match query.order {
        Order::Score => {}
        Order::Time => found.sort_by(|a, b| b.day.cmp(&a.day)),
    }
    let words = Wanted::of(&phrases, &ranked.known);
    let page = found.into_iter().skip(query.offset).take(query.limit);
    let hits = page.map(|Found { mut hit, body, .. }| {
        (hit.snippet, hit.matches) = snippet(&body, &words);
        hit
    });
    Ok(hits.collect())
}

struct Search<'a> {
    connection: &'a Connection,
    query: &'a Query<'a>,
    judge: &'a Judge<'a>,
}

struct Found {
    /// Without its snippet, which only a page has.
    hit: Hit,
    /// The day that counts when it comes to time.
    day: String,
    body: String,
    /// Equal for sections that say the same.
    duplicate_key: Option<u64>,
}

impl Found {
    /// Joins a section that says the same. In the order of time the newer one stands for both, but no archived one
    /// for one that is not.
    fn join(&mut self, mut twin: Self, order: Order) {
        let worth = |found: &Self| (!found.hit.archived, found.day.clone());
        if order == Order::Time && worth(&twin) > worth(self) {
            std::mem::swap(&mut self.hit.duplicates, &mut twin.hit.duplicates);
            std::mem::swap(self, &mut twin);
        }
        self.hit.duplicates.push((twin.hit.path, twin.hit.line));
    }
}

struct Ranked {
    /// Without what they lose, but for the archive.
    scored: Scores,
    /// What the words count, and how close together they stand.
    gains: HashMap<i64, Gain>,
    /// What of the question stands anywhere.
    known: Vec<Known>,
    /// Asks for the others, which hold less of the question.
    rest: Option<String>,
}

#[derive(Clone, Copy)]
struct Gain {
    words: f64,
    near: f64,
}

impl Search<'_> {
    fn rank(&self, phrases: &[Phrase], enough: usize) -> rusqlite::Result<Ranked> {
        let finder = Finder::new(self.connection, self.query)?;
        let known = finder.look_up(phrases)?;
        let (mut scored, rest) = match self.query.raw {
            true => {
                let expression = in_terms(self.query.text);
                (ask(self.connection, self.query, &expression, None)?, None)
            }
            false => finder.by_words(&known, enough)?,
        };
        let near = if self.query.raw { HashMap::new() } else { finder.near(&known)? };
        let mut gains = HashMap::with_capacity(scored.len());
        for (section, score) in &mut scored {
            let near = self.query.weights.near * near.get(section).copied().unwrap_or_default();
            gains.insert(*section, Gain { words: *score, near });
            let is_archived = finder.archived.binary_search(section).is_ok();
            *score = (*score + near) * if is_archived { 1.0 - ARCHIVED } else { 1.0 };
        }
        Ok(Ranked { scored, gains, known, rest })
    }

    /// Scores the sections that hold less of the question than those before, none of them better than these.
    fn rest(&self, ranked: &mut Ranked, least: f64) -> rusqlite::Result<Scores> {
        let Some(expression) = ranked.rest.take() else { return Ok(Vec::new()) };
        let mut scored = ask(self.connection, self.query, &expression, None)?;
        scored.retain(|(section, _)| !ranked.gains.contains_key(section));
        let best = scored.iter().map(|(_, score)| *score).fold(0.0, f64::max);
        let share = if best > least { least / best } else { 1.0 };
        scored.iter_mut().for_each(|(_, score)| *score *= share);
        let gain = |(section, words): &(i64, f64)| (*section, Gain { words: *words, near: 0.0 });
        ranked.gains.extend(scored.iter().map(gain));
        Ok(scored)
    }

    /// Sorts by score, then by path and line; keeps the first of what says the same, until there are enough.
    ///
    /// A section that loses something once it is read comes up again with what is left. So what is left out is worse than
    /// what is shown, and little more is read than that.
    fn distinct(&self, ranked: &mut Ranked, enough: usize) -> rusqlite::Result<Vec<Found>> {
        let mut waiting = Waiting::of(&ranked.scored);
        let mut kept: Vec<Found> = Vec::new();
        let mut known: HashMap<u64, usize> = HashMap::new();
        let mut least = f64::INFINITY;
        loop {
            let Some((score, equals)) = waiting.next() else {
                waiting = Waiting::of(&self.rest(ranked, least)?);
                if waiting.is_empty() {
                    return Ok(kept);
                }
                continue;
            };
            least = score;
            for section in self.by_place(&equals)? {
                if kept.len() >= enough {
                    return Ok(kept);
                }
                let found = self.read(section, ranked.gains[&section])?;
                let freshness = found.hit.freshness;
                if self.query.freshness.is_some_and(|wanted| freshness != Some(wanted)) {
                    continue;
                }
                if found.hit.score < score {
                    waiting.add(section, found.hit.score);
                    continue;
                }
                let next = kept.len();
                match found.duplicate_key.map_or(next, |it| *known.entry(it).or_insert(next)) {
                    first if first < next => kept[first].join(found, self.query.order),
                    _ => kept.push(found),
                }
            }
        }
    }

    fn by_place(&self, equals: &[i64]) -> rusqlite::Result<Vec<i64>> {
        if let [only] = equals {
            return Ok(vec![*only]);
        }
        let sql = "SELECT path, line FROM sections JOIN files ON files.id = sections.file
            WHERE sections.id = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut places: Vec<(String, usize, i64)> = Vec::with_capacity(equals.len());
        for section in equals {
            let place = |row: &Row<'_>| Ok((row.get(0)?, number(row, 1)?, *section));
            places.push(statement.query_row([section], place)?);
        }
        places.sort_unstable();
        Ok(places.into_iter().map(|(_, _, section)| section).collect())
    }

    fn read(&self, section: i64, gain: Gain) -> rusqlite::Result<Found> {
        let sql = format!(
            "SELECT path, line, section_id, heading, sections.hash, category, archived, modified,
              sources, body, day, {DAY}
            FROM sections JOIN files ON files.id = sections.file JOIN bodies ON bodies.id = sections.id
            WHERE sections.id = ?1"
        );
        self.connection.prepare_cached(&sql)?.query_row([section], |row| {
            let headings = row.get_ref(3)?.as_str()?;
            let own = headings.rsplit(HEADING_JOINT).next().unwrap_or_default();
            let body: String = row.get(9)?;
            let duplicate_key = duplicate_key(own, &body);
            let heading = headings.split(HEADING_JOINT).filter(|heading| !heading.is_empty());
            let sources = read_sources(row.get_ref(8)?.as_str()?);
            let freshness = (self.judge)(&sources);
            let archived = row.get(6)?;
            let parts = self.parts(gain, &Flaws { body: &body, archived, freshness });
            let hit = Hit {
                path: row.get(0)?,
                section_id: row.get(2)?,
                heading: heading.map(str::to_owned).collect(),
                line: number(row, 1)?,
                score: parts.iter().map(|(_, value)| value).sum(),
                parts,
                snippet: String::new(),
                matches: Vec::new(),
                hash: row.get(4)?,
                category: row.get(5)?,
                archived,
                day: row.get(10)?,
                modified: row.get::<_, i64>(7)?.div_euclid(NANOSECONDS),
                sources,
                freshness,
                duplicates: Vec::new(),
            };
            Ok(Found { hit, day: row.get(11)?, body, duplicate_key })
        })
    }

    fn parts(&self, gain: Gain, flaws: &Flaws<'_>) -> Vec<Part> {
        let mut parts = vec![("words", gain.words)];
        parts.extend((gain.near > 0.0).then_some(("near", gain.near)));
        // A state that is asked for is no flaw: all that is shown has it.
        let freshness = flaws.freshness.filter(|_| self.query.freshness.is_none());
        Flaws { freshness, ..*flaws }.take_off(&mut parts);
        parts
    }
}
