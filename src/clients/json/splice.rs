//! Puts a first item into an object or a list, and cuts one out, without touching what is beside it.

use std::ops::Range;

use jsonc_parser::common::Ranged;

/// An object or a list: where it stands, and its items.
#[derive(Debug)]
pub(super) struct Items {
    whole: Range<usize>,
    each: Vec<Range<usize>>,
}

impl Items {
    pub(super) fn of(whole: &impl Ranged, items: &[impl Ranged]) -> Self {
        let range = |ranged: &dyn Ranged| ranged.start()..ranged.end();
        Self { whole: range(whole), each: items.iter().map(|item| range(item)).collect() }
    }
}

/// Puts an item first: in a line of its own where the others have that, otherwise in the line that is there.
///
/// `lay_out` writes it over several lines, with these line ends and this indent.
pub(super) fn add_first(
    text: &str,
    items: &Items,
    line: &str,
    lay_out: impl FnOnce(&str, &str) -> String,
) -> String {
    let inside = items.whole.start + 1;
    let Some(first) = items.each.first() else { return insert(text, inside, line) };
    let lead = &text[inside..first.start];
    let Some((at, _)) = outside_comments(lead).find(|(_, c)| *c == '\n') else {
        return insert(text, first.start, &format!("{line}, "));
    };
    let (at, eol) = match lead[..at].ends_with('\r') {
        true => (at - 1, "\r\n"),
        false => (at, "\n"),
    };
    let own_line = lead.rsplit('\n').next().unwrap_or_default();
    let blanks = own_line.len() - own_line.trim_start_matches([' ', '\t']).len();
    let indent = &own_line[..blanks];
    insert(text, inside + at, &format!("{eol}{indent}{},", lay_out(eol, indent)))
}

/// Cuts an item out, with one comma and the line that was its own.
pub(super) fn cut(text: &str, items: &Items, at: usize) -> String {
    let item = &items.each[at];
    let line = line_before(text, item.start);
    let next = items.each.get(at + 1).map_or(items.whole.end - 1, |next| next.start);
    if let Some(comma) = comma(text, item.end..next) {
        return match line {
            Some(start) => without(text, &[start..item.end, comma..comma + 1]),
            None => {
                let blank = usize::from(text[comma + 1..].starts_with(' '));
                without(text, &[item.clone(), comma..comma + 1 + blank])
            }
        };
    }
    let previous = at.checked_sub(1).map(|at| items.each[at].end);
    match previous.and_then(|end| comma(text, end..item.start)) {
        Some(comma) => {
            let start = line.unwrap_or_else(|| text[..item.start].trim_end_matches(' ').len());
            without(text, &[comma..comma + 1, start.max(comma + 1)..item.end])
        }
        None => {
            let alone = line.unwrap_or(item.start)..item.end;
            without(text, std::slice::from_ref(&alone))
        }
    }
}

/// Returns where the line end stands before an item that is the first in its line.
fn line_before(text: &str, item: usize) -> Option<usize> {
    let before = text[..item].trim_end_matches([' ', '\t']).strip_suffix('\n')?;
    Some(before.strip_suffix('\r').unwrap_or(before).len())
}

fn comma(text: &str, between: Range<usize>) -> Option<usize> {
    let found = outside_comments(&text[between.clone()]).find(|(_, c)| *c == ',');
    found.map(|(at, _)| between.start + at)
}

fn insert(text: &str, at: usize, added: &str) -> String {
    format!("{}{added}{}", &text[..at], &text[at..])
}

fn without(text: &str, cuts: &[Range<usize>]) -> String {
    let mut rest = 0;
    let mut kept = String::with_capacity(text.len());
    for cut in cuts {
        kept += &text[rest..cut.start];
        rest = cut.end;
    }
    kept + &text[rest..]
}

/// Returns the characters between two items that are in no comment; the end of a line is in none.
fn outside_comments(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut skip_to = 0;
    text.char_indices().filter(move |(at, _)| {
        if *at < skip_to {
            return false;
        }
        let rest = &text[*at..];
        let end = if rest.starts_with("//") {
            rest.find('\n')
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|end| end + 2)
        } else {
            return true;
        };
        skip_to = end.map_or(text.len(), |end| at + end);
        false
    })
}
