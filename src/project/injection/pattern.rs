//! Compiles the fixed patterns of this room.

use regex::Regex;

pub(super) fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a fixed pattern")
}
