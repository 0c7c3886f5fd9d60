//! Reads a stretch of time as a phrase: `last 7 days`, `yesterday`, `2026-11`.

use crate::contract::{Stretch, Timestamp, UTC};

/// A stretch of time; both ends belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TimeWindow {
    pub(crate) start: Option<Timestamp>,
    pub(crate) end: Option<Timestamp>,
}

impl TimeWindow {
    pub(crate) fn holds(&self, time: Timestamp) -> bool {
        self.start.is_none_or(|start| start <= time) && self.end.is_none_or(|end| time <= end)
    }
}

const HOUR: i64 = 3_600;

/// Reads a phrase; nothing where it names no time. A server has no clock of a person, so days are those of UTC.
pub(crate) fn read_phrase(phrase: &str, now: Timestamp) -> Option<TimeWindow> {
    let lower = phrase.trim().to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let since = |seconds: i64| {
        let start = Some(now.plus_seconds(-seconds));
        TimeWindow { start, end: Some(now) }
    };
    match words.as_slice() {
        ["last" | "past", number, unit] => {
            let number: i64 =
                number.parse().ok().filter(|number| (1..=100_000).contains(number))?;
            let hours = match unit.strip_suffix('s').unwrap_or(unit) {
                "hour" => 1,
                "day" => 24,
                "week" => 24 * 7,
                "month" => 24 * 30,
                "year" => 24 * 365,
                _ => return None,
            };
            Some(since(number * hours * HOUR))
        }
        ["this", "day"] => of_stretch("today", now),
        ["past", unit] => of_stretch(&format!("last {unit}"), now),
        _ => of_stretch(&lower, now),
    }
}

fn of_stretch(text: &str, now: Timestamp) -> Option<TimeWindow> {
    let Stretch { first, last } = Stretch::read(text, now.moment(), &UTC)?;
    // To the last microsecond of its last second.
    let end = Timestamp::from_microseconds(Timestamp::from(last).microseconds() + 999_999);
    Some(TimeWindow { start: Some(first.into()), end: Some(end) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(phrase: &str, start: &str, end: &str) {
        let now = Timestamp::parse("2026-11-20T10:00:00Z").expect("a time");
        let window = read_phrase(phrase, now).expect(phrase);
        let shown = [window.start, window.end].map(|it| it.map(|it| it.to_string()));
        assert_eq!(shown, [Some(start.to_owned()), Some(end.to_owned())], "{phrase}");
    }

    #[test]
    fn phrases_name_stretches_of_time() {
        check("last 24 hours", "2026-11-19T10:00:00+00:00", "2026-11-20T10:00:00+00:00");
        check("Past 7 days", "2026-11-13T10:00:00+00:00", "2026-11-20T10:00:00+00:00");
        check("this day", "2026-11-20T00:00:00+00:00", "2026-11-20T23:59:59.999999+00:00");
        check("past week", "2026-11-09T00:00:00+00:00", "2026-11-15T23:59:59.999999+00:00");
        check("2026-11", "2026-11-01T00:00:00+00:00", "2026-11-30T23:59:59.999999+00:00");
    }

    #[test]
    fn anything_else_is_no_time() {
        let now = Timestamp::parse("2026-11-20T10:00:00Z").expect("a time");
        for phrase in ["blurb", "last x days", "last 0 days", "past 3 moons", ""] {
            assert_eq!(read_phrase(phrase, now), None, "{phrase}");
        }
    }
}
