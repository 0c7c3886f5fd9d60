//! Words of memories: which memories hold the words of a question, and how much of it.

use std::collections::{HashMap, HashSet};

use rusqlite::{OptionalExtension, params};
use serde_json::{Map, Value};

use super::neighbors::Beside;
use super::view::TenantView;
use crate::error::Result;
use crate::index::{Phrase, parts, phrases, terms};
use crate::service::recall::{Passage, SoughtWord, keyword_scores, metadata_terms, weight_of};
use crate::service::request::SaidMemory;

/// A memory that holds words of a question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WordHit {
    pub(crate) row: i64,
    /// How much of the question it holds: about 1 for all of it.
    pub(crate) score: f64,
}

/// How many memories are read and scored: those that hold the most telling words, and what stands beside them. With
/// ten times as many no question of LoCoMo is answered better.
const SCORED: usize = 50;

/// A word that more memories hold adds no candidates where rarer words have found enough: to list them would take most of
/// the time.
const COMMON: usize = 2_000;

/// A phrase of a question, with the memories that hold it.
struct HeldPhrase {
    word: SoughtWord,
    rows: Vec<i64>,
}

impl TenantView<'_> {
    pub(super) fn insert_words(&self, row: i64, said: &SaidMemory) -> Result<()> {
        let sql = format!("INSERT INTO {}(rowid, words) VALUES (?1, ?2)", self.words());
        let names = names(&said.content, &said.tags, &said.metadata);
        let words = format!("{} {names}", terms(&said.content));
        self.connection.prepare_cached(&sql)?.execute(params![row, words])?;
        Ok(())
    }

    pub(super) fn delete_words(&self, row: i64) -> Result<()> {
        let sql = format!("DELETE FROM {} WHERE rowid = ?1", self.words());
        self.connection.prepare_cached(&sql)?.execute([row])?;
        Ok(())
    }

    /// Rewrites the index without deleted memories: before that their words stay in the file.
    pub(crate) fn purge_words(&self) -> Result<()> {
        let sql = format!("INSERT INTO {0}({0}) VALUES ('optimize')", self.words());
        Ok(self.connection.execute_batch(&sql)?)
    }

    /// Finds the memories that hold most of a question, best first; `among` narrows them.
    pub(crate) fn word_hits(
        &self,
        question: &str,
        among: Option<&HashSet<i64>>,
        wanted: usize,
    ) -> Result<Vec<WordHit>> {
        let known = self.held_phrases(question, among)?;
        let mut around = self.beside(&richest(&known, wanted.max(SCORED)))?;
        around.retain(|row, _| among.is_none_or(|among| among.contains(row)));
        let mut reader = PassageReader { view: self, contents: HashMap::new() };
        let (mut read, mut passages) = (Vec::new(), Vec::new());
        for (row, beside) in &around {
            if let Some(passage) = reader.passage(*row, beside)? {
                read.push(*row);
                passages.push(passage);
            }
        }
        let words: Vec<SoughtWord> = known.into_iter().map(|phrase| phrase.word).collect();
        let scores = keyword_scores(&words, &passages).into_iter();
        let mut hits: Vec<WordHit> =
            read.into_iter().zip(scores).map(|(row, score)| WordHit { row, score }).collect();
        hits.retain(|hit| hit.score > 0.0);
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.row.cmp(&a.row)));
        hits.truncate(wanted);
        Ok(hits)
    }

    /// Looks up which memories hold the phrases of a question, from the rarest phrase on.
    fn held_phrases(
        &self,
        question: &str,
        among: Option<&HashSet<i64>>,
    ) -> Result<Vec<HeldPhrase>> {
        let total = self.count()?;
        let mut counted = Vec::new();
        for phrase in phrases(question, true) {
            counted.push((self.count_of(&phrase)?, phrase));
        }
        counted.sort_by_key(|(count, _)| *count);
        let (mut held, mut found) = (Vec::with_capacity(counted.len()), HashSet::new());
        for (count, phrase) in counted {
            let is_enough = count > COMMON && found.len() >= SCORED;
            let mut rows = if is_enough { Vec::new() } else { self.rows_of(&phrase)? };
            rows.retain(|row| among.is_none_or(|among| among.contains(row)));
            found.extend(rows.iter().take(SCORED).copied());
            let weight = weight_of(count, total);
            held.push(HeldPhrase { word: SoughtWord { terms: phrase.terms, weight }, rows });
        }
        Ok(held)
    }

    /// Returns how many memories hold a phrase; of several words in a row at most as many as hold the rarest of them.
    fn count_of(&self, phrase: &Phrase) -> Result<usize> {
        if phrase.begins_pairs() {
            return Ok(self.rows_of(phrase)?.len());
        }
        let sql = format!("SELECT doc FROM {}_counts WHERE term = ?1", self.words());
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut least = usize::MAX;
        for term in &phrase.terms {
            let count = statement.query_row([term], |row| row.get(0)).optional()?;
            least = least.min(count.unwrap_or(0));
        }
        Ok(least)
    }

    fn rows_of(&self, phrase: &Phrase) -> Result<Vec<i64>> {
        let sql = format!("SELECT rowid FROM {0} WHERE {0} MATCH ?1", self.words());
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map([phrase.expression()], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

/// Returns the memories that hold the most telling phrases; of those that hold the same the last stored.
fn richest(known: &[HeldPhrase], most: usize) -> Vec<i64> {
    let rows = || known.iter().flat_map(|phrase| &phrase.rows);
    let (Some(first), Some(last)) = (rows().min(), rows().max()) else { return Vec::new() };
    // A question may hold words of most memories: a place for each is faster than a map.
    let place = |row: i64| usize::try_from(row - first).unwrap_or_default();
    let mut sums = vec![0.0_f64; place(*last) + 1];
    for phrase in known {
        for row in &phrase.rows {
            sums[place(*row)] += phrase.word.weight;
        }
    }
    let mut richest: Vec<(i64, f64)> = (*first..).zip(sums).filter(|(_, sum)| *sum > 0.0).collect();
    if richest.len() > most {
        richest.select_nth_unstable_by(most - 1, |a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
        richest.truncate(most);
    }
    richest.into_iter().map(|(row, _)| row).collect()
}

/// Returns the terms of what names a memory beside its text.
fn names(content: &str, tags: &[String], metadata: &Map<String, Value>) -> String {
    let (tags, metadata) = (terms(&tags.join(" ")), terms(&metadata_terms(metadata).join(" ")));
    format!("{} {tags} {metadata}", parts(content))
}

/// Reads passages, and each text once.
struct PassageReader<'v, 'c> {
    view: &'v TenantView<'c>,
    /// The terms of contents that were read.
    contents: HashMap<i64, String>,
}

impl PassageReader<'_, '_> {
    fn passage(&mut self, row: i64, beside: &Beside) -> Result<Option<Passage>> {
        let sql = "SELECT content, tags, metadata FROM memories WHERE row = ?1 AND tenant = ?2";
        let mut statement = self.view.connection.prepare_cached(sql)?;
        let read = statement.query_row(params![row, self.view.tenant], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
        });
        let Some((content, tags, metadata)) = read.optional()? else { return Ok(None) };
        let tags: Vec<String> = serde_json::from_str(&tags).unwrap_or_default();
        let names = names(&content, &tags, &serde_json::from_str(&metadata).unwrap_or_default());
        let content = self.contents.entry(row).or_insert_with(|| terms(&content)).clone();
        let Beside { before, behind } = beside;
        let before = before.iter().map(|row| self.content(*row)).collect::<Result<_>>()?;
        let behind = behind.iter().map(|row| self.content(*row)).collect::<Result<_>>()?;
        Ok(Some(Passage { content, names, before, behind }))
    }

    /// Returns the terms of a content.
    fn content(&mut self, row: i64) -> Result<String> {
        if let Some(known) = self.contents.get(&row) {
            return Ok(known.clone());
        }
        let sql = "SELECT content FROM memories WHERE row = ?1";
        let mut statement = self.view.connection.prepare_cached(sql)?;
        let content: String = statement.query_row([row], |row| row.get(0))?;
        Ok(self.contents.entry(row).or_insert_with(|| terms(&content)).clone())
    }
}
