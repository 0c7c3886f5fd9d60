//! Finds sections that may answer a question, each way of finding them with scores of its own.

use std::collections::HashMap;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::database::number;
use super::flaws::ARCHIVED;
use super::forms::{irregular_from, stem, with_bases};
use super::query::{Filter, Query};
use super::rank::{Scores, keep_best, leave_out_worst};
use super::words::{begins_pairs, keep_first_by_key, words};

/// Words to look for in a row, most often one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Phrase {
    pub(super) text: String,
    /// The sections that hold it, by number.
    pub(super) sections: Vec<i64>,
    /// How telling it is, as the database reckons.
    pub(super) weight: f64,
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

/// A word of a question, or some that stand in a row, as those of `refresh_token` do.
#[derive(Debug)]
pub(super) struct Term {
    pub(super) words: Vec<String>,
    pub(super) stems: Vec<String>,
    /// Whether the last word may go on.
    pub(super) is_beginning: bool,
    /// How telling it is.
    pub(super) weight: f64,
}

impl Term {
    pub(super) fn of(text: &str, weight: f64) -> Self {
        let (words, stems) =
            words(text).map(|word| (text[word.clone()].to_owned(), stem(&text[word]))).unzip();
        Self { words, stems, is_beginning: false, weight }
    }
}

impl Phrase {
    /// Tells whether it is several words that stand in a row.
    fn is_row(&self) -> bool {
        self.text.trim_matches(['"', ' ', '*']).contains(' ')
    }

    /// Returns the word, or the words that stand in a row.
    pub(super) fn term(&self) -> Term {
        let text = self.text.trim_matches(['"', ' ', '*']);
        // A character of a script without blanks begins a pair, and no word.
        let is_beginning = self.text.ends_with('*') && !begins_pairs(text);
        Term { is_beginning, ..Term::of(text, self.weight) }
    }
}

/// Returns how many sections there are, whatever numbers they have.
pub(super) fn count_sections(connection: &Connection) -> rusqlite::Result<usize> {
    connection.prepare_cached("SELECT sections FROM settings")?.query_row([], |row| number(row, 0))
}

/// Looks for a question's words in one view of the database.
pub(super) struct Finder<'a> {
    connection: &'a Connection,
    query: &'a Query<'a>,
    /// How many sections there are.
    pub(super) total: usize,
    /// The archived sections in order.
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
    pub(super) fn look_up(
        &self,
        phrases: &[String],
        unfinished: &[String],
    ) -> rusqlite::Result<Vec<Phrase>> {
        let mut found = Vec::with_capacity(phrases.len());
        for phrase in phrases {
            let beginning = if begins_pairs(phrase) { " *" } else { "" };
            let mut known = self.phrase(format!("\"{}\"{beginning}", with_bases(phrase)))?;
            if unfinished.contains(phrase) && !self.is_asked_for(known.as_ref())? {
                known = self.phrase(format!("\"{}\" *", without_last_y(phrase)))?;
                if !self.is_asked_for(known.as_ref())? {
                    for word in completions(phrase) {
                        found.extend(self.phrase(format!("\"{}\"", with_bases(&word)))?);
                    }
                }
            }
            found.extend(known);
        }
        keep_first_by_key(&mut found, MOST_PHRASES, |phrase| phrase.sections.len());
        Ok(found)
    }

    /// Looks up which sections hold a phrase, without the archive where it is left out.
    fn phrase(&self, text: String) -> rusqlite::Result<Option<Phrase>> {
        let sql = "SELECT rowid FROM words WHERE words MATCH ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let sections = statement.query_map([&text], |row| row.get(0))?;
        let mut sections: Vec<i64> = sections.collect::<rusqlite::Result<_>>()?;
        let (count, total) = (sections.len() as f64, self.total as f64);
        let weight = ((total - count + 0.5) / (count + 0.5)).max(1.0).ln().max(LEAST_WEIGHT);
        if !self.query.include_archived {
            let mut left_out = self.archived.iter().peekable();
            sections.retain(|section| {
                while left_out.next_if(|other| *other < section).is_some() {}
                left_out.next_if_eq(&section).is_none()
            });
        }
        Ok((!sections.is_empty()).then_some(Phrase { text, sections, weight }))
    }

    /// Scores sections in which two words stand close together that stand side by side in the question; a pair that few
    /// sections hold so tells more. A word that most sections hold stands close to anything.
    pub(super) fn near(&self, phrases: &[Phrase]) -> rusqlite::Result<HashMap<i64, f64>> {
        let sql = "SELECT rowid FROM words WHERE words MATCH ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let words = phrases.iter().filter(|phrase| !phrase.is_row());
        let words: Vec<&Phrase> = words.collect();
        let mut sums: HashMap<i64, f64> = HashMap::new();
        for pair in words.windows(2) {
            if pair.iter().any(|word| word.weight <= LEAST_WEIGHT) {
                continue;
            }
            let expression = format!("NEAR({} {}, {TOGETHER})", pair[0].text, pair[1].text);
            let found = statement.query_map([expression], |row| row.get(0))?;
            let found: Vec<i64> = found.collect::<rusqlite::Result<_>>()?;
            let worth = ((self.total as f64 + 1.0) / (found.len() as f64 + 0.5)).ln();
            for section in found {
                *sums.entry(section).or_default() += worth;
            }
        }
        Ok(sums)
    }

    /// Tells whether a section holds the phrase that nothing leaves out but its freshness, which only its text tells.
    fn is_asked_for(&self, phrase: Option<&Phrase>) -> rusqlite::Result<bool> {
        let Some(phrase) = phrase.filter(|_| self.query.is_narrowed()) else {
            return Ok(phrase.is_some());
        };
        let Filter { sql, values } = Filter::of(self.query, "words.rowid");
        let sql = format!("SELECT EXISTS (SELECT 1 FROM words WHERE words MATCH ?1{sql})");
        let values = [Value::Text(phrase.text.clone())].into_iter().chain(values);
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
        phrases: &[Phrase],
        enough: usize,
    ) -> rusqlite::Result<(Scores, Option<String>)> {
        let expression =
            phrases.iter().map(|phrase| phrase.text.as_str()).collect::<Vec<_>>().join(" OR ");
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

/// Takes off the `y` in whose place the database has an `i`, of a word that tells something without it.
fn without_last_y(word: &str) -> &str {
    word.strip_suffix('y').filter(|rest| rest.chars().nth(3).is_some()).unwrap_or(word)
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
fn sums_of_weights(phrases: &[Phrase], archived: &[i64]) -> Scores {
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

/// Finds sections by an expression of the database's own.
pub(super) fn by_expression(
    connection: &Connection,
    query: &Query<'_>,
) -> rusqlite::Result<Scores> {
    ask(connection, query, &with_bases(query.text), None)
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
