//! Splits a text into its front matter and its body, by byte range.

use std::ops::Range;

use crate::markdown::BYTE_ORDER_MARK;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Split {
    /// The body is the text behind a byte order mark.
    Without { body: Range<usize> },
    /// The front matter is what stands between the two lines of `---`, each line with its end.
    With { front: Range<usize>, body: Range<usize> },
    /// There is an opening line, but no closing one.
    Unclosed,
}

/// Splits a text at its lines of `---`; blanks behind the dashes are tolerated, as most readers do.
pub(crate) fn split(text: &str) -> Split {
    let is_fence = |line: &str| line.trim_end() == "---";
    let start = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let mut lines = text[start..].split_inclusive('\n');
    let Some(opening) = lines.next().filter(|line| is_fence(line)) else {
        return Split::Without { body: start..text.len() };
    };
    let front = start + opening.len();
    let mut end = front;
    for line in lines {
        if is_fence(line) {
            return Split::With { front: front..end, body: end + line.len()..text.len() };
        }
        end += line.len();
    }
    Split::Unclosed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(&str, &str)>) {
        let found = match split(text) {
            Split::With { front, body } => Some((&text[front], &text[body])),
            Split::Without { .. } | Split::Unclosed => None,
        };
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn front_matter_stands_between_two_lines_of_dashes() {
        check("---\na: 1\n---\n\nb\n", Some(("a: 1\n", "\nb\n")));
        check("---\r\na: 1\r\n---\r\nb\r\n", Some(("a: 1\r\n", "b\r\n")));
        check("\u{feff}---\na: 1\n---\n", Some(("a: 1\n", "")));
        check("--- \na: 1\n---\t\nb", Some(("a: 1\n", "b")));
        check("---\n---", Some(("", "")));
        check("---\na: 1\n---\nb\n---\nc\n", Some(("a: 1\n", "b\n---\nc\n")));
    }

    #[test]
    fn a_text_that_begins_otherwise_has_none() {
        for text in ["", "a\n", "\n---\na: 1\n---\n", "----\na: 1\n----\n", " ---\na: 1\n---\n"] {
            assert_eq!(split(text), Split::Without { body: 0..text.len() }, "{text:?}");
        }
        assert_eq!(split("\u{feff}a"), Split::Without { body: 3..4 });
    }

    #[test]
    fn an_opening_line_alone_is_unclosed() {
        for text in ["---", "---\n", "---\na: 1\n ---\n", "---\r\na: 1\r\n"] {
            assert_eq!(split(text), Split::Unclosed, "{text:?}");
        }
    }
}
