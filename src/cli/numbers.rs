//! Reads numbers as a person types them.

use std::ops::RangeInclusive;

/// Reads how many there may be at most.
pub(super) fn at_least_one(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "allowed are whole numbers from 1 on".to_owned())
}

/// Reads a number, `3`, or all from one to another, `2-4`.
pub(super) fn range(text: &str) -> Result<RangeInclusive<u16>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<u16>().ok().filter(|number| *number > 0);
    let range = number(first).zip(number(last)).filter(|(first, last)| first <= last);
    range.map(|(first, last)| first..=last).ok_or_else(|| {
        "allowed are numbers from 1 on and ranges of them, e.g. `1,3` or `2-4`".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_a_short_range() {
        assert_eq!(range("3"), Ok(3..=3));
        assert_eq!(range("2-4"), Ok(2..=4));
        for text in ["", "0", "0-2", "4-2", "1-", "-1", "1-2-3", "one", "65536"] {
            assert!(range(text).is_err(), "{text}");
        }
    }

    #[test]
    fn none_at_all_is_not_how_many() {
        assert_eq!(at_least_one("1"), Ok(1));
        assert!(at_least_one("0").is_err() && at_least_one("x").is_err());
    }
}
