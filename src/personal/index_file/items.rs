//! Finds the list items of a Markdown text, each with the lines that it is wrapped onto.

use std::ops::Range;

use crate::markdown::BYTE_ORDER_MARK;

use super::line::{FenceMark, Front, Indent, Markers};

/// Columns of indentation that make a line code where no text is open.
const CODE: usize = 4;

/// The list items of a text.
#[derive(Debug, Default)]
pub(super) struct IndexItems<'a> {
    pub(super) items: Vec<IndexItem<'a>>,
    /// The start of a fence or comment in which the text ends.
    pub(super) left_open: Option<usize>,
}

/// A list item up to the end of its first paragraph.
#[derive(Debug)]
pub(super) struct IndexItem<'a> {
    /// The whole lines, with the line end of the last one.
    pub(super) bytes: Range<usize>,
    pub(super) line: usize,
    /// The indentation, the marker, and the task box.
    pub(super) prefix: &'a str,
    /// All that follows, in one line.
    pub(super) text: String,
    /// Whether the next line is not the item's, and would be read as one with a text above it.
    pub(super) text_follows: bool,
}

impl<'a> IndexItems<'a> {
    /// Reads as CommonMark does, but for three things. A paragraph ends at each marker of a list or other
    /// block, however deep it is indented; a list behind a paragraph may begin with any number; and text
    /// that is indented less than an item's own does not go on with the item.
    ///
    /// Such lines must not be lost with the item above them.
    pub(super) fn read(text: &'a str) -> Self {
        let mut scan = Scan::default();
        let mut start = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        for (number, line) in text[start..].split_inclusive('\n').enumerate() {
            scan.take(ScanLine { text: line, start, number: number + 1 });
            start += line.len();
        }
        // In a list, the next line that is not indented ends the fence.
        let left_open = scan.open.filter(|open| open.column == 0).map(|open| open.start);
        Self { items: scan.items, left_open }
    }
}

/// What is open behind the lines so far.
#[derive(Default)]
struct Scan<'a> {
    items: Vec<IndexItem<'a>>,
    /// The columns in which the contents of the open list items begin, ascending.
    columns: Vec<usize>,
    open: Option<OpenBlock>,
    /// Whether a next line of text goes on with this paragraph.
    paragraph: bool,
    /// Whether that paragraph is the one of the last item.
    grows: bool,
}

/// A line of the text, with its line end.
#[derive(Clone, Copy)]
struct ScanLine<'a> {
    text: &'a str,
    start: usize,
    number: usize,
}

impl ScanLine<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// A fence or a comment.
#[derive(Clone, Copy)]
struct OpenBlock {
    start: usize,
    /// The column in which the contents of the list item around it begin.
    column: usize,
    /// None for a comment.
    fence: Option<FenceMark>,
}

impl<'a> Scan<'a> {
    fn take(&mut self, line: ScanLine<'a>) {
        let indent = Indent::of(line.text, 0);
        let rest = line.text[indent.bytes..].trim_end();
        if self.is_hidden(rest, indent.columns) {
            return;
        }
        let depth = self.columns.partition_point(|column| *column <= indent.columns);
        let column = depth.checked_sub(1).map_or(0, |last| self.columns[last]);
        let is_deep = indent.columns - column >= CODE;
        let markers = Markers::of(rest, indent.columns);
        let front = match Front::of(rest) {
            Front::Text => Front::Text,
            _ if is_deep => Front::Block,
            front => front,
        };
        if let Some(item) = self.items.last_mut().filter(|item| item.bytes.end == line.start) {
            // Below a text, a rule would make a heading of it.
            let goes_on = matches!(front, Front::Text | Front::Block | Front::Rule);
            item.text_follows = goes_on && markers.columns.is_empty();
        }
        if rest.is_empty() {
            self.end_paragraph();
        } else if is_deep && !self.paragraph {
            self.end_paragraph();
            self.columns.truncate(depth);
        } else if !markers.columns.is_empty() {
            self.columns.truncate(depth);
            self.columns.extend(&markers.columns);
            self.take_item(line, indent.bytes + markers.bytes);
        } else if front == Front::Text {
            self.take_text(rest, depth, line.end());
        } else {
            self.columns.truncate(depth);
            self.begin(front, column, line.start);
        }
    }

    /// Tells whether a line is within a fence or a comment, or ends it.
    fn is_hidden(&mut self, rest: &str, columns: usize) -> bool {
        // What is in a list item ends with it, closed or not.
        self.open = self.open.filter(|open| rest.is_empty() || columns >= open.column);
        let Some(open) = self.open else { return false };
        let closes = match open.fence {
            Some(fence) => columns.saturating_sub(open.column) < CODE && fence.is_closed_by(rest),
            None => rest.contains("-->"),
        };
        self.open = self.open.filter(|_| !closes);
        true
    }

    fn take_item(&mut self, line: ScanLine<'a>, content: usize) {
        let front = Front::of(line.text[content..].trim_end());
        self.begin(front, self.columns.last().copied().unwrap_or_default(), line.start);
        if self.open.is_some() || front == Front::Rule {
            return;
        }
        // A marker alone may have its text on the next line.
        self.grows = front != Front::Heading;
        let content = content + mark_length(&line.text[content..]);
        self.items.push(IndexItem {
            bytes: line.start..line.end(),
            line: line.number,
            prefix: line.text[..content].trim_end_matches(['\r', '\n']),
            text: line.text[content..].trim().to_owned(),
            text_follows: false,
        });
    }

    fn take_text(&mut self, rest: &str, depth: usize, end: usize) {
        self.grows &= depth == self.columns.len();
        if !self.paragraph {
            self.columns.truncate(depth);
            self.paragraph = true;
        }
        if let Some(item) = self.items.last_mut().filter(|_| self.grows) {
            item.bytes.end = end;
            item.text_follows = false;
            let space = if item.text.is_empty() { "" } else { " " };
            item.text.extend([space, rest]);
        }
    }

    fn begin(&mut self, front: Front, column: usize, start: usize) {
        self.end_paragraph();
        match front {
            Front::Fence(fence) => {
                self.open = Some(OpenBlock { start, column, fence: Some(fence) })
            }
            Front::Comment => self.open = Some(OpenBlock { start, column, fence: None }),
            Front::Text | Front::Block => self.paragraph = true,
            Front::Blank | Front::Heading | Front::Rule => {}
        }
    }

    fn end_paragraph(&mut self) {
        self.paragraph = false;
        self.grows = false;
    }
}

/// Returns the length of a task box or of the marks of a heading, with the blanks behind.
fn mark_length(content: &str) -> usize {
    let is_blank = |text: &str| text.is_empty() || text.starts_with([' ', '\t', '\r', '\n']);
    let boxed = ["[ ]", "[x]", "[X]"].iter().find_map(|mark| content.strip_prefix(mark));
    let marked = boxed.or_else(|| Some(content.trim_start_matches('#')));
    let rest = marked.filter(|rest| is_blank(rest)).unwrap_or(content);
    if rest.len() == content.len() { 0 } else { content.len() - rest.trim_start().len() }
}
