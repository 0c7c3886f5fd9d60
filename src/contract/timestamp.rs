//! A point in time with microseconds, as the service reads and prints it.

use std::fmt;

use time::format_description::well_known::Iso8601;
use time::{Date, OffsetDateTime, UtcOffset};

use super::moment::Moment;

/// A point in time with a resolution of one microsecond, always UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp {
    microseconds: i64,
}

const MICROSECONDS: i64 = 1_000_000;

impl Timestamp {
    /// Makes one of the microseconds since 1970; outside the years 0 to 9999 it is 1970.
    pub fn from_microseconds(microseconds: i64) -> Self {
        let fits = Self { microseconds }.date_time().is_some();
        Self { microseconds: if fits { microseconds } else { 0 } }
    }

    pub(crate) fn microseconds(self) -> i64 {
        self.microseconds
    }

    /// Reads ISO 8601: a day or a time, with `T` or a blank between them; UTC where no offset is given.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let time = text.get(10..).unwrap_or_default();
        let written = match time.strip_prefix(['T', 't', ' ']) {
            _ if time.is_empty() => {
                let date = Date::parse(text, &Iso8601::DATE).ok()?;
                return Self::of(date.midnight().assume_utc());
            }
            Some(time) if has_offset(time) => format!("{}T{time}", &text[..10]),
            Some(time) => format!("{}T{time}Z", &text[..10]),
            None => text.to_owned(),
        };
        Self::of(OffsetDateTime::parse(&written.to_uppercase(), &Iso8601::DEFAULT).ok()?)
    }

    fn of(moment: OffsetDateTime) -> Option<Self> {
        // Clients in Python know no year 0.
        if moment.to_offset(UtcOffset::UTC).year() < 1 {
            return None;
        }
        let microseconds = i64::try_from(moment.unix_timestamp_nanos() / 1_000).ok()?;
        Some(Self { microseconds }).filter(|it| it.date_time().is_some())
    }

    fn date_time(self) -> Option<OffsetDateTime> {
        let nanoseconds = i128::from(self.microseconds) * 1_000;
        OffsetDateTime::from_unix_timestamp_nanos(nanoseconds).ok()
    }

    /// Returns the time, so many seconds later or, where they are negative, earlier.
    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Self {
        let microseconds = seconds.saturating_mul(MICROSECONDS);
        Self::from_microseconds(self.microseconds.saturating_add(microseconds))
    }

    /// Returns the days from here to a later time, with fractions; negative if that is earlier.
    pub(crate) fn days_until(self, later: Self) -> f64 {
        (later.microseconds - self.microseconds) as f64 / MICROSECONDS as f64 / 86_400.0
    }

    /// Returns the moment, without its fraction of a second.
    pub(crate) fn moment(self) -> Moment {
        Moment::from_unix(self.microseconds.div_euclid(MICROSECONDS))
    }
}

impl From<Moment> for Timestamp {
    fn from(moment: Moment) -> Self {
        Self { microseconds: moment.unix() * MICROSECONDS }
    }
}

/// Tells whether a time of day ends in its offset from UTC.
fn has_offset(time: &str) -> bool {
    time.ends_with(['Z', 'z']) || time.contains(['+', '-'])
}

impl fmt::Display for Timestamp {
    /// Writes `2026-11-20T10:11:12.123456+00:00`, without the fraction where it is zero.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.moment().to_string();
        out.write_str(seconds.trim_end_matches('Z'))?;
        match self.microseconds.rem_euclid(MICROSECONDS) {
            0 => out.write_str("+00:00"),
            fraction => write!(out, ".{fraction:06}+00:00"),
        }
    }
}

impl serde::Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl schemars::JsonSchema for Timestamp {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Timestamp".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "format": "date-time"})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(Timestamp::parse(text).map(|it| it.to_string()).as_deref(), Some(expected));
    }

    #[test]
    fn a_time_is_printed_in_utc_as_the_service_prints_it() {
        check("2026-11-20T11:46:06.323569+00:00", "2026-11-20T11:46:06.323569+00:00");
        check("2026-11-20T11:46:06Z", "2026-11-20T11:46:06+00:00");
        check("2026-11-20T13:46:06.5+02:00", "2026-11-20T11:46:06.500000+00:00");
        check("2026-11-20 11:46", "2026-11-20T11:46:00+00:00");
        check("2026-11-20T11:46:06.323569", "2026-11-20T11:46:06.323569+00:00");
        check("2026-11-20", "2026-11-20T00:00:00+00:00");
        check("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999+00:00");
    }

    #[test]
    fn anything_else_is_no_time() {
        for text in ["", "yesterday", "2026", "2026-13-01", "2026-11-20T25:00:00Z", "é2026-11-20"]
        {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }
}
