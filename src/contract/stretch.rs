//! Reads a stretch of time as a person names it: `2026-11`, `12h` ago, `yesterday`, `last week`.

use std::str::FromStr;

use super::moment::{Moment, is_date};
use super::zone::Zone;

pub(crate) const MONTHS: [&str; 12] = [
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
pub(crate) struct Stretch {
    pub first: Moment,
    pub last: Moment,
}

impl Stretch {
    pub(crate) const ALLOWED: &'static str = "give a day, a month or a year such as 2026-11-20, 2026-11 or `Nov 2026`, a time such as 2026-11-20T10:00:00Z, an age such as 12h, 7d or 2w, or `today`, `yesterday`, `3 days ago`, `this week`, `last month`, `last year`";

    /// Reads all of a text as one time; days begin where the clock of the zone begins them.
    pub(crate) fn read(text: &str, now: Moment, zone: &Zone) -> Option<Self> {
        let lower = text.to_lowercase();
        let words = lower.split_whitespace().map(|word| word.trim_end_matches([',', '.']));
        let words: Vec<&str> = words.collect();
        let at = |moment| Self { first: moment, last: moment };
        moment_of(text.trim(), &words, now)
            .map(at)
            .or_else(|| Days::read(text.trim(), &words, &zone.day(now))?.within(zone))
    }
}

/// Reads a time or an age, such as `12h` or `two hours ago`.
fn moment_of(text: &str, words: &[&str], now: Moment) -> Option<Moment> {
    let in_words = || match words {
        [number, unit @ ("minute" | "minutes" | "hour" | "hours"), "ago"] => {
            ago(&format!("{}{}", count(number)?, &unit[..1]), now)
        }
        _ => None,
    };
    Moment::parse(text).or_else(|| ago(text, now)).or_else(in_words)
}

/// Days of the calendar, in no zone: each is its first moment in UTC. Both ends belong to them.
#[derive(Debug, Clone, Copy)]
struct Days {
    first: Moment,
    last: Moment,
}

impl Days {
    fn read(text: &str, words: &[&str], today: &str) -> Option<Self> {
        let month = || {
            let (year, month) = text.split_once('-')?;
            month_of(year, figures(month).filter(|_| month.len() == 2)?)
        };
        Self::of_day(text)
            .or_else(month)
            .or_else(|| is_year(text).then(|| months_of(text, 1, 12))?)
            .or_else(|| Self::from_today(words, today))
            .or_else(|| Self::of_calendar(words))
    }

    /// Reads a calendar day, `2026-11-20`.
    fn of_day(day: &str) -> Option<Self> {
        let first = Moment::parse(&format!("{day}T00:00:00Z")).filter(|_| is_date(day))?;
        Some(Self { first, last: first })
    }

    /// Reads words that count from today, such as `yesterday`, `last week` or `two days ago`; a week begins on Monday.
    fn from_today(words: &[&str], today: &str) -> Option<Self> {
        match words {
            ["today"] | ["this", "morning" | "afternoon" | "evening"] => {
                unit_before("day", 0, today)
            }
            ["yesterday"] => unit_before("day", 1, today),
            ["day", "before", "yesterday"] | ["the", "day", "before", "yesterday"] => {
                unit_before("day", 2, today)
            }
            ["this", unit @ ("week" | "month" | "year")] => unit_before(unit, 0, today),
            ["last", unit @ ("week" | "month" | "year")] => unit_before(unit, 1, today),
            [number, unit, "ago"] => {
                unit_before(unit.strip_suffix('s').unwrap_or(unit), count(number)?, today)
            }
            _ => None,
        }
    }

    /// Reads `may 2026`, `20 may 2026`, `may 20th 2026` or `2026 05`.
    fn of_calendar(words: &[&str]) -> Option<Self> {
        match words {
            [year, month] if is_year(year) && month.len() == 2 => month_of(year, figures(month)?),
            [month, year] if is_year(year) => month_of(year, month_number(month)?),
            [day, month, year] | [month, day, year]
                if is_year(year) && month_number(month).is_some() =>
            {
                let endings = ["st", "nd", "rd", "th"];
                let number = endings.iter().find_map(|ending| day.strip_suffix(ending));
                let day: u8 = figures(number.unwrap_or(day))?;
                Self::of_day(&format!("{year}-{:02}-{day:02}", month_number(month)?))
            }
            _ => None,
        }
    }

    /// Returns the time from the begin of the first day to the end of the last one.
    fn within(self, zone: &Zone) -> Option<Stretch> {
        let first = zone.start_of(&self.first.day_in_utc())?;
        // The last day that there is has no day behind it.
        let behind = later(self.last, DAY).and_then(|next| zone.start_of(&next.day_in_utc()));
        let last = match behind {
            Some(next) => later(next, -1)?,
            None => later(zone.start_of(&self.last.day_in_utc())?, DAY - 1)?,
        };
        Some(Stretch { first, last })
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
    let span: i64 = figures::<u32>(number)?.into();
    later(now, -span * seconds)
}

/// Returns the day, week, month or year so many before this one.
fn unit_before(unit: &str, count: u32, today: &str) -> Option<Days> {
    let (now, back) = (Days::of_day(today)?.first, i64::from(count));
    let (year, month): (i64, i64) = (today[..4].parse().ok()?, today[5..7].parse().ok()?);
    let days = |from: i64, long: i64| {
        let first = later(now, -from * DAY)?;
        Some(Days { first, last: later(first, (long - 1) * DAY)? })
    };
    match unit {
        "day" => days(back, 1),
        "week" => days(now.weekday() + 7 * back, 7),
        "month" => {
            let month = year * 12 + month - 1 - back;
            let number = usize::try_from(month.rem_euclid(12)).ok()? + 1;
            month_of(&format!("{:04}", month.div_euclid(12)), number)
        }
        "year" => months_of(&format!("{:04}", year - back), 1, 12),
        _ => None,
    }
}

/// Reads how many, in figures or in a word.
fn count(word: &str) -> Option<u32> {
    const NUMBERS: [&str; 11] =
        ["a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    match NUMBERS.iter().position(|number| *number == word) {
        Some(at) => u32::try_from(at.max(1)).ok(),
        None if word == "an" => Some(1),
        None => figures(word),
    }
}

fn figures<T: FromStr>(text: &str) -> Option<T> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Reads the name of a month, also its first letters, and returns its number from 1.
fn month_number(word: &str) -> Option<usize> {
    let begins = |month: &&str| {
        month.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word))
    };
    MONTHS.iter().position(|month| word.len() >= 3 && begins(month)).map(|at| at + 1)
}

fn month_of(year: &str, month: usize) -> Option<Days> {
    (is_year(year) && (1..=12).contains(&month)).then(|| months_of(year, month, month))?
}

fn months_of(year: &str, first: usize, last: usize) -> Option<Days> {
    let first = Days::of_day(&format!("{year}-{first:02}-01"))?.first;
    let last = (28..=31).rev().find_map(|day| Days::of_day(&format!("{year}-{last:02}-{day}")));
    Some(Days { first, last: last?.last })
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the moment so much later, if its year has four digits.
fn later(moment: Moment, seconds: i64) -> Option<Moment> {
    let seconds = moment.unix().checked_add(seconds)?;
    let later = Moment::from_unix(seconds);
    (later.unix() == seconds && is_date(&later.day_in_utc())).then_some(later)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::UTC;

    #[track_caller]
    fn check(text: &str, first: &str, last: &str) {
        let now = Moment::parse("2026-11-20T10:00:00Z").expect("a moment");
        let read =
            Stretch::read(text, now, &UTC).map(|s| (s.first.to_string(), s.last.to_string()));
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
        check("nov. 2026", "2026-11-01T00:00:00Z", "2026-11-30T23:59:59Z");
        check("5 Nov 2026", "2026-11-05T00:00:00Z", "2026-11-05T23:59:59Z");
        check("November 5, 2026", "2026-11-05T00:00:00Z", "2026-11-05T23:59:59Z");
    }

    #[test]
    fn words_count_from_today() {
        check("today", "2026-11-20T00:00:00Z", "2026-11-20T23:59:59Z");
        check("Yesterday", "2026-11-19T00:00:00Z", "2026-11-19T23:59:59Z");
        check("the day before yesterday", "2026-11-18T00:00:00Z", "2026-11-18T23:59:59Z");
        check("this morning", "2026-11-20T00:00:00Z", "2026-11-20T23:59:59Z");
        check("last week", "2026-11-09T00:00:00Z", "2026-11-15T23:59:59Z");
        check("this week", "2026-11-16T00:00:00Z", "2026-11-22T23:59:59Z");
        check("last month", "2026-10-01T00:00:00Z", "2026-10-31T23:59:59Z");
        check("this year", "2026-01-01T00:00:00Z", "2026-12-31T23:59:59Z");
        check("last year", "2025-01-01T00:00:00Z", "2025-12-31T23:59:59Z");
    }

    #[test]
    fn what_is_so_long_ago_is_as_long_as_what_it_is_counted_in() {
        check("12 hours ago", "2026-11-19T22:00:00Z", "2026-11-19T22:00:00Z");
        check("two days ago", "2026-11-18T00:00:00Z", "2026-11-18T23:59:59Z");
        check("3 weeks ago", "2026-10-26T00:00:00Z", "2026-11-01T23:59:59Z");
        check("an hour ago", "2026-11-20T09:00:00Z", "2026-11-20T09:00:00Z");
        check("13 Months ago", "2025-10-01T00:00:00Z", "2025-10-31T23:59:59Z");
        check("a year ago", "2025-01-01T00:00:00Z", "2025-12-31T23:59:59Z");
    }

    #[test]
    fn nothing_is_longer_ago_than_the_years_reach() {
        let now = Moment::parse("2026-11-20T10:00:00Z").expect("a moment");
        for unit in ["day", "week", "month", "year", "hour", "minute"] {
            for count in ["4294967295", "4294967296", "99999999999999999999"] {
                let text = format!("{count} {unit}s ago");
                assert_eq!(Stretch::read(&text, now, &UTC), None, "{text}");
            }
        }
        for text in ["800000 days ago", "800000d", "120000w", "2027 years ago", "25000 months ago"]
        {
            assert_eq!(Stretch::read(text, now, &UTC), None, "{text}");
        }
        check("700000 days ago", "0110-05-09T00:00:00Z", "0110-05-09T23:59:59Z");
        check("2026 years ago", "0000-01-01T00:00:00Z", "0000-12-31T23:59:59Z");
    }

    #[test]
    fn days_are_those_of_the_zone_and_times_are_the_same_in_each() {
        let now = Moment::parse("2026-11-20T10:00:00Z").expect("a moment");
        let east = Zone::of(jiff::tz::TimeZone::fixed(jiff::tz::offset(14)));
        let read = |text: &str| {
            let stretch = Stretch::read(text, now, &east).expect(text);
            [stretch.first, stretch.last].map(|moment| moment.to_string())
        };
        assert_eq!(read("today"), ["2026-11-20T10:00:00Z", "2026-11-21T09:59:59Z"]);
        assert_eq!(read("2026-11-20"), ["2026-11-19T10:00:00Z", "2026-11-20T09:59:59Z"]);
        // There the 21st is a Saturday, of the same week.
        assert_eq!(read("this week"), ["2026-11-15T10:00:00Z", "2026-11-22T09:59:59Z"]);
        assert_eq!(read("2026"), ["2025-12-31T10:00:00Z", "2026-12-31T09:59:59Z"]);
        for text in ["2h", "2 hours ago", "2026-11-20T08:00:00Z"] {
            assert_eq!(read(text), ["2026-11-20T08:00:00Z", "2026-11-20T08:00:00Z"], "{text}");
        }
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
            "2026-+5",
            "2026 +5",
            "+5 may 2026",
            "may +5th 2026",
            "2026-02-30",
            "4294967296d",
            "-",
            "é",
            "last day",
            "no 2026",
            "31 Nov 2026",
            "9999 years ago",
            "4294967295 months ago",
            "some days ago",
            "a b c",
        ] {
            assert_eq!(Stretch::read(text, now, &UTC), None, "{text}");
        }
    }
}
