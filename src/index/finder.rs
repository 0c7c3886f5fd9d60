//! Finds documents that may answer a question, each way of finding them with scores of its own.

use std::collections::HashMap;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::completions::completions;
use super::database::number;
use super::filter::Filter;
use super::forms::stem;
use super::phrases::{Phrase, keep_first_by_key};
use super::question::Question;
use super::ranking::{Scores, keep_best, leave_out_worst};

/// A phrase of a question that stands somewhere.
#[derive(Debug)]
pub(super) struct KnownPhrase {
    /// They stand in a row; most often it is one.
    pub(super) terms: Vec<String>,
    /// Whether the last term may be unfinished.
    pub(super) is_beginning: bool,
    documents: Vec<i64>,
    /// How telling it is, as the database reckons.
    pub(super) weight: f64,
}

impl KnownPhrase {
    pub(super) fn new(terms: Vec<String>, is_beginning: bool, weight: f64) -> Self {
        Self { terms, is_beginning, documents: Vec::new(), weight }
    }

    fn expression(&self) -> String {
        let star = if self.is_beginning { " *" } else { "" };
        format!("\"{}\"{star}", self.terms.join(" "))
    }
}

/// How telling the database takes a word to be that stands in most documents.
const LEAST_WEIGHT: f64 = 1e-6;

/// A question of more words that are known asks for nothing more precise.
const MOST_PHRASES: usize = 64;

/// So many documents are scored at least, if there are as many. With 200 or 400 no question of `docs/search.md` is
/// answered better.
const SCORED: usize = 100;

/// Words between two that still stand together.
const TOGETHER: usize = 5;

pub(super) fn count_documents(connection: &Connection) -> rusqlite::Result<usize> {
    connection.prepare_cached("SELECT count(*) FROM documents")?.query_row([], |row| number(row, 0))
}

/// Looks for a question's words in one view of the database.
pub(super) struct Finder<'a> {
    connection: &'a Connection,
    question: &'a Question<'a>,
    pub(super) total: usize,
    pub(super) archived: Vec<i64>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(
        connection: &'a Connection,
        question: &'a Question<'a>,
    ) -> rusqlite::Result<Self> {
        let total = count_documents(connection)?;
        let sql = "SELECT id FROM documents WHERE archived ORDER BY id";
        let mut archived = connection.prepare_cached(sql)?;
        let archived =
            archived.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        Ok(Self { connection, question, total, archived })
    }

    /// Looks up which documents hold each phrase; those that none holds are left out, and of very many all but the
    /// rarest. An unfinished one is a beginning where nothing that is asked for holds it as it stands.
    pub(super) fn look_up(&self, phrases: &[Phrase]) -> rusqlite::Result<Vec<KnownPhrase>> {
        let mut found = Vec::with_capacity(phrases.len());
        for phrase in phrases {
            let mut known = self.known(phrase.terms.clone(), phrase.begins_pairs())?;
            if phrase.is_unfinished && !self.is_asked_for(known.as_ref())? {
                // What is written so far has no ending that could be taken off.
                let row = phrase.typed.split(' ').map(str::to_owned).collect();
                known = self.known(row, true)?;
                if !self.is_asked_for(known.as_ref())? {
                    for word in completions(&phrase.typed) {
                        found.extend(self.known(vec![stem(&word)], false)?);
                    }
                }
            }
            found.extend(known);
        }
        keep_first_by_key(&mut found, MOST_PHRASES, |known| known.documents.len());
        Ok(found)
    }

    /// Looks up which documents hold some terms, without the archive where it is left out.
    fn known(
        &self,
        terms: Vec<String>,
        is_beginning: bool,
    ) -> rusqlite::Result<Option<KnownPhrase>> {
        let known = KnownPhrase::new(terms, is_beginning, 0.0);
        let mut documents = self.holding(&known.expression())?;
        let (count, total) = (documents.len() as f64, self.total as f64);
        let weight = ((total - count + 0.5) / (count + 0.5)).max(1.0).ln().max(LEAST_WEIGHT);
        if !self.question.include_archived {
            let mut left_out = self.archived.iter().peekable();
            documents.retain(|document| {
                while left_out.next_if(|other| *other < document).is_some() {}
                left_out.next_if_eq(&document).is_none()
            });
        }
        Ok((!documents.is_empty()).then_some(KnownPhrase { documents, weight, ..known }))
    }

    fn holding(&self, expression: &str) -> rusqlite::Result<Vec<i64>> {
        let sql = "SELECT rowid FROM words WHERE words MATCH ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        statement.query_map([expression], |row| row.get(0))?.collect()
    }

    /// Scores documents in which two words stand close together that stand side by side in the question; a pair that few
    /// documents hold so tells more. A word that most documents hold stands close to anything.
    pub(super) fn near(&self, known: &[KnownPhrase]) -> rusqlite::Result<HashMap<i64, f64>> {
        let words: Vec<&KnownPhrase> =
            known.iter().filter(|known| known.terms.len() == 1).collect();
        let mut sums: HashMap<i64, f64> = HashMap::new();
        for pair in words.windows(2) {
            if pair.iter().any(|word| word.weight <= LEAST_WEIGHT) {
                continue;
            }
            let [one, other] = [pair[0].expression(), pair[1].expression()];
            let found = self.holding(&format!("NEAR({one} {other}, {TOGETHER})"))?;
            let worth = ((self.total as f64 + 1.0) / (found.len() as f64 + 0.5)).ln();
            for document in found {
                *sums.entry(document).or_default() += worth;
            }
        }
        Ok(sums)
    }

    /// Tells whether any document that the question asks for holds the phrase; freshness is not checked here.
    fn is_asked_for(&self, known: Option<&KnownPhrase>) -> rusqlite::Result<bool> {
        let Some(known) = known.filter(|_| self.question.is_narrowed()) else {
            return Ok(known.is_some());
        };
        let Filter { sql, values } = Filter::of(self.question, "words.rowid");
        let sql = format!("SELECT EXISTS (SELECT 1 FROM words WHERE words MATCH ?1{sql})");
        let values = [Value::Text(known.expression())].into_iter().chain(values);
        let mut statement = self.connection.prepare_cached(&sql)?;
        statement.query_row(params_from_iter(values), |row| row.get(0))
    }

    /// Finds documents that hold any of the phrases, and scores them by how telling these are.
    ///
    /// Nearly all of the time goes into scoring. So only those are scored that hold most, by the sum of how
    /// telling their words are; of many that hold as much as one another either all are scored or, where enough
    /// hold more, none. Says how to ask for the rest, where there is any.
    pub(super) fn by_words(
        &self,
        phrases: &[KnownPhrase],
        enough: usize,
    ) -> rusqlite::Result<(Scores, Option<String>)> {
        let expression =
            phrases.iter().map(KnownPhrase::expression).collect::<Vec<_>>().join(" OR ");
        let most = enough.saturating_mul(3).max(SCORED);
        let found: usize = phrases.iter().map(|phrase| phrase.documents.len()).sum();
        if phrases.is_empty() {
            Ok((Vec::new(), None))
        } else if found <= most || self.question.is_narrowed() {
            Ok((ask(self.connection, self.question, &expression, None)?, None))
        } else {
            let mut richest = self.sums_of_weights(phrases);
            keep_best(&mut richest, most);
            if richest.len() > most * 2 {
                leave_out_worst(&mut richest, enough);
            }
            let documents: Vec<String> =
                richest.iter().map(|(document, _)| document.to_string()).collect();
            let among = Some(format!("[{}]", documents.join(",")));
            let scores = ask(self.connection, self.question, &expression, among)?;
            Ok((scores, Some(expression)))
        }
    }

    /// Adds up, for each document that holds any of the phrases, how telling those are that it holds; of an archived one
    /// a share counts.
    fn sums_of_weights(&self, phrases: &[KnownPhrase]) -> Scores {
        let last = phrases.iter().flat_map(|phrase| phrase.documents.last()).max();
        let place = |document: i64| usize::try_from(document).unwrap_or_default();
        let mut sums = vec![0.0_f64; last.map_or(0, |last| place(*last) + 1)];
        for phrase in phrases {
            for document in &phrase.documents {
                sums[place(*document)] += phrase.weight;
            }
        }
        let share = 1.0 - self.question.weights.archived;
        for document in &self.archived {
            sums.get_mut(place(*document)).into_iter().for_each(|sum| *sum *= share);
        }
        (0..).zip(sums).filter(|(_, sum)| *sum > 0.0).collect()
    }
}

/// Scores what an expression finds, or those of a list, in JSON, that it finds.
pub(super) fn ask(
    connection: &Connection,
    question: &Question<'_>,
    expression: &str,
    among: Option<String>,
) -> rusqlite::Result<Scores> {
    let mut filter = Filter::of(question, "words.rowid");
    if let Some(documents) = among {
        filter.values = vec![Value::Text(documents)];
        // The plus keeps the list from driving the search, one search for each document.
        filter.sql = " AND +words.rowid IN (SELECT value FROM json_each(?2))".to_owned();
    }
    let weights = question.weights.columns.map(|weight| weight.to_string()).join(", ");
    let sql = format!(
        "SELECT rowid, -bm25(words, {weights}) FROM words WHERE words MATCH ?1{}",
        filter.sql
    );
    let values = [Value::Text(expression.to_owned())].into_iter().chain(filter.values);
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_map(params_from_iter(values), |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}
