//! Reads tables: which value stands under which head.

use std::ops::Range;

use crate::secrets::names::promises;

/// The columns of the table that is being read, where a head promises a secret.
#[derive(Default)]
pub(super) struct Columns {
    kind: Option<ColumnKind>,
    heads: Vec<Option<Range<usize>>>,
    count: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnKind {
    /// Cells between bars.
    Bars,
    Comma,
    Semicolon,
    Tab,
    /// Words with two blanks or more between them.
    Aligned,
}

const KINDS: [ColumnKind; 5] = [
    ColumnKind::Bars,
    ColumnKind::Comma,
    ColumnKind::Semicolon,
    ColumnKind::Tab,
    ColumnKind::Aligned,
];
/// A longer line is no row, and more fields are no table that a person reads.
const LINE: usize = 2000;
const FIELDS: usize = 40;
/// A longer tag is none: looking for its end again and again would cost the square of a hostile text.
const TAG: usize = 200;

impl Columns {
    /// The values of a row with their names. A line that is no row of the table ends it, and may begin another.
    pub(super) fn values_of(
        &mut self,
        text: &str,
        line: Range<usize>,
    ) -> Vec<(Range<usize>, Range<usize>)> {
        if line.len() > LINE {
            self.kind = None;
            return Vec::new();
        }
        let whole = &text[line.clone()];
        let is_border = !whole.is_empty() && whole.bytes().all(|byte| b"+-=|: \r".contains(&byte));
        if is_border {
            return Vec::new();
        }
        if let Some(kind) = self.kind {
            let cells = cells_of(kind, text, line.clone());
            if cells.len() == self.count && !promises_any(text, &cells) {
                let values = self.heads.iter().cloned().zip(cells);
                let is_value =
                    |cell: &Range<usize>| !text[cell.clone()].contains(char::is_whitespace);
                return values
                    .filter_map(|(head, cell)| Some((head?, cell)))
                    .filter(|(_, cell)| is_value(cell))
                    .collect();
            }
            self.kind = None;
        }
        for kind in KINDS.into_iter().filter(|kind| is_there(*kind, whole)) {
            self.begin(kind, text, line.clone());
            if self.kind.is_some() {
                break;
            }
        }
        Vec::new()
    }

    /// Begins a table with a line of which every field could be a head and one promises a secret.
    fn begin(&mut self, kind: ColumnKind, text: &str, line: Range<usize>) {
        // Prose ends here, at its first comma.
        if !parts_of(kind, &text[line.clone()]).all(could_be_a_head) {
            return;
        }
        let cells = cells_of(kind, text, line);
        if (2..=FIELDS).contains(&cells.len()) && promises_any(text, &cells) {
            self.kind = Some(kind);
            self.count = cells.len();
            let promising =
                |cell: Range<usize>| Some(cell.clone()).filter(|_| promises(&text[cell]));
            self.heads = cells.into_iter().map(promising).collect();
        }
    }
}

fn is_there(kind: ColumnKind, line: &str) -> bool {
    let bytes = line.as_bytes();
    match kind {
        ColumnKind::Bars => bytes.contains(&b'|'),
        ColumnKind::Comma => bytes.contains(&b','),
        ColumnKind::Semicolon => bytes.contains(&b';'),
        ColumnKind::Tab => bytes.contains(&b'\t'),
        ColumnKind::Aligned => bytes.windows(2).any(|pair| pair == b"  "),
    }
}

fn could_be_a_head(part: &str) -> bool {
    let is_sign = |c: char| c.is_alphanumeric() || " _-./'\"`*\t\r".contains(c);
    let head = part.trim();
    head.len() <= 40 && head.chars().all(is_sign) && head.split(' ').count() <= 4
}

fn promises_any(text: &str, cells: &[Range<usize>]) -> bool {
    cells.iter().any(|cell| promises(&text[cell.clone()]))
}

/// The parts of a line between the signs of a table.
fn parts_of(kind: ColumnKind, line: &str) -> impl Iterator<Item = &str> {
    let bars = line.trim().trim_start_matches(['>', ' ']);
    let bars = bars.strip_prefix('|').unwrap_or(bars);
    let (inside, separator) = match kind {
        ColumnKind::Bars => (bars.strip_suffix('|').unwrap_or(bars), "|"),
        ColumnKind::Comma => (line.trim(), ","),
        ColumnKind::Semicolon => (line.trim(), ";"),
        ColumnKind::Tab => (line.trim_matches([' ', '\r']), "\t"),
        ColumnKind::Aligned => (line.trim(), "  "),
    };
    inside
        .split(separator)
        .filter(move |part| kind != ColumnKind::Aligned || !part.trim().is_empty())
}

/// The cells of a line without blanks and marks around them.
fn cells_of(kind: ColumnKind, text: &str, line: Range<usize>) -> Vec<Range<usize>> {
    let whole = &text[line.clone()];
    let is_around = |c: char| c.is_whitespace() || "\"'`*".contains(c);
    let range = |part: &str| {
        let cell = part.trim_matches(is_around);
        let start = line.start + (cell.as_ptr() as usize - whole.as_ptr() as usize);
        start..start + cell.len()
    };
    parts_of(kind, whole).map(range).collect()
}

/// The cells of HTML tables under heads that promise a secret, each with its head.
pub(super) fn html_cells(text: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let (mut heads, mut column, mut values, mut label) = (Vec::new(), 0, Vec::new(), None);
    let is_cell = |at: &usize| text.as_bytes().get(at + 1).is_some_and(|byte| b"td".contains(byte));
    for at in text.match_indices('<').map(|(at, _)| at).filter(is_cell) {
        let rest = &text[at..];
        let close = rest.bytes().take(TAG).position(|byte| byte == b'>');
        let Some(inside) = close.map(|end| at + end + 1) else { continue };
        let end = text[inside..].find('<').map_or(text.len(), |end| inside + end);
        let cell = text[inside..end].trim();
        let start = inside + (text[inside..end].len() - text[inside..end].trim_start().len());
        let cell = start..start + cell.len();
        match rest.as_bytes().get(2) {
            Some(b'r') => (column, label) = (0, None),
            Some(b'h') if rest.as_bytes().get(3) != Some(&b'e') => {
                if column == 0 {
                    heads.clear();
                }
                label = Some(cell.clone()).filter(|_| promises(&text[cell.clone()]));
                heads.push(label.clone());
                column += 1;
            }
            Some(b't') => label = Some(cell.clone()).filter(|_| promises(&text[cell])),
            Some(b'd') => {
                let head = label.take().or_else(|| heads.get(column).cloned().flatten());
                values.extend(head.filter(|_| !cell.is_empty()).map(|head| (head, cell)));
                column += 1;
            }
            _ => {}
        }
    }
    values
}
