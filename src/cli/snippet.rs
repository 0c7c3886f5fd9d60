//! Prints the lines of a text that answer a question, with its words in colour.

use super::columns::fitting;
use super::output::GOOD;
use crate::text::visible;

/// Indents the lines by four columns, and breaks those that are too long.
pub(super) fn snippet_text(snippet: &str, matches: &[(usize, usize)], columns: usize) -> String {
    let mut text = String::new();
    for line in snippet.lines() {
        let start = line.as_ptr().addr() - snippet.as_ptr().addr();
        for (from, to) in broken(line, columns - 4) {
            text += &format!("    {}\n", marked(snippet, matches, start + from, start + to));
        }
    }
    text
}

/// Breaks a line at blanks into byte ranges of so many columns.
fn broken(line: &str, columns: usize) -> Vec<(usize, usize)> {
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < line.len() {
        let rest = &line[start..];
        let fits = fitting(rest, columns).max(rest.chars().next().map_or(0, char::len_utf8));
        let end = match rest[..fits].rfind(' ') {
            Some(blank) if fits < rest.len() && blank > 0 => blank,
            Some(_) | None => fits,
        };
        pieces.push((start, start + end));
        start += end + usize::from(rest[end..].starts_with(' '));
    }
    pieces
}

/// Colours the matches in a part of the snippet.
fn marked(snippet: &str, matches: &[(usize, usize)], start: usize, end: usize) -> String {
    let (mut text, mut at) = (String::new(), start);
    let inside = matches.iter().filter(|(from, to)| *from >= start && *to <= end);
    for (from, to) in inside {
        let (Some(before), Some(word)) = (snippet.get(at..*from), snippet.get(*from..*to)) else {
            continue;
        };
        text += &format!("{}{GOOD}{}{GOOD:#}", visible(before), visible(word));
        at = *to;
    }
    text + &visible(&snippet[at..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_broken_at_blanks() {
        assert_eq!(broken("one two three", 8), [(0, 7), (8, 13)]);
        assert_eq!(broken("onetwothree", 4), [(0, 4), (4, 8), (8, 11)]);
        assert_eq!(broken("認証", 1), [(0, 3), (3, 6)]);
        assert_eq!(broken("", 4), []);
    }
}
