//! Finds the ranges of some events of a text, and looks a byte up in ranges that follow one another.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser};

use super::nesting;

/// Returns where the events are that are asked for.
pub(super) fn ranges_of(text: &str, is_asked: impl Fn(&Event<'_>) -> bool) -> Vec<Range<usize>> {
    let bounded = nesting::bound(text);
    let events = Parser::new_ext(&bounded, Options::ENABLE_TABLES).into_offset_iter();
    events.filter_map(|(event, bytes)| is_asked(&event).then_some(bytes)).collect()
}

/// Tells whether a byte is in one of some ranges, which stand in order and do not overlap.
pub(super) fn are_around(ranges: &[Range<usize>], at: usize) -> bool {
    let next = ranges.partition_point(|range| range.start <= at);
    next.checked_sub(1).is_some_and(|before| ranges[before].contains(&at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_its_first_byte_and_not_its_end() {
        let ranges = [2..4, 4..5, 8..9];
        let inside: Vec<usize> = (0..10).filter(|at| are_around(&ranges, *at)).collect();
        assert_eq!(inside, [2, 3, 4, 8]);
        assert!(!are_around(&[], 0));
    }
}
