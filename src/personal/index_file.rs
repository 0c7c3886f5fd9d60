//! Edits the index `MEMORY.md` by list item; the bytes of all other lines stay.

mod items;
mod line;
mod link;

use std::ops::Range;

use crate::markdown::{BYTE_ORDER_MARK, LineEnding};

use items::{IndexItem, IndexItems};
use link::first_link;

/// A list item of the index that belongs to an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IndexLine {
    /// The file that the first link leads to, without `.md`.
    pub(crate) name: String,
    /// The text of that link, as it is written.
    pub(crate) label: String,
    /// The text behind that link, without the dash or colon in between.
    pub(crate) hook: String,
    /// The number of the first line of the item, from 1.
    pub(crate) line: usize,
}

/// Returns the line that the index gets for an entry.
pub(crate) fn line_of(name: &str, description: &str) -> String {
    format!("- {}", link_line(name, name, description))
}

/// Returns the items that belong to entries, in their order; an entry may have several.
pub(crate) fn listed(text: &str) -> Vec<IndexLine> {
    IndexItems::read(text).items.iter().filter_map(index_line).collect()
}

/// Returns the entries that have an item, or a part of one, in these bytes.
pub(crate) fn listed_in(text: &str, bytes: Range<usize>) -> Vec<String> {
    let found = IndexItems::read(text);
    let is_in = |item: &&IndexItem| item.bytes.start < bytes.end && bytes.start < item.bytes.end;
    found.items.iter().filter(is_in).filter_map(|item| Some(index_line(item)?.name)).collect()
}

/// Replaces the first item of an entry and removes its other items, or adds a line where there is none.
///
/// The description must be one line. An item that says the same in another form keeps its bytes.
pub(crate) fn with_line(text: &str, name: &str, description: &str, keeps_label: bool) -> String {
    let found = IndexItems::read(text);
    let lines = found.items.iter().filter_map(|item| Some((item, index_line(item)?)));
    let Some((item, old)) = lines.into_iter().find(|(_, line)| line.name == name) else {
        return with_new_line(text, &line_of(name, description), found.left_open);
    };
    let label = if keeps_label { old.label.as_str() } else { name };
    if old.hook == description && old.label == label {
        return without_items(text, name, 1);
    }
    let space = if item.prefix.ends_with([' ', '\t']) { "" } else { " " };
    let prefix = item.prefix;
    let link = link_line(kept_label(label, name, description), name, description);
    let Range { start, end } = item.bytes;
    let line_end = line_end(&text[item.bytes.clone()]);
    let replaced = [&text[..start], prefix, space, &link, line_end, &text[end..]].concat();
    without_items(&replaced, name, 1)
}

/// Removes all items of an entry.
pub(crate) fn without_line(text: &str, name: &str) -> String {
    without_items(text, name, 0)
}

/// Returns the text without the items of these entries.
pub(crate) fn without_entries(text: &str, is_one: impl Fn(&str) -> bool) -> String {
    let found = IndexItems::read(text);
    let is_own = |item: &&IndexItem| index_line(item).is_some_and(|line| is_one(&line.name));
    let own: Vec<&IndexItem> = found.items.iter().filter(is_own).collect();
    with_items_as(text, &own, |_, _, _| String::new())
}

/// Returns the number of lines and of bytes.
pub(crate) fn sizes(text: &str) -> (usize, usize) {
    (text.lines().count(), text.len())
}

/// Removes the items of an entry but for the first `kept` ones; all other lines stay.
///
/// What hangs below an item could become an item, or be one no longer: there an empty item stays.
fn without_items(text: &str, name: &str, kept: usize) -> String {
    let found = IndexItems::read(text);
    let mut own = 0;
    let (removed, left): (Vec<_>, Vec<_>) = found.items.iter().partition(|item| {
        let is_own = index_line(item).is_some_and(|line| line.name == name);
        own += usize::from(is_own);
        is_own && own > kept
    });
    if removed.is_empty() {
        return text.to_owned();
    }
    let rest = with_items_as(text, &removed, blank_line);
    let others = IndexItems::read(&rest).items;
    let is_same = |(one, other): (&IndexItem, &&IndexItem)| one.text == other.text;
    match others.len() == left.len() && others.iter().zip(&left).all(is_same) {
        true => rest,
        false => with_items_as(text, &removed, |_, item, line_end| {
            format!("{} <!-- -->{line_end}", item.prefix.trim_end())
        }),
    }
}

/// Replaces items; `instead` is asked with the text before an item, and the line end of the item.
fn with_items_as(
    text: &str,
    items: &[&IndexItem],
    instead: impl Fn(&str, &IndexItem, &str) -> String,
) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut end = 0;
    for item in items {
        replaced.push_str(&text[end..item.bytes.start]);
        let instead = instead(&replaced, item, line_end(&text[item.bytes.clone()]));
        replaced.push_str(&instead);
        end = item.bytes.end;
    }
    replaced.push_str(&text[end..]);
    replaced
}

/// Returns an empty line where the text below an item would go on with the text above it.
fn blank_line(before: &str, item: &IndexItem, line_end: &str) -> String {
    let has_text_above = before.lines().next_back().is_some_and(|line| !line.trim().is_empty());
    match has_text_above && item.text_follows {
        true => line_end.to_owned(),
        false => String::new(),
    }
}

/// Adds a line at the end, or before a fence or comment that is never closed, as it would be hidden in there.
fn with_new_line(text: &str, line: &str, left_open: Option<usize>) -> String {
    let line_end = LineEnding::of(text).apply("\n");
    let (before, after) = text.split_at(left_open.unwrap_or(text.len()));
    let has_end = before.is_empty() || before.ends_with('\n') || before == BYTE_ORDER_MARK;
    let end_before = if has_end { "" } else { &line_end };
    // With less indentation than the fence, the new item would contain the fence.
    let indent = &after[..after.len() - after.trim_start_matches(' ').len()];
    [before, end_before, indent, line, &line_end, after].concat()
}

fn link_line(label: &str, name: &str, description: &str) -> String {
    format!("[{label}]({name}.md) — {description}")
}

/// Returns the label if a link can have it.
///
/// A label with one backtick is a link until the text behind it has a backtick too.
fn kept_label<'a>(label: &'a str, name: &'a str, description: &str) -> &'a str {
    let line = link_line(label, name, description);
    let is_link = first_link(&line).is_some_and(|link| link.label == label);
    if is_link && !label.trim().is_empty() { label } else { name }
}

fn index_line(item: &IndexItem) -> Option<IndexLine> {
    let link = first_link(&item.text)?;
    Some(IndexLine {
        name: link.name()?,
        label: link.label.to_owned(),
        hook: link.hook().to_owned(),
        line: item.line,
    })
}

fn line_end(text: &str) -> &str {
    let ends = ["\r\n", "\n"];
    ends.into_iter().find(|end| text.ends_with(end)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
