//! Changes one value of a front matter by splice.

use std::ops::Range;

use saphyr_parser::ScalarStyle;

use super::fields::{FrontMatter, KeyPath};
use super::nodes::{KeyValue, Node, ScalarNode};
use super::scalar::{quoted, scalar};
use super::split::{Split, split};
use crate::markdown::LineEnding;

/// How a new value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// Without quotes where that is safe, as [`scalar`] says.
    Safe,
    /// As the value before: some programs read `2026-11-20` and `"2026-11-20"` as unlike things.
    AsBefore,
}

struct Splice {
    range: Range<usize>,
    text: String,
}

/// Sets a key in the front matter of a text, and keeps all other bytes of the text.
///
/// A value that is right already keeps its spelling. A key that is missing goes last, if it is one at
/// the top level. The error is a short phrase that says why the text cannot be edited.
pub(crate) fn set(
    text: &str,
    key: KeyPath<'_>,
    value: &str,
    spelling: Spelling,
) -> Result<String, String> {
    let Split::With { front, body } = split(text) else {
        return Err("it has no front matter".to_owned());
    };
    let lines = &text[front.clone()];
    let before = FrontMatter::read(lines)?;
    if before.text(key)? == Some(value) {
        return Ok(text.to_owned());
    }
    let splice = match before.find(key) {
        Some(pair) => replacement(lines, pair, value, spelling),
        None => addition(lines, &before, key, value),
    };
    let not_edited = || format!("`{}` cannot be edited there", key.last());
    let splice = splice.ok_or_else(not_edited)?;
    let (start, end) = (front.start + splice.range.start, front.start + splice.range.end);
    let new_lines = LineEnding::of(text).apply(&splice.text);
    let changed = [&text[..start], &new_lines, &text[end..]].concat();
    let is_right =
        is_changed_alone(&before, &changed, key, value) && changed.ends_with(&text[body.start..]);
    if is_right { Ok(changed) } else { Err(not_edited()) }
}

/// Tells whether a text says what one did before, but for the one value.
fn is_changed_alone(before: &FrontMatter, changed: &str, key: KeyPath<'_>, value: &str) -> bool {
    let Split::With { front, .. } = split(changed) else { return false };
    FrontMatter::read(&changed[front]).is_ok_and(|after| {
        after.text(key) == Ok(Some(value))
            && after.values_without(key) == before.values_without(key)
    })
}

fn replacement(front: &str, pair: &KeyValue, value: &str, spelling: Spelling) -> Option<Splice> {
    let Node::Scalar(old) = &pair.value else { return None };
    let spelled = match spelling {
        Spelling::Safe if pair.in_flow => spelled_in_flow(old, value),
        Spelling::Safe => scalar(value),
        Spelling::AsBefore => spelled_as(old, value),
    };
    let is_block = matches!(old.style, ScalarStyle::Literal | ScalarStyle::Folded);
    if !(is_block || old.has_properties || old.range.is_empty()) {
        return Some(Splice { range: old.range.clone(), text: spelled });
    }
    // What stands before a block, as `>-`, is in no range of the parser; an empty value has none at all.
    let colon = front[pair.key_range.end..].find(':')?;
    let start = pair.key_range.end + colon + 1;
    let has_colon = front[pair.key_range.end..start - 1].trim().is_empty();
    let is_empty = old.range.is_empty() && !is_block && !old.has_properties;
    let end = if is_empty { start } else { old.range.end.max(start) };
    let end = start + front[start..end].trim_end().len();
    has_colon.then(|| Splice { range: start..end, text: format!(" {spelled}") })
}

fn spelled_in_flow(old: &ScalarNode, value: &str) -> String {
    let is_safe = old.style == ScalarStyle::Plain && !value.contains([',', '[', ']', '{', '}']);
    if is_safe { scalar(value) } else { quoted(value) }
}

fn spelled_as(old: &ScalarNode, value: &str) -> String {
    match old.style {
        ScalarStyle::Plain => value.to_owned(),
        ScalarStyle::SingleQuoted => format!("'{}'", value.replace('\'', "''")),
        ScalarStyle::DoubleQuoted | ScalarStyle::Literal | ScalarStyle::Folded => quoted(value),
    }
}

/// Adds a line at the end; in a mapping below the top level nothing is added.
fn addition(front: &str, before: &FrontMatter, key: KeyPath<'_>, value: &str) -> Option<Splice> {
    let KeyPath::Top(key) = key else { return None };
    let first = before.pairs.first().map_or(0, |pair| pair.key_range.start);
    let line_start = front[..first].rfind('\n').map_or(0, |newline| newline + 1);
    let indent = &front[line_start..first];
    // What stands before the first key of a mapping in braces is no indentation.
    let is_indent = indent.trim().is_empty();
    let text = format!("{indent}{}: {}\n", scalar(key), scalar(value));
    is_indent.then_some(Splice { range: front.len()..front.len(), text })
}

#[cfg(test)]
mod tests;
