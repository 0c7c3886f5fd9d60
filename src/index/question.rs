//! A question, what narrows it, and what its signals count.

use super::database::COLUMNS;
use super::terms::{terms, words};
use crate::contract::{Moment, Stretch, Zone};
use crate::error::{Error, ErrorKind, Result};
use crate::text::excerpt;

/// A question, and what narrows it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'a> {
    /// Any text; there is no syntax in it.
    pub(crate) text: &'a str,
    /// Whether the text is an expression of FTS5 instead.
    pub(crate) raw: bool,
    /// How many documents to return at most.
    pub(crate) limit: usize,
    /// How many of the first documents to leave out.
    pub(crate) offset: usize,
    pub(crate) order: Order,
    /// Only files of this kind.
    pub(crate) kind: Option<&'a str>,
    /// Only files whose path is this, or matches it where it holds `*`, `?`, `[…]` or `{…,…}`.
    pub(crate) file: Option<&'a str>,
    /// Only what is of this time, as `Stretch` reads it, or newer; whole days count.
    pub(crate) since: Option<&'a str>,
    /// Only what is of this time, or older.
    pub(crate) until: Option<&'a str>,
    /// Only documents with this flag.
    pub(crate) flag: Option<&'a str>,
    /// Whether archived documents are found too, ranked down.
    pub(crate) include_archived: bool,
    /// What it is now, for words such as `yesterday`.
    pub(crate) now: Moment,
    /// The zone in which days begin.
    pub(crate) zone: &'a Zone,
    /// What each signal counts.
    pub(crate) weights: &'a Weights,
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

/// What each signal counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// Whether words are left out that say nothing about what is asked.
    pub stop_words: bool,
    /// A word in the title; in the titles above and the names; in the text; as a part of an identifier; in the
    /// neighbours before, and behind.
    pub columns: [f64; COLUMNS.len()],
    /// Two words that stand side by side in the question, and close together in the text.
    pub near: f64,
    /// The share of its score that an archived document loses.
    pub archived: f64,
    /// The share that a title without text loses: it says nothing, and as short as it is, it would be first.
    pub empty: f64,
    /// The share of its score that a document gains if it rests on what the work has changed.
    pub changed: f64,
}

impl Weights {
    /// Tuned on questions with known answers, see `docs/search.md`.
    pub const TUNED: Self = Self {
        stop_words: true,
        columns: [1.0, 0.6, 1.0, 0.2, 0.5, 0.3],
        near: 0.15,
        archived: 0.5,
        empty: 0.7,
        changed: 0.2,
    };
}

impl Question<'_> {
    /// Tells whether anything but the archive is left out.
    pub(super) fn is_narrowed(&self) -> bool {
        let Self { kind, file, since, until, flag, .. } = self;
        [kind, file, since, until, flag].into_iter().any(Option::is_some)
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
            let Some(text) = text.filter(|text| Stretch::read(text, self.now, self.zone).is_none())
            else {
                continue;
            };
            let message = format!("`{}` is no time for `{name}`", excerpt(text));
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
