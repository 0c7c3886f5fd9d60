//! The time zone of a person, in which a moment has a day.

use jiff::Timestamp as Instant;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::moment::Moment;

/// The time zone of a person: days that people see are those of their clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone {
    zone: TimeZone,
    /// Whether it is UTC because no other is known.
    is_assumed: bool,
}

/// The zone of what has no person, such as a server.
pub static UTC: Zone = Zone { zone: TimeZone::UTC, is_assumed: false };

impl Zone {
    /// Takes a zone as the door read it.
    pub(crate) fn of(zone: TimeZone) -> Self {
        Self { zone, is_assumed: false }
    }

    /// Returns UTC in place of a zone that is not known.
    pub(crate) fn assumed() -> Self {
        Self { is_assumed: true, ..UTC.clone() }
    }

    pub(crate) fn is_assumed(&self) -> bool {
        self.is_assumed
    }

    /// Returns the day of a moment, `2026-11-20`; all days that people see are made here.
    pub fn day(&self, moment: Moment) -> String {
        match Instant::from_second(moment.unix()) {
            Ok(instant) => self.zone.to_datetime(instant).date().to_string(),
            // A year that the calendar of the zone does not reach.
            Err(_) => moment.day_in_utc(),
        }
    }

    /// Returns the first moment of a day; where the clock is put forward at midnight, that is later than 0:00.
    pub(crate) fn start_of(&self, day: &str) -> Option<Moment> {
        let date: Date = day.parse().ok()?;
        let start = self.zone.to_timestamp(date.to_datetime(jiff::civil::Time::midnight())).ok()?;
        Some(Moment::from_unix(start.as_second()))
    }

    /// Returns the seconds by which its clock is ahead of UTC at a moment.
    pub(crate) fn seconds_ahead(&self, moment: Moment) -> i32 {
        let instant = Instant::from_second(moment.unix());
        instant.map_or(0, |instant| self.zone.to_offset(instant).seconds())
    }

    /// Returns its name, or how far it is from UTC.
    pub(crate) fn name(&self, now: Moment) -> String {
        let offset = || {
            let minutes = self.seconds_ahead(now) / 60;
            let sign = if minutes < 0 { '-' } else { '+' };
            format!("UTC{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
        };
        self.zone.iana_name().map_or_else(offset, str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> Zone {
        Zone::of(TimeZone::posix(name).expect("a zone"))
    }

    const BERLIN: &str = "CET-1CEST,M3.5.0,M10.5.0/3";

    #[track_caller]
    fn check(name: &str, moment: &str, day: &str) {
        let moment = Moment::parse(moment).expect("a moment");
        assert_eq!(zone(name).day(moment), day, "{name} {moment}");
    }

    #[test]
    fn a_moment_has_the_day_of_the_clock() {
        check("UTC0", "2026-11-20T23:59:59Z", "2026-11-20");
        check("<+14>-14", "2026-11-20T10:00:00Z", "2026-11-21");
        check("<-11>11", "2026-11-20T10:00:00Z", "2026-11-19");
        check("<+0545>-5:45", "2026-11-20T18:14:59Z", "2026-11-20");
        check("<+0545>-5:45", "2026-11-20T18:15:00Z", "2026-11-21");
        check(BERLIN, "2026-07-01T22:30:00Z", "2026-07-02");
        check(BERLIN, "2026-12-01T22:30:00Z", "2026-12-01");
        check("<+14>-14", "9999-12-31T23:00:00Z", "9999-12-31");
    }

    #[test]
    fn a_day_begins_where_its_clock_begins_it() {
        let start = |name: &str, day: &str| zone(name).start_of(day).map(|at| at.to_string());
        assert_eq!(start(BERLIN, "2026-07-01").as_deref(), Some("2026-06-30T22:00:00Z"));
        assert_eq!(start(BERLIN, "2026-12-01").as_deref(), Some("2026-11-30T23:00:00Z"));
        // At this midnight the clock is put forward to 1:00.
        let beirut = "EET-2EEST,M3.5.0/0,M10.5.0/0";
        assert_eq!(start(beirut, "2026-03-29").as_deref(), Some("2026-03-28T22:00:00Z"));
        assert_eq!(start(BERLIN, "2026-02-30"), None);
    }

    #[test]
    fn a_zone_without_a_name_is_called_by_its_distance() {
        let now = Moment::from_unix(0);
        assert_eq!(zone("<-0930>9:30").name(now), "UTC-09:30");
        assert_eq!(UTC.name(now), "UTC");
    }
}
