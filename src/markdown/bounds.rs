//! Finds where the Markdown of a text begins, and where a text ends.

use std::ops::Range;

pub(crate) const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Returns the place behind the last line that is not blank, without its line end.
pub(crate) fn last_text_byte(text: &str, range: Range<usize>) -> usize {
    let slice = &text[range.clone()];
    let trimmed = slice.trim_end();
    let line_end = slice[trimmed.len()..].find('\n').map_or(slice.len(), |at| trimmed.len() + at);
    let without_return = slice[..line_end].strip_suffix('\r').unwrap_or(&slice[..line_end]);
    range.start + without_return.len()
}

/// Returns where Markdown begins: behind a byte order mark and a block of `---` or `+++` lines.
///
/// The parser's own metadata blocks are not used, as it sees them in the middle of a file too, where
/// two thematic breaks would swallow the headings between them.
pub(super) fn front_matter_end(text: &str) -> usize {
    let start = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let mut lines = text[start..].split_inclusive('\n');
    let Some(fence) = lines.next().filter(|line| matches!(line.trim_end(), "---" | "+++")) else {
        return start;
    };
    let mut end = start + fence.len();
    for (number, line) in lines.enumerate() {
        end += line.len();
        // A blank line right behind `---` makes it a thematic break, as most readers see it.
        if number == 0 && line.trim().is_empty() {
            return start;
        }
        if line.trim_end() == fence.trim_end() {
            return end;
        }
    }
    start
}
