//! Reads a time in the past as a person writes it.

use crate::contract::Moment;
use crate::error::{Error, ErrorKind, Result};

/// Reads a day, a point in time, or a span before now.
pub(super) fn since(text: &str, now: Moment) -> Result<Moment> {
    let ago = || {
        let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
        let seconds = match unit {
            "d" => 86_400,
            "h" => 3_600,
            "m" => 60,
            _ => return None,
        };
        let span: i64 = number.parse::<u32>().ok()?.into();
        Some(Moment::from_unix(now.unix() - span * seconds))
    };
    let day = || Moment::parse(&format!("{text}T00:00:00Z"));
    Moment::parse(text).or_else(day).or_else(ago).ok_or_else(|| {
        Error::new(ErrorKind::Usage, format!("`--since {text}` is not a time"))
            .hint("give a day such as 2026-11-20, a time such as 2026-11-20T10:00:00Z, or a span such as 2d")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let now = Moment::parse("2026-11-20T10:00:00Z").expect("a moment");
        assert_eq!(
            since(text, now).ok().map(|time| time.to_string()).as_deref(),
            expected,
            "{text}"
        );
    }

    #[test]
    fn a_day_a_time_and_a_span_are_understood() {
        check("2026-11-19", Some("2026-11-19T00:00:00Z"));
        check("2026-11-19T08:30:00+01:00", Some("2026-11-19T07:30:00Z"));
        check("2d", Some("2026-11-18T10:00:00Z"));
        check("90m", Some("2026-11-20T08:30:00Z"));
    }

    #[test]
    fn anything_else_is_no_time() {
        for text in ["", "d", "-1d", "yesterday", "2026-13-01", "4294967296d", "é"] {
            check(text, None);
        }
    }
}
