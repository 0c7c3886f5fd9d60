//! Reads values of options as a person types them.

use std::ops::RangeInclusive;

use serde_json::{Value, json};

use crate::contract::{Moment, SourceType, Stretch};
use crate::error::{Error, ErrorKind, Result};
use crate::personal::request::EntryType;
use crate::project::verbs::{Session, source_of};
use crate::text::{excerpt, nearest};

pub(super) fn at_least_one(text: &str) -> std::result::Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "allowed are whole numbers from 1 on".to_owned())
}

pub(super) fn tokens(text: &str) -> std::result::Result<usize, String> {
    text.parse().map_err(|_| "allowed are whole numbers of tokens, e.g. 4000".to_owned())
}

pub(super) fn entry_type(word: &str) -> std::result::Result<EntryType, String> {
    EntryType::parse(word).ok_or_else(|| format!("allowed are {}", EntryType::NAMES.join(", ")))
}

/// Reads a number such as `3`, or a range such as `2-4`.
pub(super) fn range(text: &str) -> std::result::Result<RangeInclusive<u16>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<u16>().ok().filter(|number| *number > 0);
    let range = number(first).zip(number(last)).filter(|(first, last)| first <= last);
    range.map(|(first, last)| first..=last).ok_or_else(|| {
        "give numbers from 1 to 65535 or ranges of them, e.g. `1,3` or `2-4`".to_owned()
    })
}

/// Reads a source as a request has it; a word that says nothing more is a file.
pub(super) fn source(text: &str) -> std::result::Result<Value, String> {
    let text = text.trim();
    let (kind, reference) = source_of(text).unwrap_or((SourceType::File, text));
    let is_type_alone = text.strip_suffix(':').is_some_and(|it| SourceType::parse(it).is_some());
    match reference {
        "" => Err("it names nothing".to_owned()),
        _ if is_type_alone => Err("it names nothing".to_owned()),
        reference => Ok(json!({ "type": kind.name(), "ref": reference })),
    }
}

/// Reads `log --since`; `search --since` counts whole days.
pub(super) fn since(text: &str, session: &Session) -> Result<Moment> {
    Stretch::read(text, session.now, &session.zone).map(|stretch| stretch.first).ok_or_else(|| {
        let message = format!("`{}` is no time for `--since`", excerpt(text));
        Error::new(ErrorKind::Usage, message).hint(Stretch::ALLOWED)
    })
}

/// Refuses a word not on a list: names the nearest, or all.
pub(super) fn no_such(
    noun: &str,
    text: &str,
    names: impl Iterator<Item = &'static str> + Clone,
) -> String {
    match nearest(text, names.clone()) {
        Some(name) => format!("there is no such {noun}, did you mean `{name}`?"),
        None => format!("the {noun}s are {}", names.collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_a_short_range() {
        assert_eq!(range("3"), Ok(3..=3));
        assert_eq!(range("2-4"), Ok(2..=4));
        for text in ["", "0", "0-2", "4-2", "1-", "-1", "1-2-3", "one", "65536"] {
            assert!(range(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_source_says_its_type_or_shows_it() {
        let check = |text: &str, kind: &str, reference: &str| {
            assert_eq!(source(text), Ok(json!({ "type": kind, "ref": reference })), "{text}");
        };
        check("src/auth.rs:10-20", "file", "src/auth.rs:10-20");
        check("tests/auth.rs::rotates", "test", "tests/auth.rs::rotates");
        check("https://example.org/a", "url", "https://example.org/a");
        check("user:Ada Lovelace", "user", "Ada Lovelace");
        check("file:a::b", "file", "a::b");
        assert!(source("user:").is_err() && source(" ").is_err());
    }

    #[test]
    fn none_at_all_is_not_how_many() {
        assert_eq!(at_least_one("1"), Ok(1));
        assert!(tokens("-1").is_err() && tokens("abc").is_err() && tokens("4k").is_err());
        assert!(at_least_one("0").is_err() && at_least_one("x").is_err());
    }
}
