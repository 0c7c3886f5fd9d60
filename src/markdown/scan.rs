//! Finds headings line by line, in texts whose lists and HTML cannot hide one or make one.
//!
//! A heading outside of quotes and lists begins in one of the first columns, and so does what can hide it: a fence
//! or a comment. So a look at the first byte of each line tells nearly all. Where it does not, as with a heading
//! that is underlined, the scan gives up, and the parser decides.

use std::ops::Range;

use memchr::memmem::Finder;
use memchr::{memchr, memchr3_iter};

/// Returns level and lines of the headings outside of quotes and lists; nothing where it takes a parser.
pub(super) fn headings(text: &str) -> Option<Vec<(u8, Range<usize>)>> {
    let text = text.as_bytes();
    // Where one of these stands alone, it is a matter of opinion what a line is, and a blank.
    let is_odd = |at: usize| text[at] != b'\r' || text.get(at + 1) != Some(&b'\n');
    if memchr3_iter(b'\r', b'\x0b', b'\x0c', text).any(is_odd) {
        return None;
    }
    let mut scan = Scan::new(text);
    while scan.at < text.len() {
        match scan.next_line() {
            Some(line) => scan.take(&line)?,
            None => (scan.follows_text, scan.is_html) = (false, false),
        }
    }
    Some(scan.found)
}

struct Scan<'a> {
    text: &'a [u8],
    /// Where the next line begins.
    at: usize,
    inside: Inside,
    /// Whether the line before may be one of a paragraph.
    follows_text: bool,
    /// Whether the lines since the last blank one may be HTML.
    is_html: bool,
    comment_end: Finder<'static>,
    found: Vec<(u8, Range<usize>)>,
}

/// What the next line may stand in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// In no list.
    Nothing,
    /// In an item, if it begins in this column or further right.
    Item(usize),
    /// In an item, or in a paragraph outside of it.
    Unsure,
}

/// A line that is not blank.
struct Line<'a> {
    bytes: Range<usize>,
    /// Columns before the first byte that is no blank.
    indent: usize,
    /// What begins there, without the line end.
    words: &'a [u8],
}

impl<'a> Scan<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self {
            text,
            at: 0,
            inside: Inside::Nothing,
            follows_text: false,
            is_html: false,
            comment_end: Finder::new("-->"),
            found: Vec::new(),
        }
    }

    /// Goes past the next line; nothing if it is blank.
    fn next_line(&mut self) -> Option<Line<'a>> {
        let (text, start) = (self.text, self.at);
        let (mut indent, mut first) = (0, start);
        while let Some(blank @ (b' ' | b'\t')) = text.get(first) {
            indent += if *blank == b' ' { 1 } else { 4 - indent % 4 };
            first += 1;
        }
        let end = match text.get(first) {
            // Nearly every other line is blank, and a search costs more than a look.
            None | Some(b'\n') => first,
            Some(_) => memchr(b'\n', &text[first..]).map_or(text.len(), |length| first + length),
        };
        self.at = text.len().min(end + 1);
        let words = &text[first..end];
        let words = words.strip_suffix(b"\r").unwrap_or(words);
        (!words.is_empty()).then_some(Line { bytes: start..self.at, indent, words })
    }

    fn take(&mut self, line: &Line<'_>) -> Option<()> {
        if let Inside::Item(column) = self.inside
            && line.indent >= column
        {
            self.follows_text = true;
            return Some(());
        }
        match line.words[0] {
            _ if line.indent >= 4 => self.text(line),
            b'#' => self.heading(line)?,
            b'`' | b'~' => self.fence(line)?,
            b'<' => self.html(line)?,
            b'>' => {
                self.close(line);
                self.follows_text = true;
            }
            b'=' | b'-' if self.follows_text && is_underline(line.words) => return None,
            b'-' | b'*' | b'_' if is_break(line.words) => self.follows_text = !self.close(line),
            b'-' | b'*' | b'+' | b'0'..=b'9' => self.item(line)?,
            _ => self.text(line),
        }
        Some(())
    }

    /// Ends all that is open, if the line stands in no list and can be no paragraph's.
    fn close(&mut self, line: &Line<'_>) -> bool {
        let closes = !self.is_html && (line.indent == 0 || self.inside != Inside::Unsure);
        if closes {
            (self.inside, self.follows_text) = (Inside::Nothing, false);
        }
        closes
    }

    fn text(&mut self, line: &Line<'_>) {
        self.inside = match self.inside {
            Inside::Nothing => Inside::Nothing,
            Inside::Item(_) if !self.follows_text => Inside::Nothing,
            Inside::Unsure if !self.follows_text && line.indent == 0 => Inside::Nothing,
            Inside::Item(_) | Inside::Unsure => Inside::Unsure,
        };
        self.follows_text = true;
    }

    fn heading(&mut self, line: &Line<'_>) -> Option<()> {
        let level = run(line.words, b'#');
        match u8::try_from(level) {
            Ok(number @ 1..=6) if line.words[level..].first().is_none_or(is_blank) => {
                self.close(line).then(|| self.found.push((number, line.bytes.clone())))
            }
            Ok(_) | Err(_) => {
                self.text(line);
                Some(())
            }
        }
    }

    /// Goes past a block of code.
    fn fence(&mut self, line: &Line<'_>) -> Option<()> {
        let mark = line.words[0];
        let length = run(line.words, mark);
        if length < 3 || (mark == b'`' && memchr(b'`', &line.words[length..]).is_some()) {
            self.text(line);
            return Some(());
        }
        let is_end = |line: Line<'_>| {
            let (marks, behind) = line.words.split_at(run(line.words, mark));
            line.indent < 4 && marks.len() >= length && behind.iter().all(|byte| *byte == b' ')
        };
        let closes = self.close(line);
        while self.at < self.text.len() && !self.next_line().is_some_and(is_end) {}
        closes.then_some(())
    }

    /// Goes past a comment; what else may be HTML ends with a blank line, or takes a parser.
    fn html(&mut self, line: &Line<'_>) -> Option<()> {
        const ENDLESS: [&[u8]; 6] = [b"!", b"?", b"pre", b"style", b"script", b"textarea"];
        let name = &line.words[1..];
        if name.starts_with(b"!--") {
            let end = self.comment_end.find(&self.text[line.bytes.start..]);
            self.at = end.map_or(self.text.len(), |end| line.bytes.start + end);
            self.next_line();
            return self.close(line).then_some(());
        }
        let begins = |word: &&[u8]| {
            name.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word))
        };
        if ENDLESS.iter().any(begins) {
            return None;
        }
        self.text(line);
        self.is_html = true;
        Some(())
    }

    fn item(&mut self, line: &Line<'_>) -> Option<()> {
        let digits = line.words.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, behind) = line.words.split_at(digits);
        let ends = if digits == 0 { &b"-*+"[..] } else { b".)" };
        let is_marker = digits < 10 && behind.first().is_some_and(|end| ends.contains(end));
        let words = behind.get(1..).unwrap_or_default();
        if !is_marker || !words.first().is_none_or(is_blank) {
            self.text(line);
            return Some(());
        }
        // What belongs to an item that begins with a blank line is told by what follows.
        let blanks = words.iter().position(|byte| !is_blank(byte))?;
        // In a paragraph a list begins with one.
        let is_first = digits == 0 || number == b"1";
        let begins = match self.inside {
            Inside::Item(_) => true,
            Inside::Nothing => is_first || !self.follows_text,
            Inside::Unsure => line.indent == 0 && (is_first || !self.follows_text),
        };
        let is_known = begins && !self.is_html && !words[..blanks].contains(&b'\t');
        let width = digits + 1 + if blanks > 4 { 1 } else { blanks };
        self.inside = if is_known { Inside::Item(line.indent + width) } else { Inside::Unsure };
        self.follows_text = true;
        Some(())
    }
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Counts how often a text begins with a byte.
fn run(text: &[u8], byte: u8) -> usize {
    text.iter().take_while(|each| **each == byte).count()
}

/// Tells whether a line below a paragraph would make it a heading.
fn is_underline(words: &[u8]) -> bool {
    words[run(words, words[0])..].iter().all(is_blank)
}

/// Tells whether a line is a thematic break.
fn is_break(words: &[u8]) -> bool {
    let mut marks = 0;
    let fits = words.iter().all(|byte| {
        marks += usize::from(*byte == words[0]);
        *byte == words[0] || is_blank(byte)
    });
    fits && marks >= 3
}

#[cfg(test)]
mod tests {
    use super::headings;

    /// Names the lines that are headings; nothing where it takes a parser.
    fn check(text: &str, expected: Option<&[&str]>) {
        let found = headings(text);
        let lines: Option<Vec<&str>> =
            found.map(|found| found.into_iter().map(|(_, bytes)| text[bytes].trim()).collect());
        assert_eq!(lines.as_deref(), expected, "{text:?}");
    }

    #[test]
    fn what_most_files_consist_of_takes_no_parser() {
        let list = "- **b**\n  # c\n\n1. d\n   ```sh\n   # e\n   ```\n";
        let blocks = "> # f\n\n```\n# g\n```\n<!--\n# h\n-->\n---\n| i |\n|---|\n";
        let text = format!("# A\n<!-- @id: a -->\n\nDate: 2026-11-20\n{list}{blocks}  ## J ##\r\n");
        check(&text, Some(&["# A", "## J ##"]));
    }

    #[test]
    fn what_a_line_alone_does_not_tell_takes_one() {
        check("a\n---\n", None);
        check("- a\nb\n  # c\n", None);
        check("<div>\n# a\n", None);
        check("<pre>\n", None);
        check("-\n", None);
        check("a\rb\n", None);
    }

    #[test]
    fn a_heading_ends_a_list_where_it_stands_left_of_its_text() {
        check("- a\n # b\n", Some(&["# b"]));
        check("- a\n  # b\n", Some(&[]));
        check("10. a\n\n   # b\n    # c\n", Some(&["# b"]));
    }
}
