//! Asks the database which sections answer a question.

use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, Row};

use super::candidates::{Finder, Phrase, ask, by_days, by_expression};
use super::database::number;
use super::dates::{named_in, words_of_time};
use super::entries::HEADING_JOINT;
use super::flaws::{ARCHIVED, Flaws};
use super::query::{DAY, Order, Query};
use super::rank::{Scores, Waiting, fuse, keep_best, leave_out_worst};
use super::signals::{Candidate, Part, Reader, Term};
use super::snippet::{Wanted, snippet};
use super::sources::read_sources;
use super::words::{phrases, unfinished};
use crate::markdown::SourceNote;
use crate::provenance::Freshness;
use crate::text::{duplicate_key, without_accents};

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
    /// The one to three lines that answer best, as they stand.
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
    /// Path and line of what says the same in the same words, and is left out.
    pub duplicates: Vec<(String, usize)>,
}

/// Tells what has become of the evidence of a section.
pub type Judge<'a> = dyn Fn(&[SourceNote]) -> Option<Freshness> + 'a;

/// So many of the best sections are looked at closely; with 50 no more questions of `docs/search.md` are answered
/// by the first five.
const WINDOW: usize = 30;

/// From so many of the best the youngest are taken.
pub const RECENT: usize = 100;

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
    // An expression has marks of its own, which its plainest form may not have.
    let text = if query.raw { query.text.into() } else { without_accents(query.text) };
    let query = &Query { text: &text, ..*query };
    // One view of the database for all statements, whoever writes meanwhile.
    let snapshot = connection.unchecked_transaction()?;
    let search = Search { connection: &snapshot, query, judge };
    // What is looked at first is the same for each page, else a later one would show some again and others never.
    let (first, wanted) = match query.order {
        Order::Score => (WINDOW, query.limit.saturating_add(query.offset)),
        Order::Time => (query.limit.max(RECENT), query.limit.max(RECENT)),
    };
    let phrases = phrases(query.text, query.weights.stop_words);
    let mut ranked = search.rank(&phrases, first)?;
    let mut found = search.distinct(&mut ranked, wanted)?;
    match query.order {
        Order::Score => {}
        Order::Time => found.sort_by(|a, b| b.day.cmp(&a.day)),
    }
    let words = Wanted::of(&phrases, &ranked.terms);
    let page = found.into_iter().skip(query.offset).take(query.limit);
    let hits = page.map(|Found { section, mut hit, body, .. }| {
        hit.parts = ranked.parts.remove(&section).unwrap_or_default();
        (hit.snippet, hit.matches) = snippet(&body, &words);
        hit.freshness = judge(&hit.sources);
        hit
    });
    Ok(hits.collect())
}

/// A question, and whom to ask.
struct Search<'a> {
    connection: &'a Connection,
    query: &'a Query<'a>,
    judge: &'a Judge<'a>,
}

/// A section on its way into the answer.
struct Found {
    section: i64,
    /// Without what is worked out for a page only.
    hit: Hit,
    /// The day that counts when it comes to time.
    day: String,
    is_log: bool,
    body: String,
    /// What it shares with what says the same.
    duplicate_key: Option<u64>,
}

impl Found {
    /// Takes in what says the same; in the order of time the younger one stands for both, but none that is archived
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

/// Sections with their scores.
struct Ranked {
    /// Of what nobody has looked at closely, without what it is known to lose.
    scored: Scores,
    /// What the words alone count.
    words: HashMap<i64, f64>,
    /// Of what was looked at closely, what the scores are the sums of.
    parts: HashMap<i64, Vec<Part>>,
    /// The words of the question that stand anywhere.
    terms: Vec<Term>,
    /// Asks for the others, which hold less of the question.
    rest: Option<String>,
}

impl Search<'_> {
    /// Scores the sections that may answer; says of the best what their scores are the sums of.
    fn rank(&self, phrases: &[String], enough: usize) -> rusqlite::Result<Ranked> {
        let Query { text, weights, .. } = *self.query;
        let finder = Finder::new(self.connection, self.query)?;
        let of_days = self.of_days()?;
        let said = if of_days.is_empty() { phrases.to_vec() } else { self.without_time(phrases) };
        let known = finder.look_up(&said, &unfinished(text))?;
        let (words, rest) = match self.query.raw {
            true => (by_expression(self.connection, self.query)?, None),
            false => finder.by_words(&known, enough)?,
        };
        let mut scored = fuse(vec![words]);
        let window = add_window(&mut scored, &of_days, &finder.archived);
        let terms: Vec<Term> = known.iter().map(Phrase::term).collect();
        let reader = Reader::new(text, &terms, weights, finder.total);
        let mut candidates = Vec::with_capacity(window.len());
        for (section, score) in &window {
            candidates.push((*score, self.candidate(*section, of_days.contains(section))?));
        }
        let read = window.iter().map(|(section, _)| *section).zip(reader.read(&candidates));
        let parts: HashMap<i64, Vec<Part>> = read.collect();
        let words = scored.iter().copied().collect();
        for (section, score) in &mut scored {
            *score = match parts.get(section) {
                Some(parts) => sum(parts),
                None => self.foresee(*score, finder.archived.binary_search(section).is_ok()),
            };
        }
        Ok(Ranked { scored, words, parts, terms, rest })
    }

    /// Scores the sections that hold less of the question than those before, none of them better than these.
    fn rest(&self, ranked: &mut Ranked, least: f64) -> rusqlite::Result<Scores> {
        let Some(expression) = ranked.rest.take() else { return Ok(Vec::new()) };
        let mut scored = ask(self.connection, self.query, &expression, None)?;
        scored.retain(|(section, _)| !ranked.words.contains_key(section));
        let best = scored.iter().map(|(_, score)| *score).fold(0.0, f64::max);
        let share = if best > least { least / best } else { 1.0 };
        scored.iter_mut().for_each(|(_, score)| *score *= share);
        ranked.words.extend(scored.iter().copied());
        Ok(scored)
    }

    /// Returns a score without what is known to be taken off before the section is read.
    fn foresee(&self, score: f64, archived: bool) -> f64 {
        let freshness = self.query.freshness;
        if !archived && freshness.is_none() {
            return score;
        }
        let mut parts = vec![("words", score)];
        Flaws { body: "text", is_log: false, archived, freshness }
            .take_off(&mut parts, self.query.weights);
        sum(&parts)
    }

    fn without_time(&self, phrases: &[String]) -> Vec<String> {
        let time = words_of_time(self.query.text, self.query.now);
        phrases.iter().filter(|phrase| !time.contains(phrase)).cloned().collect()
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

    /// Sorts by score, then by path and line; keeps the first of what says the same, until there are enough.
    ///
    /// What nobody has looked at closely loses once its turn comes what could not be foreseen, and waits for another one.
    /// So what is left out is worse than what is shown, and little more is read than that.
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
                let found = self.read(section, score)?;
                if !self.is_wanted(&found.hit.sources) {
                    continue;
                }
                let is_read = ranked.parts.contains_key(&section);
                if !is_read {
                    let parts = self.losses(&found, ranked.words[&section]);
                    let left = sum(&parts);
                    ranked.parts.insert(section, parts);
                    if left < score {
                        waiting.add(section, left);
                        continue;
                    }
                }
                let next = kept.len();
                match found.duplicate_key.map_or(next, |it| *known.entry(it).or_insert(next)) {
                    first if first < next => kept[first].join(found, self.query.order),
                    _ => kept.push(found),
                }
            }
        }
    }

    /// Returns the parts of the score of a section that nobody has looked at closely.
    fn losses(&self, found: &Found, words: f64) -> Vec<Part> {
        let flaws = Flaws {
            body: &found.body,
            is_log: found.is_log,
            archived: found.hit.archived,
            freshness: (self.judge)(&found.hit.sources),
        };
        let mut parts = vec![("words", words)];
        flaws.take_off(&mut parts, self.query.weights);
        parts
    }

    fn is_wanted(&self, sources: &[SourceNote]) -> bool {
        self.query.freshness.is_none_or(|wanted| (self.judge)(sources) == Some(wanted))
    }

    /// Returns sections of the same score by path and line.
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

    fn read(&self, section: i64, score: f64) -> rusqlite::Result<Found> {
        let sql = format!(
            "SELECT path, line, section_id, heading, sections.hash, category, archived, modified,
              sources, body, day, {DAY}, log
            FROM sections JOIN files ON files.id = sections.file JOIN bodies ON bodies.id = sections.id
            WHERE sections.id = ?1"
        );
        self.connection.prepare_cached(&sql)?.query_row([section], |row| {
            let headings = row.get_ref(3)?.as_str()?;
            let own = headings.rsplit(HEADING_JOINT).next().unwrap_or_default();
            let body: String = row.get(9)?;
            let duplicate_key = duplicate_key(own, &body);
            let heading = headings.split(HEADING_JOINT).filter(|heading| !heading.is_empty());
            let hit = Hit {
                path: row.get(0)?,
                section_id: row.get(2)?,
                heading: heading.map(str::to_owned).collect(),
                line: number(row, 1)?,
                score,
                parts: Vec::new(),
                snippet: String::new(),
                matches: Vec::new(),
                hash: row.get(4)?,
                category: row.get(5)?,
                archived: row.get(6)?,
                day: row.get(10)?,
                modified: row.get::<_, i64>(7)?.div_euclid(NANOSECONDS),
                sources: read_sources(row.get_ref(8)?.as_str()?),
                freshness: None,
                duplicates: Vec::new(),
            };
            Ok(Found { section, hit, day: row.get(11)?, is_log: row.get(12)?, body, duplicate_key })
        })
    }
}

fn sum(parts: &[Part]) -> f64 {
    parts.iter().map(|(_, value)| value).sum()
}

/// Returns the best sections and those of the days that the question names, which may hold no word of it
/// and are added then.
fn add_window(scored: &mut Scores, of_days: &HashSet<i64>, archived: &[i64]) -> Scores {
    let share =
        |section| if archived.binary_search(&section).is_ok() { 1.0 - ARCHIVED } else { 1.0 };
    let mut window: Scores =
        scored.iter().map(|(section, score)| (*section, score * share(*section))).collect();
    keep_best(&mut window, WINDOW);
    // Too many that are as good as one another: a close look would not tell them apart in time.
    if window.len() > WINDOW * 2 {
        leave_out_worst(&mut window, 0);
    }
    let scores: HashMap<i64, f64> = scored.iter().copied().collect();
    let best: HashSet<i64> = window.iter().map(|(section, _)| *section).collect();
    for section in of_days.difference(&best) {
        scored.extend((!scores.contains_key(section)).then_some((*section, 0.0)));
    }
    let score = |section: &i64| (*section, scores.get(section).copied().unwrap_or_default());
    best.union(of_days).map(score).collect()
}
