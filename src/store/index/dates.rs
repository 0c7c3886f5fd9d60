//! Finds the day that a text is about, writes it in words, and reads the days that a question names.

use super::words::words;
use crate::contract::{MONTHS, Moment, Stretch, is_date};

const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// The first and the last day of a stretch of time, as `2026-11-20`; both belong to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Days {
    pub(super) first: String,
    pub(super) last: String,
}

impl From<Stretch> for Days {
    fn from(stretch: Stretch) -> Self {
        Self { first: stretch.first.date(), last: stretch.last.date() }
    }
}

/// Returns the first calendar day, `2026-11-20`, that stands in a text.
pub(super) fn day_in(text: &str) -> Option<&str> {
    let starts = text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit());
    let stands_alone = |at: &usize| *at == 0 || !text.as_bytes()[at - 1].is_ascii_digit();
    let is_shaped = |at: &usize| {
        text.as_bytes().get(at + 4..at + 8).is_some_and(|s| s[0] == b'-' && s[3] == b'-')
    };
    let mut days =
        starts.map(|(at, _)| at).filter(stands_alone).filter(is_shaped).filter_map(|at| {
            let is_longer = text.as_bytes().get(at + 10).is_some_and(u8::is_ascii_digit);
            text.get(at..at + 10).filter(|day| !is_longer && is_date(day))
        });
    days.next()
}

/// Writes a day as people name it: `20 November 2026 Friday`.
pub(super) fn in_words(day: &str) -> String {
    let Some(moment) = moment_of(day) else { return String::new() };
    let weekday = usize::try_from(moment.weekday()).map_or("", |number| WEEKDAYS[number]);
    let month = day[5..7].parse().ok().and_then(|month: usize| MONTHS.get(month.wrapping_sub(1)));
    let month = month.copied().unwrap_or_default();
    format!("{} {month} {} {weekday}", day[8..].trim_start_matches('0'), &day[..4])
}

/// Returns the words of a question that say when, seen from today: they say nothing of what is asked.
pub(super) fn words_of_time(question: &str, now: Moment) -> Vec<String> {
    let lower = question.to_lowercase();
    let counts_back = |run: &&[&str]| Stretch::from_today(run, now).is_some();
    let said = words_in(&lower);
    spans(&said).filter(counts_back).flatten().map(|word| (*word).to_owned()).collect()
}

/// Returns the days that a question names, such as `yesterday`, `last week`, `2026-05` or `May 2026`.
pub(super) fn named_in(question: &str, now: Moment) -> Option<Days> {
    let lower = question.to_lowercase();
    day_in(&lower)
        .and_then(Stretch::of_day)
        .or_else(|| spans(&words_in(&lower)).find_map(|run| Stretch::of_words(run, now)))
        .map(Days::from)
}

fn words_in(lower: &str) -> Vec<&str> {
    words(lower).take(64).map(|word| &lower[word]).collect()
}

/// Returns what stands together and may be a time; the longest first, as `20 May 2026` holds `May 2026`.
fn spans<'w>(words: &'w [&'w str]) -> impl Iterator<Item = &'w [&'w str]> {
    (1..=Stretch::MOST_WORDS).rev().flat_map(|length| words.windows(length))
}

fn moment_of(day: &str) -> Option<Moment> {
    Moment::parse(&format!("{day}T00:00:00Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(question: &str, expected: Option<(&str, &str)>) {
        let now = Moment::parse("2026-11-20T10:00:00Z").expect("a moment");
        let days = |(first, last): (&str, &str)| Days { first: first.into(), last: last.into() };
        let expected = expected.map(days);
        assert_eq!(named_in(question, now), expected, "{question}");
    }

    #[test]
    fn the_days_of_a_question_are_read() {
        check("what broke yesterday?", Some(("2026-11-19", "2026-11-19")));
        check("what did we do last week", Some(("2026-11-09", "2026-11-15")));
        check("this week", Some(("2026-11-16", "2026-11-22")));
        check("why did it fail this morning?", Some(("2026-11-20", "2026-11-20")));
        check("what was this month about", Some(("2026-11-01", "2026-11-30")));
        check("plans of last year", Some(("2025-01-01", "2025-12-31")));
        check("what broke two days ago", Some(("2026-11-18", "2026-11-18")));
        check("the outage 3 weeks ago", Some(("2026-10-26", "2026-11-01")));
        check("Last month", Some(("2026-10-01", "2026-10-31")));
        check("notes of 2026-05", Some(("2026-05-01", "2026-05-31")));
        check("what happened in May 2026", Some(("2026-05-01", "2026-05-31")));
        check("decided in Nov 2026", Some(("2026-11-01", "2026-11-30")));
        check("on 20 May 2026", Some(("2026-05-20", "2026-05-20")));
        check("on May 5th, 2026", Some(("2026-05-05", "2026-05-05")));
        check("the 5th May 2026", Some(("2026-05-05", "2026-05-05")));
        check("what broke the day before yesterday", Some(("2026-11-18", "2026-11-18")));
        check("2026-05-20?", Some(("2026-05-20", "2026-05-20")));
        check("may I go", None);
        check("version 2026 99 é", None);
    }

    #[test]
    fn a_day_is_found_and_written_in_words() {
        assert_eq!(day_in("Session 1 on 2023-05-08 13:56"), Some("2023-05-08"));
        assert_eq!(day_in("é2023-05-08é"), Some("2023-05-08"));
        assert_eq!(day_in("12023-05-08 2023-05-081 2023-02-30"), None);
        assert_eq!(in_words("2023-05-08"), "8 May 2023 Monday");
        assert_eq!(in_words("2026-11-20"), "20 November 2026 Friday");
    }
}
