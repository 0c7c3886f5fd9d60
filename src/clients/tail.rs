//! Adds a block of lines at the end of a text, so that what stood there can be told again.
//!
//! A blank line goes before the block, and the text ends with a line end exactly if it did before: so no
//! two texts become the same, and [`origins`] can find the one that was.

use std::ops::Range;

/// Adds a block behind a text, with its line ends.
pub(super) fn append(text: Option<&str>, block: &str) -> String {
    let Some(text) = text else { return block.to_owned() };
    let eol = eol_of(text);
    let block = with_eol(block, eol);
    match text.ends_with('\n') {
        true => format!("{text}{eol}{block}"),
        false => format!("{text}{eol}{eol}{}", block.trim_end_matches(['\r', '\n'])),
    }
}

/// Returns what a text can have been before a block came into it; the last one is always possible.
pub(super) fn origins(text: &str, block: Range<usize>) -> Vec<Option<String>> {
    let (before, after) = (&text[..block.start], &text[block.end..]);
    let once = without_eol(before);
    let twice = without_eol(once);
    let joined = |before: &str| Some(format!("{before}{after}"));
    let is_apart = before.is_empty() || once.ends_with('\n');
    vec![None, joined(once), joined(twice), joined(if is_apart { once } else { before })]
}

/// Returns a block whose lines end as those of a text.
pub(super) fn with_eol(block: &str, eol: &str) -> String {
    if eol == "\n" { block.to_owned() } else { block.replace('\n', eol) }
}

/// Returns how the lines of a text end, by the first of them.
pub(super) fn eol_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        Some(_) | None => "\n",
    }
}

fn without_eol(text: &str) -> &str {
    let Some(shorter) = text.strip_suffix('\n') else { return text };
    shorter.strip_suffix('\r').unwrap_or(shorter)
}
