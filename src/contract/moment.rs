//! A point in time, always UTC, always in one format.

use std::fmt;
use std::time::Duration;

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// A point in time with a resolution of one second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(OffsetDateTime);

impl Moment {
    /// Makes a moment from the seconds since 1970; outside the years 0 to 9999 it is 1970.
    pub fn from_unix(seconds: i64) -> Self {
        Self(OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH))
    }

    /// Reads an RFC 3339 text and brings it to UTC.
    pub fn parse(text: &str) -> Option<Self> {
        let read = OffsetDateTime::parse(text, &Rfc3339).ok()?;
        Some(Self::from_unix(read.unix_timestamp()))
    }

    pub(crate) fn unix(self) -> i64 {
        self.0.unix_timestamp()
    }

    /// Returns its day in UTC as `2026-11-20`; people see those of `Zone`.
    pub(super) fn day_in_utc(self) -> String {
        let date = self.0.date();
        format!("{:04}-{:02}-{:02}", date.year(), u8::from(date.month()), date.day())
    }

    /// Returns the days since Monday.
    pub fn weekday(self) -> i64 {
        self.0.weekday().number_days_from_monday().into()
    }

    /// Returns `20261120-101112`, which sorts as time does.
    pub fn compact(self) -> String {
        let (hour, minute, second) = self.0.to_hms();
        format!("{}-{hour:02}{minute:02}{second:02}", self.day_in_utc().replace('-', ""))
    }

    pub(crate) fn parse_compact(text: &str) -> Option<Self> {
        let part = |range: std::ops::Range<usize>| text.get(range);
        let (year, month, day) = (part(0..4)?, part(4..6)?, part(6..8)?);
        let (hour, minute, second) = (part(9..11)?, part(11..13)?, part(13..15)?);
        Self::parse(&format!("{year}-{month}-{day}T{hour}:{minute}:{second}Z"))
    }

    /// Returns the moment so much later.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        let seconds = i64::try_from(duration.as_secs()).unwrap_or(i64::MAX);
        Self::from_unix(self.unix().saturating_add(seconds))
    }

    /// Returns the seconds from `earlier` to here; negative if `earlier` is later.
    pub fn seconds_since(self, earlier: Self) -> i64 {
        self.unix() - earlier.unix()
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hour, minute, second) = self.0.to_hms();
        write!(out, "{}T{hour:02}:{minute:02}:{second:02}Z", self.day_in_utc())
    }
}

impl serde::Serialize for Moment {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Tells whether a text is a calendar day, `YYYY-MM-DD`.
pub(crate) fn is_date(text: &str) -> bool {
    let shaped = text.len() == 10 && text.is_ascii();
    shaped && Moment::parse(&format!("{text}T00:00:00Z")).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_printed_as_it_was_read() {
        let moment = Moment::parse("2026-11-20T10:11:12Z").expect("a moment");
        assert_eq!(moment.to_string(), "2026-11-20T10:11:12Z");
        assert_eq!(moment.compact(), "20261120-101112");
        assert_eq!(moment.plus(Duration::from_secs(86_400)).day_in_utc(), "2026-11-21");
    }

    #[test]
    fn other_offsets_are_brought_to_utc() {
        let moment = Moment::parse("2026-11-20T01:00:00+02:00").expect("a moment");
        assert_eq!(moment.to_string(), "2026-11-19T23:00:00Z");
    }

    #[test]
    fn only_days_of_the_calendar_are_dates() {
        assert!(is_date("2024-02-29"));
        assert!(!is_date("2026-02-29"));
        assert!(!is_date("2026-2-9"));
        assert!(!is_date("today"));
    }
}
