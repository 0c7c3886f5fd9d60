//! Finds the day that a text is about, writes it in words, and reads the days that a question names.

use super::words::words;
use crate::contract::{Moment, is_date};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

const DAY: i64 = 86_400;

/// The first and the last day of a stretch of time, as `2026-11-20`; both belong to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Days {
    pub(super) first: String,
    pub(super) last: String,
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
    // 1970 began on a Thursday.
    let weekday = (moment.unix().div_euclid(DAY) + 3).rem_euclid(7);
    let weekday = usize::try_from(weekday).map_or("", |number| WEEKDAYS[number]);
    let month = day[5..7].parse().ok().and_then(|month: usize| MONTHS.get(month.wrapping_sub(1)));
    let month = month.copied().unwrap_or_default();
    format!("{} {month} {} {weekday}", day[8..].trim_start_matches('0'), &day[..4])
}

/// Returns the days that a question names, such as `yesterday`, `last week`, `2026-05` or `May 2026`.
pub(super) fn named_in(question: &str, now: Moment) -> Option<Days> {
    let lower = question.to_lowercase();
    let found: Vec<&str> = words(&lower).take(64).map(|word| &lower[word]).collect();
    day_in(&lower)
        .map(|day| between(day, day))
        .or_else(|| found.windows(2).find_map(|pair| read_pair(pair[0], pair[1], now)))
        .or_else(|| found.iter().find_map(|word| read_word(word, now)))
}

/// Reads `2026`, `2026-05`, `2026-05-20`, or how long ago as `7d` or `2w`.
pub(super) fn read_limit(text: &str, now: Moment) -> Option<Days> {
    if is_date(text) {
        return Some(between(text, text));
    }
    let digits = text.trim_end_matches(['d', 'w']);
    let unit = match &text[digits.len()..] {
        "d" => Some(1),
        "w" => Some(7),
        _ => None,
    };
    if let (Some(unit), Ok(count)) = (unit, digits.parse::<u16>()) {
        let day = days_from(now, -unit * i64::from(count));
        return Some(between(&day, &day));
    }
    match text.split_once('-') {
        Some((year, month)) => month_of(year, month.parse().ok()?),
        None => is_year(text).then(|| between(&format!("{text}-01-01"), &format!("{text}-12-31"))),
    }
}

fn read_pair(first: &str, second: &str, now: Moment) -> Option<Days> {
    let month_number =
        |word: &str| MONTHS.iter().position(|month| month.eq_ignore_ascii_case(word));
    let today = now.date();
    match (first, second) {
        ("last", "week") => Some(between(&days_from(now, -7), &today)),
        ("this", "week") => Some(between(&days_from(now, -weekday_of(now)), &today)),
        ("this", "month") => month_of(&today[..4], today[5..7].parse().ok()?),
        ("last", "month") => {
            let first = moment_of(&format!("{}-01", &today[..7]))?;
            let before = days_from(first, -1);
            month_of(&before[..4], before[5..7].parse().ok()?)
        }
        (year, month) if is_year(year) && month.len() == 2 => month_of(year, month.parse().ok()?),
        (month, year) if is_year(year) => month_of(year, month_number(month)? + 1),
        _ => None,
    }
}

fn read_word(word: &str, now: Moment) -> Option<Days> {
    let day = match word {
        "today" => now.date(),
        "yesterday" => days_from(now, -1),
        _ => return None,
    };
    Some(between(&day, &day))
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn month_of(year: &str, month: usize) -> Option<Days> {
    let known = is_year(year) && (1..=12).contains(&month);
    // Days compare as text, so that no month needs its true length.
    known.then(|| between(&format!("{year}-{month:02}-01"), &format!("{year}-{month:02}-31")))
}

fn between(first: &str, last: &str) -> Days {
    Days { first: first.to_owned(), last: last.to_owned() }
}

fn moment_of(day: &str) -> Option<Moment> {
    Moment::parse(&format!("{day}T00:00:00Z"))
}

fn days_from(now: Moment, days: i64) -> String {
    Moment::from_unix(now.unix().saturating_add(days * DAY)).date()
}

/// Returns the days since Monday.
fn weekday_of(now: Moment) -> i64 {
    (now.unix().div_euclid(DAY) + 3).rem_euclid(7)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(question: &str, expected: Option<(&str, &str)>) {
        let now = Moment::parse("2026-11-20T10:00:00Z").expect("a moment");
        let expected = expected.map(|(first, last)| between(first, last));
        assert_eq!(named_in(question, now), expected, "{question}");
    }

    #[test]
    fn the_days_of_a_question_are_read() {
        check("what broke yesterday?", Some(("2026-11-19", "2026-11-19")));
        check("what did we do last week", Some(("2026-11-13", "2026-11-20")));
        check("this week", Some(("2026-11-16", "2026-11-20")));
        check("Last month", Some(("2026-10-01", "2026-10-31")));
        check("notes of 2026-05", Some(("2026-05-01", "2026-05-31")));
        check("what happened in May 2026", Some(("2026-05-01", "2026-05-31")));
        check("2026-05-20?", Some(("2026-05-20", "2026-05-20")));
        check("may I go", None);
        check("version 2026 99 é", None);
    }

    #[test]
    fn limits_are_days_months_years_or_ages() {
        let now = Moment::parse("2026-11-20T10:00:00Z").expect("a moment");
        let read = |text| read_limit(text, now).map(|days| (days.first, days.last));
        let days = |first: &str, last: &str| Some((first.to_owned(), last.to_owned()));
        assert_eq!(read("2026"), days("2026-01-01", "2026-12-31"));
        assert_eq!(read("2026-05"), days("2026-05-01", "2026-05-31"));
        assert_eq!(read("2026-05-20"), days("2026-05-20", "2026-05-20"));
        assert_eq!(read("2w"), days("2026-11-06", "2026-11-06"));
        for text in ["", "d", "x", "2026-13", "2026-02-30", "-", "99999d", "é"] {
            assert_eq!(read(text), None, "{text}");
        }
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
