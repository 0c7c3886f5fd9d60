//! Reads a stretch of time as a person names it: `2026-11`, `12h` ago, `yesterday`, `last week`.

use super::{Moment, is_date};

/// The months in their order.
pub const MONTHS: [&str; 12] = [
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

const DAY: i64 = 86_400;

/// A stretch of time; both ends belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// Its first second.
    pub first: Moment,
    /// Its last second.
    pub last: Moment,
}

impl Stretch {
    /// What a person may write, for a hint.
    pub const ALLOWED: &'static str = "give a day, a month or a year such as 2026-11-20, a time such as 2026-11-20T10:00:00Z, an age such as 12h, 7d or 2w, or `today`, `yesterday`, `last week`";

    /// Reads all of a text as one time.
    pub fn read(text: &str, now: Moment) -> Option<Self> {
        let lower = text.to_lowercase();
        match lower.split_whitespace().collect::<Vec<_>>().as_slice() {
            [word] => Self::of_figures(text.trim(), now).or_else(|| Self::of_word(word, now)),
            [first, second] => Self::of_pair(first, second, now),
            _ => None,
        }
    }

    /// Reads a calendar day, `2026-11-20`.
    pub fn of_day(day: &str) -> Option<Self> {
        let first = Moment::parse(&format!("{day}T00:00:00Z")).filter(|_| is_date(day))?;
        Some(Self { first, last: later(first, DAY - 1) })
    }

    /// Reads `today` or `yesterday`.
    pub fn of_word(word: &str, now: Moment) -> Option<Self> {
        match word {
            "today" => Self::of_day(&now.date()),
            "yesterday" => Self::of_day(&later(now, -DAY).date()),
            _ => None,
        }
    }

    /// Reads two words in lower case, such as `last week` or `may 2026`.
    pub fn of_pair(first: &str, second: &str, now: Moment) -> Option<Self> {
        let month_number =
            |word: &str| MONTHS.iter().position(|month| month.eq_ignore_ascii_case(word));
        let today = now.date();
        let until_today = |days: i64| {
            let first = Self::of_day(&later(now, -days * DAY).date())?.first;
            Some(Self { first, last: Self::of_day(&today)?.last })
        };
        match (first, second) {
            ("last", "week") => until_today(7),
            ("this", "week") => until_today(now.weekday()),
            ("this", "month") => month_around(now),
            ("last", "month") => month_around(later(month_around(now)?.first, -DAY)),
            (year, month) if is_year(year) && month.len() == 2 => {
                month_of(year, month.parse().ok()?)
            }
            (month, year) if is_year(year) => month_of(year, month_number(month)? + 1),
            _ => None,
        }
    }

    /// Reads a day, a time, an age, a month or a year.
    fn of_figures(text: &str, now: Moment) -> Option<Self> {
        let at = |moment| Self { first: moment, last: moment };
        let month = || {
            let (year, month) = text.split_once('-')?;
            month_of(year, month.parse().ok().filter(|_| month.len() == 2)?)
        };
        Self::of_day(text)
            .or_else(|| Moment::parse(text).map(at))
            .or_else(|| ago(text, now).map(at))
            .or_else(month)
            .or_else(|| is_year(text).then(|| months_of(text, 1, 12))?)
    }
}

/// Reads an age, `90m`, `12h`, `7d` or `2w`.
fn ago(text: &str, now: Moment) -> Option<Moment> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let seconds = match unit {
        "m" => 60,
        "h" => 3_600,
        "d" => DAY,
        "w" => 7 * DAY,
        _ => return None,
    };
    let is_plain = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let span: i64 = number.parse::<u32>().ok().filter(|_| is_plain)?.into();
    Some(later(now, -span * seconds))
}

fn month_around(moment: Moment) -> Option<Stretch> {
    let day = moment.date();
    month_of(&day[..4], day[5..7].parse().ok()?)
}

fn month_of(year: &str, month: usize) -> Option<Stretch> {
    (is_year(year) && (1..=12).contains(&month)).then(|| months_of(year, month, month))?
}

/// Returns whole months of one year, numbered from 1.
fn months_of(year: &str, first: usize, last: usize) -> Option<Stretch> {
    let first = Stretch::of_day(&format!("{year}-{first:02}-01"))?.first;
    let last = (28..=31).rev().find_map(|day| Stretch::of_day(&format!("{year}-{last:02}-{day}")));
    Some(Stretch { first, last: last?.last })
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn later(moment: Moment, seconds: i64) -> Moment {
    Moment::from_unix(moment.unix().saturating_add(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, first: &str, last: &str) {
        let now = Moment::parse("2026-11-20T10:00:00Z").expect("a moment");
        let read = Stretch::read(text, now).map(|s| (s.first.to_string(), s.last.to_string()));
        assert_eq!(read, Some((first.to_owned(), last.to_owned())), "{text}");
    }

    #[test]
    fn a_time_and_an_age_are_one_second() {
        for (text, moment) in [
            ("2026-11-19T08:30:00+01:00", "2026-11-19T07:30:00Z"),
            ("90m", "2026-11-20T08:30:00Z"),
            ("12h", "2026-11-19T22:00:00Z"),
            ("2d", "2026-11-18T10:00:00Z"),
            ("2w", "2026-11-06T10:00:00Z"),
        ] {
            check(text, moment, moment);
        }
    }

    #[test]
    fn a_day_a_month_and_a_year_are_as_long_as_they_are() {
        check("2026-11-19", "2026-11-19T00:00:00Z", "2026-11-19T23:59:59Z");
        check("2024-02", "2024-02-01T00:00:00Z", "2024-02-29T23:59:59Z");
        check("2026", "2026-01-01T00:00:00Z", "2026-12-31T23:59:59Z");
        check("May 2026", "2026-05-01T00:00:00Z", "2026-05-31T23:59:59Z");
    }

    #[test]
    fn words_count_from_today() {
        check("today", "2026-11-20T00:00:00Z", "2026-11-20T23:59:59Z");
        check("Yesterday", "2026-11-19T00:00:00Z", "2026-11-19T23:59:59Z");
        check("last week", "2026-11-13T00:00:00Z", "2026-11-20T23:59:59Z");
        check("this week", "2026-11-16T00:00:00Z", "2026-11-20T23:59:59Z");
        check("last month", "2026-10-01T00:00:00Z", "2026-10-31T23:59:59Z");
    }

    #[test]
    fn anything_else_is_no_time() {
        let now = Moment::parse("2026-11-20T10:00:00Z").expect("a moment");
        for text in [
            "",
            "d",
            "-1d",
            "+1d",
            "soon",
            "2026-13",
            "2026-1",
            "2026-02-30",
            "4294967296d",
            "-",
            "é",
            "last year",
            "a b c",
        ] {
            assert_eq!(Stretch::read(text, now), None, "{text}");
        }
    }
}
