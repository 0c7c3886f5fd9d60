//! A question, what narrows it, and what its signals count.

use rusqlite::types::Value;

use super::drafts::COLUMNS;
use super::patterns;
use super::sources::written_confidence;
use super::words::{terms, words};
use crate::contract::{Confidence, Moment, Stretch};
use crate::error::{Error, ErrorKind, Result};
use crate::project::provenance::Freshness;
use crate::text::excerpt;

/// A question.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// Any text; there is no syntax in it.
    pub text: &'a str,
    /// Whether the text is an expression of FTS5 instead.
    pub raw: bool,
    /// How many sections to return at most.
    pub limit: usize,
    /// How many of the first sections to leave out.
    pub offset: usize,
    /// What comes first.
    pub order: Order,
    /// Only files of this category.
    pub category: Option<&'a str>,
    /// Only files whose path is this, or matches it where it holds `*`, `?`, `[…]` or `{…,…}`.
    pub file: Option<&'a str>,
    /// Only what is of this time, as `Stretch` reads it, or newer; whole days count.
    pub since: Option<&'a str>,
    /// Only what is of this time, or older.
    pub until: Option<&'a str>,
    /// Only what rests on a source of this confidence, among others or not.
    pub confidence: Option<Confidence>,
    /// Only what cites files that are so.
    pub freshness: Option<Freshness>,
    /// Whether archived sections are found too, ranked down.
    pub include_archived: bool,
    /// What it is now, for words such as `yesterday`.
    pub now: Moment,
    /// What each signal counts.
    pub weights: &'a Weights,
}

/// FTS5 takes the square of the words in an expression: with these it answers within half a second.
const LONGEST_EXPRESSION: usize = 16 * 1024;

/// No reader goes on so far, and each answer that is passed over is read.
const MOST_PASSED_OVER: usize = 10_000;

/// What comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// What answers best.
    #[default]
    Score,
    /// The newest of what answers best.
    Time,
}

/// What each signal counts; chosen on questions whose answers are known, see `docs/search.md`.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// Whether words are left out that say nothing about what is asked.
    pub stop_words: bool,
    /// A word in the heading; in the headings above, the names of file and section, the date of a log; in the text; as a part
    /// of an identifier; in a log in the two sections before, in the two behind.
    pub columns: [f64; COLUMNS.len()],
    /// Two words that stand side by side in the question, and close together in the text.
    pub near: f64,
}

impl Weights {
    /// What is used unless somebody measures what a signal is good for.
    pub const STANDARD: Self =
        Self { stop_words: true, columns: [1.0, 0.6, 1.0, 0.2, 0.5, 0.3], near: 0.15 };
}

impl<'a> Query<'a> {
    /// Asks for the ten best answers, with nothing that narrows them.
    pub fn new(text: &'a str, now: Moment) -> Self {
        Self {
            text,
            raw: false,
            limit: 10,
            offset: 0,
            order: Order::Score,
            category: None,
            file: None,
            since: None,
            until: None,
            confidence: None,
            freshness: None,
            include_archived: false,
            now,
            weights: &Weights::STANDARD,
        }
    }

    /// Tells whether anything but the archive is left out.
    pub(super) fn is_narrowed(&self) -> bool {
        let Self { category, file, since, until, confidence, freshness, .. } = self;
        [category, file, since, until].into_iter().any(Option::is_some)
            || confidence.is_some()
            || freshness.is_some()
    }

    pub(super) fn check(&self) -> Result<()> {
        if self.offset > MOST_PASSED_OVER {
            let message = format!("`offset` is {MOST_PASSED_OVER} at most: {}", self.offset);
            let hint = "ask for something narrower";
            return Err(Error::new(ErrorKind::Usage, message).hint(hint));
        }
        if self.raw && self.text.len() > LONGEST_EXPRESSION {
            let message = format!("an expression has at most {LONGEST_EXPRESSION} bytes");
            let hint = "ask for less, or leave out `--raw`";
            return Err(Error::new(ErrorKind::Usage, message).hint(hint));
        }
        for (name, text) in [("since", self.since), ("until", self.until)] {
            let Some(text) = text.filter(|text| Stretch::read(text, self.now).is_none()) else {
                continue;
            };
            let message = format!("`{}` is no time for `--{name}`", excerpt(text));
            return Err(Error::new(ErrorKind::Usage, message).hint(Stretch::ALLOWED));
        }
        Ok(())
    }
}

pub(super) fn misspelt(text: &str, cause: &rusqlite::Error) -> Error {
    let cause = cause.to_string();
    let why = cause.strip_prefix("fts5: ").unwrap_or(&cause).to_owned();
    let message = format!("`{}` is no expression of FTS5: {why}", excerpt(text));
    let hint =
        "write e.g. `token AND rotat*`, `\"two words\"`, `heading : token`; or leave out `--raw`";
    Error::new(ErrorKind::Usage, message).hint(hint)
}

/// Writes an expression of FTS5 with its words as the index has them.
pub(super) fn in_terms(expression: &str) -> String {
    let mut written = String::with_capacity(expression.len());
    let mut copied = 0;
    for place in words(expression) {
        let word = &expression[place.clone()];
        let before = &expression[..place.start];
        let is_in_braces = before.rfind('{') > before.rfind('}');
        let is_before_colon = expression[place.end..].trim_start().starts_with(':');
        let is_column = COLUMNS.contains(&word) && (is_in_braces || is_before_colon);
        if is_column || ["AND", "OR", "NOT", "NEAR"].contains(&word) {
            continue;
        }
        written += &expression[copied..place.start];
        written += &terms(word);
        copied = place.end;
    }
    written + &expression[copied..]
}

/// The day that a section is about, or on which its file was last written.
pub(super) const DAY: &str = "coalesce(day, date(modified / 1000000000, 'unixepoch'))";

#[derive(Debug, Default)]
pub(super) struct Filter {
    /// Begins with `AND`, if there is anything.
    pub(super) sql: String,
    /// For the `?`, which are numbered from 2 on.
    pub(super) values: Vec<Value>,
}

impl Filter {
    /// Narrows the sections whose number is `id`, an expression of SQL.
    pub(super) fn of(query: &Query<'_>, id: &str) -> Self {
        let mut filter = Self::default();
        filter.add("category = ?", query.category);
        filter.add(patterns::FITS, query.file.map(patterns::list).as_deref());
        let limit = |text: Option<&str>| Stretch::read(text?, query.now);
        let since = limit(query.since).map(|time| time.first.date());
        let until = limit(query.until).map(|time| time.last.date());
        filter.add(&format!("{DAY} >= ?"), since.as_deref());
        filter.add(&format!("{DAY} <= ?"), until.as_deref());
        let confidence = query.confidence.map(written_confidence);
        filter.add("instr(sources, ?) > 0", confidence.as_deref());
        if query.freshness.is_some() {
            filter.sql += " AND sources <> ''";
        }
        if !filter.sql.is_empty() {
            // One look-up for each section that holds a word, and not one for each that there is.
            filter.sql = format!(
                " AND EXISTS (SELECT 1 FROM sections JOIN files ON files.id = sections.file
                WHERE sections.id = {id}{})",
                filter.sql
            );
        }
        if !query.include_archived {
            filter.sql += &format!(" AND +{id} NOT IN (SELECT id FROM sections WHERE archived)");
        }
        filter
    }

    fn add(&mut self, condition: &str, value: Option<&str>) {
        let Some(value) = value else { return };
        self.values.push(Value::Text(value.to_owned()));
        let place = format!("?{}", self.values.len() + 1);
        self.sql += &format!(" AND {}", condition.replace('?', &place));
    }
}
