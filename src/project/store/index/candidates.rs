//! Finds sections that may answer a question, each way of finding them with scores of its own.

use std::collections::HashMap;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::database::number;
use super::flaws::ARCHIVED;
use super::forms::{irregular_from, stem};
use super::query::{Filter, Query};
use super::rank::{Scores, keep_best, leave_out_worst};
use super::words::{Phrase, keep_first_by_key};

/// A phrase of a question that stands somewhere.
#[derive(Debug)]
pub(super) struct Known {
    /// They stand in a row; most often it is one.
    pub(super) terms: Vec<String>,
    /// Whether the last term may be unfinished.
    pub(super) is_beginning: bool,
    sections: Vec<i64>,
    /// How telling it is, as the database reckons.
    pub(super) weight: f64,
}

impl Known {
    pub(super) fn new(terms: Vec<String>, is_beginning: bool, weight: f64) -> Self {
        Self { terms, is_beginning, sections: Vec::new(), weight }
    }

    fn expression(&self) -> String {
        let star = if self.is_beginning { " *" } else { "" };
        format!("\"{}\"{star}", self.terms.join(" "))
    }
}

/// How telling the database takes a word to be that stands in most sections.
const LEAST_WEIGHT: f64 = 1e-6;

/// A question of more words that are known asks for nothing more precise.
const MOST_PHRASES: usize = 64;

/// So many sections are scored at least, if there are as many. With 200 or 400 no question of `docs/search.md` is
/// answered better.
const SCORED: usize = 100;

/// Words between two that still stand together.
const TOGETHER: usize = 5;

pub(super) fn count_sections(connection: &Connection) -> rusqlite::Result<usize> {
    connection.prepare_cached("SELECT count(*) FROM sections")?.query_row([], |row| number(row, 0))
}

/// Looks for a question's words in one view of the database.
pub(super) struct Finder<'a> {
    connection: &'a Connection,
    query: &'a Query<'a>,
    pub(super) total: usize,
    pub(super) archived: Vec<i64>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(connection: &'a Connection, query: &'a Query<'a>) -> rusqlite::Result<Self> {
        let total = count_sections(connection)?;
        let sql = "SELECT id FROM sections WHERE archived ORDER BY id";
        let mut archived = connection.prepare_cached(sql)?;
        let archived =
            archived.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        Ok(Self { connection, query, total, archived })
    }

    /// Looks up which sections hold each phrase; those that none holds are left out, and of very many all but the
    /// rarest. An unfinished one is a beginning where nothing that is asked for holds it as it stands.
    pub(super) fn look_up(&self, phrases: &[Phrase]) -> rusqlite::Result<Vec<Known>> {
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
        keep_first_by_key(&mut found, MOST_PHRASES, |known| known.sections.len());
        Ok(found)
    }

    /// Looks up which sections hold some terms, without the archive where it is left out.
    fn known(&self, terms: Vec<String>, is_beginning: bool) -> rusqlite::Result<Option<Known>> {
        let known = Known::new(terms, is_beginning, 0.0);
        let mut sections = self.holding(&known.expression())?;
        let (count, total) = (sections.len() as f64, self.total as f64);
        let weight = ((total - count + 0.5) / (count + 0.5)).max(1.0).ln().max(LEAST_WEIGHT);
        if !self.query.include_archived {
            let mut left_out = self.archived.iter().peekable();
            sections.retain(|section| {
                while left_out.next_if(|other| *other < section).is_some() {}
                left_out.next_if_eq(&section).is_none()
            });
        }
        Ok((!sections.is_empty()).then_some(Known { sections, weight, ..known }))
    }

    fn holding(&self, expression: &str) -> rusqlite::Result<Vec<i64>> {
        let sql = "SELECT rowid FROM words WHERE words MATCH ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        statement.query_map([expression], |row| row.get(0))?.collect()
    }

    /// Scores sections in which two words stand close together that stand side by side in the question; a pair that few
    /// sections hold so tells more. A word that most sections hold stands close to anything.
    pub(super) fn near(&self, known: &[Known]) -> rusqlite::Result<HashMap<i64, f64>> {
        let words: Vec<&Known> = known.iter().filter(|known| known.terms.len() == 1).collect();
        let mut sums: HashMap<i64, f64> = HashMap::new();
        for pair in words.windows(2) {
            if pair.iter().any(|word| word.weight <= LEAST_WEIGHT) {
                continue;
            }
            let [one, other] = [pair[0].expression(), pair[1].expression()];
            let found = self.holding(&format!("NEAR({one} {other}, {TOGETHER})"))?;
            let worth = ((self.total as f64 + 1.0) / (found.len() as f64 + 0.5)).ln();
            for section in found {
                *sums.entry(section).or_default() += worth;
            }
        }
        Ok(sums)
    }

    /// Tells whether any section that the question asks for holds the phrase; freshness is not checked here.
    fn is_asked_for(&self, known: Option<&Known>) -> rusqlite::Result<bool> {
        let Some(known) = known.filter(|_| self.query.is_narrowed()) else {
            return Ok(known.is_some());
        };
        let Filter { sql, values } = Filter::of(self.query, "words.rowid");
        let sql = format!("SELECT EXISTS (SELECT 1 FROM words WHERE words MATCH ?1{sql})");
        let values = [Value::Text(known.expression())].into_iter().chain(values);
        let mut statement = self.connection.prepare_cached(&sql)?;
        statement.query_row(params_from_iter(values), |row| row.get(0))
    }

    /// Finds sections that hold any of the phrases, and scores them by how telling these are.
    ///
    /// Nearly all of the time goes into scoring. So only those are scored that hold most, by the sum of how
    /// telling their words are; of many that hold as much as one another either all are scored or, where enough
    /// hold more, none. Says how to ask for the rest, where there is any.
    pub(super) fn by_words(
        &self,
        phrases: &[Known],
        enough: usize,
    ) -> rusqlite::Result<(Scores, Option<String>)> {
        let expression = phrases.iter().map(Known::expression).collect::<Vec<_>>().join(" OR ");
        let most = enough.saturating_mul(3).max(SCORED);
        let found: usize = phrases.iter().map(|phrase| phrase.sections.len()).sum();
        if phrases.is_empty() {
            Ok((Vec::new(), None))
        } else if found <= most || self.query.is_narrowed() {
            Ok((ask(self.connection, self.query, &expression, None)?, None))
        } else {
            let mut richest = sums_of_weights(phrases, &self.archived);
            keep_best(&mut richest, most);
            if richest.len() > most * 2 {
                leave_out_worst(&mut richest, enough);
            }
            let sections: Vec<String> =
                richest.iter().map(|(section, _)| section.to_string()).collect();
            let among = Some(format!("[{}]", sections.join(",")));
            let scores = ask(self.connection, self.query, &expression, among)?;
            Ok((scores, Some(expression)))
        }
    }
}

/// Returns words that an unfinished one may become with an ending, of which a part stands there already: the
/// database keeps them without it, and so with less than what stands there. One word of each stem.
fn completions(word: &str) -> Vec<String> {
    const ENDINGS: &str = "ability able al alities ality alize ally ance ancies ancy ant ate ation \
        ative ator ed ement ence encies ency ent ently er ful fulness ibility ible ical ication \
        icity ing ion ional ism ities ity ive iveness ivity ization ize ly ment ness ous ously \
        ousness";
    const SHORTEST: usize = 2;
    let mut found: Vec<String> = Vec::new();
    let mut stems: Vec<String> = Vec::new();
    let cuts = word.char_indices().map(|(at, _)| at).skip(SHORTEST);
    let ended = cuts.chain([word.len()]).flat_map(|at| {
        let (stump, begun) = word.split_at(at);
        // Where none has begun there may be one letter twice, as in `committ`.
        let begun = if begun.is_empty() { "ing" } else { begun };
        let endings = ENDINGS.split(' ').filter(move |ending| ending.starts_with(begun));
        endings.map(move |ending| format!("{stump}{ending}"))
    });
    for whole in irregular_from(word).map(str::to_owned).chain(ended) {
        let stem = stem(&whole);
        if !stems.contains(&stem) {
            stems.push(stem);
            found.push(whole);
        }
    }
    found
}

/// Adds up, for each section that holds any of the phrases, how telling those are that it holds; of an archived one a
/// share counts.
fn sums_of_weights(phrases: &[Known], archived: &[i64]) -> Scores {
    let last = phrases.iter().flat_map(|phrase| phrase.sections.last()).max();
    let place = |section: i64| usize::try_from(section).unwrap_or_default();
    let mut sums = vec![0.0_f64; last.map_or(0, |last| place(*last) + 1)];
    for phrase in phrases {
        for section in &phrase.sections {
            sums[place(*section)] += phrase.weight;
        }
    }
    for section in archived {
        sums.get_mut(place(*section)).into_iter().for_each(|sum| *sum *= 1.0 - ARCHIVED);
    }
    (0..).zip(sums).filter(|(_, sum)| *sum > 0.0).collect()
}

/// Scores what an expression finds, or those of a list, in JSON, that it finds.
pub(super) fn ask(
    connection: &Connection,
    query: &Query<'_>,
    expression: &str,
    among: Option<String>,
) -> rusqlite::Result<Scores> {
    let mut filter = Filter::of(query, "words.rowid");
    if let Some(sections) = among {
        filter.values = vec![Value::Text(sections)];
        // The plus keeps the list from driving the search, one search for each section.
        filter.sql = " AND +words.rowid IN (SELECT value FROM json_each(?2))".to_owned();
    }
    let weights = query.weights.columns.map(|weight| weight.to_string()).join(", ");
    let sql = format!(
        "SELECT rowid, -bm25(words, {weights}) FROM words WHERE words MATCH ?1{}",
        filter.sql
    );
    let values = [Value::Text(expression.to_owned())].into_iter().chain(filter.values);
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_map(params_from_iter(values), |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_word_may_end_within_an_ending() {
        for (word, whole) in [
            ("performan", "performance"),
            ("securit", "security"),
            ("deploym", "deployment"),
            ("responsib", "responsible"),
            ("responsibil", "responsibilities"),
            ("usef", "useful"),
            ("usefuln", "usefulness"),
            ("happine", "happiness"),
            ("authentica", "authentication"),
            ("configurab", "configurable"),
            ("committi", "committing"),
            ("applicati", "application"),
            ("organiza", "organization"),
            ("dependenc", "dependencies"),
            ("effectivel", "effectively"),
            ("electrici", "electricity"),
        ] {
            let all = completions(word);
            assert!(all.iter().any(|known| stem(known) == stem(whole)), "{word}: {all:?}");
            assert!(all.len() < 32, "{word}: {all:?}");
        }
    }
}
