//! The text of the parts of a file, without the blank lines behind them.

use std::collections::BTreeMap;

use crate::markdown::FilePart;

/// Returns where each part of a file stands; of several with one key, the first.
pub(super) fn places<'p>(parts: &'p [FilePart<'_>]) -> BTreeMap<&'p str, usize> {
    parts.iter().enumerate().rev().map(|(at, part)| (part.key.as_str(), at)).collect()
}

/// Splits a part at the end of its last line that is not blank, which goes with the blank ones.
pub(super) fn split<'a>(part: &FilePart<'a>) -> (&'a str, &'a str) {
    let words = part.text.trim_end().len();
    // Blanks behind the last word break a line.
    let rest = part.text[words..].find(['\n', '\r']).unwrap_or(part.text.len() - words);
    part.text.split_at(words + rest)
}

/// Returns the text of some parts, without the blank lines behind the last one.
pub(super) fn text_of(parts: &[FilePart<'_>]) -> String {
    let Some((last, rest)) = parts.split_last() else { return String::new() };
    rest.iter().map(|part| part.text).chain([split(last).0]).collect()
}
