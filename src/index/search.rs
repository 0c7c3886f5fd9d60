//! Asks the database which documents answer a question.

use std::cmp::Reverse;
use std::collections::HashMap;

use rusqlite::{Connection, Row};

use super::candidates::{DistinctCandidates, SearchCandidate, SearchHit, add_gains};
use super::database::number;
use super::documents::TITLE_JOINT;
use super::filter::day_of_document;
use super::finder::{Finder, KnownPhrase, ask};
use super::losses::{ScorePart, is_empty, take_off};
use super::phrases::{Phrase, phrases};
use super::question::{Order, Question, in_terms};
use super::ranking::{ScoreQueue, Scores};
use super::snippet::snippet;
use super::source::{Classify, KeptDocument, Standing};
use super::successors::last_successor;
use super::wanted::WantedTerms;
use crate::text::duplicate_key;

/// How many of the best documents are told apart, however many are shown.
const FIRST: usize = 30;

/// From how many of the best the newest are taken.
pub(crate) const RECENT: usize = 100;

const NANOSECONDS: i64 = 1_000_000_000;

/// Returns the best answers in order; equals by path and line.
pub(super) fn search(
    connection: &Connection,
    question: &Question<'_>,
    classify: &Classify<'_>,
) -> rusqlite::Result<Vec<SearchHit>> {
    if question.limit == 0 {
        return Ok(Vec::new());
    }
    // One view of the database for all statements, even if another process writes.
    let snapshot = connection.unchecked_transaction()?;
    let search = Search { connection: &snapshot, question, classify };
    // What is scored first is the same for each page, else a later one would show some again and others never.
    let (first, wanted) = match question.order {
        Order::Score => (FIRST, question.limit.saturating_add(question.offset)),
        Order::Time => (question.limit.max(RECENT), question.limit.max(RECENT)),
    };
    let phrases = phrases(question.text, question.weights.stop_words);
    let mut ranked = search.rank(&phrases, first)?;
    // What is passed may be on this page, and what passes it behind it.
    let wanted = if classify.some_pass { wanted.max(FIRST) } else { wanted };
    let mut found = search.distinct(&mut ranked, wanted)?;
    match question.order {
        Order::Score => {
            let first = FIRST.min(found.len());
            add_gains(&mut found[..first]);
        }
        Order::Time => found.sort_by(|a, b| b.day.cmp(&a.day)),
    }
    let words = WantedTerms::of(&phrases, &ranked.known);
    let page = found.into_iter().skip(question.offset).take(question.limit);
    let hits = page.map(|SearchCandidate { mut hit, body, .. }| {
        (hit.snippet, hit.matches) = snippet(&body, &words);
        hit
    });
    Ok(hits.collect())
}

struct Search<'a> {
    connection: &'a Connection,
    question: &'a Question<'a>,
    classify: &'a Classify<'a>,
}

/// The documents that will be read, the best first, with how many of them were told.
struct LookAhead {
    order: Vec<i64>,
    places: HashMap<i64, usize>,
    told: usize,
    next: usize,
}

impl LookAhead {
    fn of(scored: &Scores, enough: usize) -> Self {
        let mut scored = scored.clone();
        scored.sort_by(|(a, one), (b, other)| other.total_cmp(one).then(a.cmp(b)));
        let order: Vec<i64> = scored.into_iter().map(|(document, _)| document).collect();
        let places = order.iter().copied().zip(0..).collect();
        Self { order, places, told: 0, next: enough.min(FIRST) }
    }

    /// Tells the notes of the documents up to some, and of a few behind them: twice as many each time, as most questions
    /// end soon, and those that leave much out read on.
    fn tell_up_to(&mut self, documents: &[i64], search: &Search<'_>) -> rusqlite::Result<()> {
        let last = documents.iter().filter_map(|document| self.places.get(document)).max().copied();
        let Some(place) = last.filter(|place| *place >= self.told) else { return Ok(()) };
        let end = (place + 1).max(self.told + self.next).min(self.order.len());
        let sql = "SELECT note FROM documents WHERE id = ?1";
        let mut statement = search.connection.prepare_cached(sql)?;
        let notes = self.order[self.told..end].iter();
        let notes = notes.map(|document| statement.query_row([document], |row| row.get(0)));
        (search.classify.ahead)(&notes.collect::<rusqlite::Result<Vec<String>>>()?);
        (self.told, self.next) = (end, self.next * 2);
        Ok(())
    }
}

struct RankedDocuments {
    /// Without what they lose, but for the archive.
    scored: Scores,
    /// What the words count, and how close together they stand.
    gains: HashMap<i64, Gain>,
    /// What of the question stands anywhere.
    known: Vec<KnownPhrase>,
    /// Asks for the others, which hold less of the question.
    rest: Option<String>,
}

#[derive(Clone, Copy)]
struct Gain {
    words: f64,
    near: f64,
}

impl Search<'_> {
    fn rank(&self, phrases: &[Phrase], enough: usize) -> rusqlite::Result<RankedDocuments> {
        let finder = Finder::new(self.connection, self.question)?;
        let known = finder.look_up(phrases)?;
        let (mut scored, rest) = match self.question.raw {
            true => {
                let expression = in_terms(self.question.text);
                (ask(self.connection, self.question, &expression, None)?, None)
            }
            false => finder.by_words(&known, enough)?,
        };
        let near = if self.question.raw { HashMap::new() } else { finder.near(&known)? };
        let mut gains = HashMap::with_capacity(scored.len());
        for (document, score) in &mut scored {
            let near = self.question.weights.near * near.get(document).copied().unwrap_or_default();
            gains.insert(*document, Gain { words: *score, near });
            let is_archived = finder.archived.binary_search(document).is_ok();
            *score = (*score + near)
                * if is_archived { 1.0 - self.question.weights.archived } else { 1.0 };
        }
        Ok(RankedDocuments { scored, gains, known, rest })
    }

    /// Scores the documents that hold less of the question than those before, none of them better than these.
    fn rest(&self, ranked: &mut RankedDocuments, least: f64) -> rusqlite::Result<Scores> {
        let Some(expression) = ranked.rest.take() else { return Ok(Vec::new()) };
        let mut scored = ask(self.connection, self.question, &expression, None)?;
        scored.retain(|(document, _)| !ranked.gains.contains_key(document));
        let best = scored.iter().map(|(_, score)| *score).fold(0.0, f64::max);
        let share = if best > least { least / best } else { 1.0 };
        scored.iter_mut().for_each(|(_, score)| *score *= share);
        let gain = |(document, words): &(i64, f64)| (*document, Gain { words: *words, near: 0.0 });
        ranked.gains.extend(scored.iter().map(gain));
        Ok(scored)
    }

    /// Sorts by score, then by path and line; keeps the first of what says the same, until there are enough.
    ///
    /// A document that loses something once it is read comes up again with what is left. So what is left out is worse than
    /// what is shown, and little more is read than that.
    fn distinct(
        &self,
        ranked: &mut RankedDocuments,
        enough: usize,
    ) -> rusqlite::Result<Vec<SearchCandidate>> {
        let mut queue = ScoreQueue::of(&ranked.scored);
        let mut ahead = LookAhead::of(&ranked.scored, enough);
        let mut kept = DistinctCandidates::default();
        let mut least = f64::INFINITY;
        loop {
            let Some((score, equals)) = queue.next() else {
                let rest = self.rest(ranked, least)?;
                if rest.is_empty() {
                    return Ok(kept.candidates);
                }
                queue = ScoreQueue::of(&rest);
                ahead = LookAhead::of(&rest, enough);
                continue;
            };
            least = score;
            ahead.tell_up_to(&equals, self)?;
            for document in self.by_place(&equals)? {
                if kept.candidates.len() >= enough {
                    return Ok(kept.candidates);
                }
                if kept.seen.contains(&document) {
                    continue;
                }
                let Some(mut found) = self.read(document, ranked.gains[&document])? else {
                    continue;
                };
                if found.hit.score < score {
                    queue.add(document, found.hit.score);
                    continue;
                }
                let places = (document, found.standing.successors.as_slice());
                let successor = last_successor(self.connection, self.classify, places)?;
                if let Some((number, successor)) = successor {
                    let before = self.successor((number, found.hit.score), ranked, &kept)?;
                    before.into_iter().for_each(|it| kept.add(number, it, self.question.order));
                    found.hit.successor = Some(successor);
                }
                kept.add(document, found, self.question.order);
            }
        }
    }

    /// Reads what came in the place of a document with a score, unless it is among the answers: it comes first, also where it
    /// holds none of the words. A question that is narrowed gets only what fits.
    fn successor(
        &self,
        (document, score): (i64, f64),
        ranked: &RankedDocuments,
        kept: &DistinctCandidates,
    ) -> rusqlite::Result<Option<SearchCandidate>> {
        let gain = match ranked.gains.get(&document) {
            _ if kept.seen.contains(&document) => return Ok(None),
            Some(gain) => *gain,
            None if self.question.is_narrowed() => return Ok(None),
            None => Gain { words: 0.0, near: 0.0 },
        };
        let Some(mut found) = self.read(document, gain)? else { return Ok(None) };
        if found.hit.archived && !self.question.include_archived {
            return Ok(None);
        }
        found.hit.raise_to(score, "successor");
        Ok(Some(found))
    }

    fn by_place(&self, equals: &[i64]) -> rusqlite::Result<Vec<i64>> {
        if let [only] = equals {
            return Ok(vec![*only]);
        }
        let sql = "SELECT path, line, note FROM documents JOIN files ON files.id = documents.file
            WHERE documents.id = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut places: Vec<(Reverse<u8>, String, usize, i64)> = Vec::with_capacity(equals.len());
        for document in equals {
            let place = |row: &Row<'_>| {
                let path: String = row.get(0)?;
                let trust = (self.classify.trust)(&path, row.get_ref(2)?.as_str()?);
                Ok((Reverse(trust), path, number(row, 1)?, *document))
            };
            places.push(statement.query_row([document], place)?);
        }
        places.sort_unstable();
        Ok(places.into_iter().map(|(_, _, _, document)| document).collect())
    }

    /// Reads a document; nothing if its system leaves it out.
    fn read(&self, document: i64, gain: Gain) -> rusqlite::Result<Option<SearchCandidate>> {
        let question = self.question;
        let day = day_of_document(question.zone.seconds_ahead(question.now));
        let sql = format!(
            "SELECT path, line, name, titles, documents.hash, kind, archived, modified, note, body,
              day, {day}
            FROM documents JOIN files ON files.id = documents.file
              JOIN bodies ON bodies.id = documents.id
            WHERE documents.id = ?1"
        );
        self.connection.prepare_cached(&sql)?.query_row([document], |row| {
            let kept = KeptDocument { file: row.get(0)?, name: row.get(2)?, note: row.get(8)? };
            let Some(standing) = (self.classify.standing)(&kept) else { return Ok(None) };
            let titles = row.get_ref(3)?.as_str()?;
            let own = titles.rsplit(TITLE_JOINT).next().unwrap_or_default();
            let titles = titles.split(TITLE_JOINT).filter(|title| !title.is_empty());
            let (archived, body): (bool, String) = (row.get(6)?, row.get(9)?);
            let duplicate_key = duplicate_key(own, &body);
            let parts = self.parts(gain, archived, &body, &standing);
            let hit = SearchHit {
                file: kept.file,
                name: kept.name,
                titles: titles.map(str::to_owned).collect(),
                line: number(row, 1)?,
                score: parts.iter().map(|(_, value)| value).sum(),
                parts,
                snippet: String::new(),
                matches: Vec::new(),
                hash: row.get(4)?,
                kind: row.get(5)?,
                archived,
                day: row.get(10)?,
                modified: row.get::<_, i64>(7)?.div_euclid(NANOSECONDS),
                gains: standing.gain.is_some(),
                note: kept.note,
                successor: None,
                duplicates: Vec::new(),
            };
            let day = row.get(11)?;
            Ok(Some(SearchCandidate { hit, day, body, duplicate_key, standing }))
        })
    }

    fn parts(&self, gain: Gain, archived: bool, body: &str, standing: &Standing) -> Vec<ScorePart> {
        let mut parts = vec![("words", gain.words)];
        parts.extend((gain.near > 0.0).then_some(("near", gain.near)));
        let weights = self.question.weights;
        let archived = archived.then_some(("archived", weights.archived));
        let empty = is_empty(body).then_some(("empty", weights.empty));
        // The archive comes first, as it is known before the document is read.
        take_off(&mut parts, [archived, empty, standing.loss].into_iter().flatten());
        parts
    }
}
