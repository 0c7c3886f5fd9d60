//! Finds the day that a text is about, and writes it in words.

use crate::contract::{MONTHS, Moment, is_date};

const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

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
    let moment = Moment::parse(&format!("{day}T00:00:00Z"));
    let Some(moment) = moment else { return String::new() };
    let weekday = usize::try_from(moment.weekday()).map_or("", |number| WEEKDAYS[number]);
    let month = day[5..7].parse().ok().and_then(|month: usize| MONTHS.get(month.wrapping_sub(1)));
    let month = month.copied().unwrap_or_default();
    format!("{} {month} {} {weekday}", day[8..].trim_start_matches('0'), &day[..4])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_found_and_written_in_words() {
        assert_eq!(day_in("Session 1 on 2023-05-08 13:56"), Some("2023-05-08"));
        assert_eq!(day_in("é2023-05-08é"), Some("2023-05-08"));
        assert_eq!(day_in("12023-05-08 2023-05-081 2023-02-30"), None);
        assert_eq!(in_words("2023-05-08"), "8 May 2023 Monday");
        assert_eq!(in_words("2026-11-20"), "20 November 2026 Friday");
    }
}
