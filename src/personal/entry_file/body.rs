//! The body of an entry, without the blank lines around it.

use crate::markdown::{LineEnding, last_text_byte};

/// Returns a body as an entry keeps it: no blank line at either end, one `\n` at the last line.
///
/// A line that is kept keeps its blanks: at the first one they can be the indentation of code.
pub(super) fn trimmed(body: &str) -> String {
    let plain = LineEnding::Lf.apply(body);
    let Some(first) = plain.find(|c: char| !c.is_whitespace()) else { return String::new() };
    let start = plain[..first].rfind('\n').map_or(0, |newline| newline + 1);
    let end = last_text_byte(&plain, start..plain.len());
    format!("{}\n", &plain[start..end])
}

/// Returns the first line that says something, without the marks of a heading.
pub(super) fn first_line(body: &str) -> Option<String> {
    body.lines().map(without_heading_marks).find(|line| !line.is_empty()).map(str::to_owned)
}

fn without_heading_marks(line: &str) -> &str {
    let line = line.trim();
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    let is_heading =
        (1..=6).contains(&level) && (title.is_empty() || title.starts_with([' ', '\t']));
    if !is_heading {
        return line;
    }
    let without_end = title.trim_end_matches('#');
    let is_closed = without_end.ends_with([' ', '\t']);
    if is_closed { without_end.trim() } else { title.trim() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_at_both_ends_are_cut() {
        for (body, expected) in [
            ("a", "a\n"),
            ("a\n", "a\n"),
            ("\n \t\n\na\n\nb\n \n\n", "a\n\nb\n"),
            ("\r\n\r\na\r\nb", "a\nb\n"),
            ("\n    code\n", "    code\n"),
            ("a  \n\n", "a  \n"),
            ("", ""),
            (" \n\r\n\t", ""),
        ] {
            assert_eq!(trimmed(body), expected, "{body:?}");
            assert_eq!(trimmed(expected), expected, "{body:?}");
        }
    }

    #[test]
    fn the_first_line_is_the_first_that_says_something() {
        for (body, expected) in [
            ("\n  \n# Title\n\ntext\n", Some("Title")),
            ("### Title ##  \r\n", Some("Title")),
            ("# C#\n", Some("C#")),
            ("#\n##\t\nText here\n", Some("Text here")),
            ("#tag\n", Some("#tag")),
            ("####### seven\n", Some("####### seven")),
            ("- item\n", Some("- item")),
            ("", None),
            ("\n#\n", None),
        ] {
            assert_eq!(first_line(body).as_deref(), expected, "{body:?}");
        }
    }
}
