//! Keeps quotes and lists from nesting without end, as each level costs the parser a step on every line.

use std::borrow::Cow;

/// A quote or list item begins within so many columns; what stands further right is text.
const COLUMNS: usize = 100;

/// Returns a text of the same length, and with the same headings, in which nothing nests deeper.
pub(super) fn bound(text: &str) -> Cow<'_, str> {
    let mut bounded = Cow::Borrowed(text);
    let bytes = text.as_bytes();
    for start in std::iter::once(0).chain(memchr::memchr_iter(b'\n', bytes).map(|end| end + 1)) {
        if let Some(at) = surplus_marker(&bytes[start..]) {
            let at = start + at;
            bounded.to_mut().replace_range(at..=at, "x");
        }
    }
    bounded
}

/// Finds the first marker of a quote or list item that stands too far right in the first line.
fn surplus_marker(line: &[u8]) -> Option<usize> {
    let (mut at, mut column) = (0, 0);
    loop {
        let (length, width) = match line.get(at)? {
            b' ' => (1, 1),
            b'\t' => (1, 4 - column % 4),
            _ => {
                let length = marker(&line[at..])?;
                if column >= COLUMNS {
                    return (!is_break(&line[at..])).then_some(at);
                }
                (length, length)
            }
        };
        (at, column) = (at + length, column + width);
    }
}

fn marker(text: &[u8]) -> Option<usize> {
    let digits = text.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
    let length = match (digits, text.get(digits)?) {
        (0, b'>') => return Some(1),
        (0, b'-' | b'+' | b'*') => 1,
        (1.., b'.' | b')') => digits + 1,
        _ => return None,
    };
    text.get(length).is_none_or(u8::is_ascii_whitespace).then_some(length)
}

/// Tells whether a line goes on like a thematic break, `- - -`, which opens no list.
fn is_break(text: &[u8]) -> bool {
    let mut line = text.iter().take_while(|byte| **byte != b'\n');
    matches!(text[0], b'-' | b'*')
        && line.all(|byte| *byte == text[0] || byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::Outline;

    fn markers_left(text: &str, mark: char) -> usize {
        let bounded = bound(text);
        assert_eq!(bounded.len(), text.len());
        bounded.split('x').next().expect("a first part").matches(mark).count()
    }

    #[test]
    fn what_a_person_writes_is_left_alone() {
        for text in ["> - 1. a\n", "    - a\n", &"- a\n".repeat(500), &"- ".repeat(500), "", "a"] {
            assert_eq!(bound(text), text);
        }
    }

    #[test]
    fn quotes_and_lists_end_at_some_column() {
        assert_eq!(markers_left(&">".repeat(500), '>'), COLUMNS);
        assert_eq!(markers_left(&("- ".repeat(500) + "a"), '-'), COLUMNS / 2);
        assert_eq!(markers_left(&"+ ".repeat(500), '+'), COLUMNS / 2);
        assert_eq!(markers_left(&"1) ".repeat(500), ')'), COLUMNS.div_ceil(3));
        assert_eq!(markers_left(&("\t".repeat(25) + "- a"), '-'), 0);
    }

    #[test]
    fn each_line_is_looked_at() {
        let line = ">".repeat(COLUMNS) + ">a\n";
        assert_eq!(bound(&line.repeat(3)), (">".repeat(COLUMNS) + "xa\n").repeat(3));
    }

    #[test]
    fn quotes_and_lists_without_end_take_no_time() {
        for mark in [">", "- ", "> - ", "1. "] {
            let text = format!("{}a\n{}\n# b\n", mark.repeat(30_000), "a\n".repeat(60_000));
            assert_eq!(Outline::read(&text).sections().len(), 1);
        }
    }
}
