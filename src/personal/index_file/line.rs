//! Tells what a line of Markdown begins with.

/// Markers that one line may have, so that a long line of them is read once.
const MARKERS: usize = 8;

/// What the text of a line begins, behind its indentation and its list markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Front {
    Blank,
    Heading,
    Rule,
    Fence(FenceMark),
    /// A comment that the line does not close.
    Comment,
    /// A quote, a tag, or a whole comment: a paragraph above does not go on here.
    Block,
    Text,
}

/// The characters that open a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FenceMark {
    mark: char,
    length: usize,
}

/// The blanks in front of a text.
pub(super) struct Indent {
    pub(super) bytes: usize,
    pub(super) columns: usize,
}

/// The list markers in front of a text: more than one where a list begins in a list.
#[derive(Debug, Default)]
pub(super) struct Markers {
    pub(super) bytes: usize,
    /// For each marker, the column in which its content begins.
    pub(super) columns: Vec<usize>,
}

impl Front {
    /// Classifies a line without its indentation and its line end.
    pub(super) fn of(rest: &str) -> Self {
        match rest.bytes().next() {
            None => Self::Blank,
            Some(b'#') if is_heading(rest) => Self::Heading,
            Some(b'`' | b'~') => FenceMark::of(rest).map_or(Self::Text, Self::Fence),
            Some(b'-' | b'*' | b'_') if is_rule(rest) => Self::Rule,
            Some(b'>') => Self::Block,
            Some(b'<') if rest.starts_with("<!--") => {
                if rest.contains("-->") {
                    Self::Block
                } else {
                    Self::Comment
                }
            }
            Some(b'<') if is_tag(rest) => Self::Block,
            Some(_) => Self::Text,
        }
    }
}

impl FenceMark {
    fn of(rest: &str) -> Option<Self> {
        let mark = rest.chars().next()?;
        let length = rest.chars().take_while(|c| *c == mark).count();
        // ``` a`b is inline code.
        let is_fence = length >= 3 && (mark == '~' || !rest[length..].contains('`'));
        is_fence.then_some(Self { mark, length })
    }

    pub(super) fn is_closed_by(self, rest: &str) -> bool {
        let after = rest.trim_start_matches(self.mark);
        after.is_empty() && rest.len() >= self.length
    }
}

impl Indent {
    /// Measures the blanks of a text that begins in a column; a tab goes to the next fourth one.
    pub(super) fn of(text: &str, from: usize) -> Self {
        let bytes = text.len() - text.trim_start_matches([' ', '\t']).len();
        let step = |column: usize, c| if c == '\t' { column / 4 * 4 + 4 } else { column + 1 };
        Self { bytes, columns: text[..bytes].chars().fold(from, step) - from }
    }
}

impl Markers {
    pub(super) fn of(rest: &str, column: usize) -> Self {
        let mut found = Self::default();
        let mut end = column;
        while found.columns.len() < MARKERS {
            let text = &rest[found.bytes..];
            let Some(marker) = marker_length(text).filter(|_| !is_rule(text)) else { break };
            let blanks = Indent::of(&text[marker..], end + marker);
            let is_narrow = (1..=4).contains(&blanks.columns) && text.len() > marker + blanks.bytes;
            found.columns.push(end + marker + if is_narrow { blanks.columns } else { 1 });
            found.bytes += marker + blanks.bytes;
            end += marker + blanks.columns;
        }
        found
    }
}

/// Returns the length of the list marker that a text begins with.
fn marker_length(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let marks: &[char] = if digits == 0 { &['-', '*', '+'] } else { &['.', ')'] };
    let after = text[digits..].strip_prefix(marks)?;
    let is_marker = digits <= 9 && (after.is_empty() || after.starts_with([' ', '\t']));
    is_marker.then_some(digits + 1)
}

fn is_heading(rest: &str) -> bool {
    let after = rest.trim_start_matches('#');
    rest.len() - after.len() <= 6 && (after.is_empty() || after.starts_with([' ', '\t']))
}

fn is_rule(rest: &str) -> bool {
    let mark = rest.chars().next().filter(|c| ['-', '*', '_'].contains(c));
    let only = |mark| rest.chars().all(|c| c == mark || c == ' ' || c == '\t');
    mark.is_some_and(|mark| only(mark) && rest.matches(mark).count() >= 3)
}

/// Tells whether a line begins with an HTML tag, and not with an address in angle brackets.
fn is_tag(rest: &str) -> bool {
    let rest = &rest[1..];
    let name = rest.strip_prefix('/').unwrap_or(rest);
    let after = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '-');
    let is_named = name.starts_with(|c: char| c.is_ascii_alphabetic());
    is_named && (after.is_empty() || after.starts_with([' ', '\t', '>', '/']))
}
