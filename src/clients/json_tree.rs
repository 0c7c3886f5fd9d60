//! The tree of a JSON file of settings: what is in it, where, and the text without a part of it.

use std::ops::Range;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstNode, CstObject, CstObjectProp, CstRootNode};
use serde_json::Value;

use super::fault::{Fault, FaultCode};

pub(super) fn parse(text: &str) -> Result<CstRootNode, Fault> {
    let options = ParseOptions {
        allow_comments: true,
        allow_loose_object_property_names: false,
        allow_trailing_commas: true,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
    };
    let malformed = |message: String, hint| Fault::new(FaultCode::Malformed, message, hint);
    let root = CstRootNode::parse(text, &options).map_err(|error| {
        let message = format!("it is not JSON: {}", error.kind());
        malformed(message, "correct the line, then try again").at_offset(text, error.range().start)
    })?;
    match root.value() {
        Some(_) => Ok(root),
        None => {
            let hint = "write `{}` there, or remove the file";
            Err(malformed("there is no JSON in it".to_owned(), hint).on_line(1))
        }
    }
}

pub(super) fn member(object: &CstObject, name: &str) -> Result<Option<CstObjectProp>, Fault> {
    let is_named = |each: &CstObjectProp| {
        each.name().and_then(|it| it.decoded_value().ok()).is_some_and(|it| it == name)
    };
    let mut found = object.properties().into_iter().filter(is_named);
    let first = found.next();
    match found.next() {
        None => Ok(first),
        Some(again) => {
            let message = format!("`{name}` stands twice in one object");
            let fault = Fault::new(FaultCode::Malformed, message, "take one of them out");
            Err(fault.on_line(line_of(&again.into())))
        }
    }
}

pub(super) fn wrong_shape(name: &str, value: Option<CstNode>, wants_list: bool) -> Fault {
    let (wanted, example) = if wants_list { ("a list", "[]") } else { ("an object", "{}") };
    let message = format!("{name} is not {wanted}");
    let hint = format!("make it {wanted}, `{example}`");
    let fault = Fault::new(FaultCode::WrongShape, message, hint);
    fault.on_line(value.map_or(1, |value| line_of(&value)))
}

pub(super) fn line_of(node: &CstNode) -> usize {
    1 + texts_before(node).map(|text| text.matches('\n').count()).sum::<usize>()
}

/// Returns the text without a member or an element, and without the comma that goes with it; comments stay.
pub(super) fn without(text: &str, node: &CstNode) -> String {
    let start = offset_of(node);
    let (before, after) = (&text[..start], &text[start + node.to_string().len()..]);
    let is_value = |each: &CstNode| !(each.is_trivia() || each.is_token());
    let next_comma =
        node.trailing_comma().map(|comma| offset_of(&comma.into()) - (text.len() - after.len()));
    let is_last = !node.next_siblings().any(|each| is_value(&each));
    let after = match next_comma {
        Some(comma) => format!("{}{}", &after[..comma], &after[comma + 1..]),
        None => after.to_owned(),
    };
    if !is_last {
        return format!("{before}{}", after.trim_start_matches(BLANKS));
    }
    let above = node.previous_siblings().find(|each| !is_blank(each));
    let is_in_comment = above.is_some_and(|it| it.is_comment() && it.to_string().starts_with("//"));
    let ends_line = after.trim_start_matches([' ', '\t']).starts_with(['\r', '\n']);
    let before = match is_in_comment && !ends_line {
        true => before,
        false => before.trim_end_matches(BLANKS),
    };
    let comma = node.previous_siblings().find(CstNode::is_comma).filter(|_| next_comma.is_none());
    match comma.map(|comma| offset_of(&comma)) {
        Some(comma) => format!("{}{}{after}", &before[..comma], &before[comma + 1..]),
        None => format!("{before}{after}"),
    }
}

const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// Returns where the content of an object or list is that our part is inserted into.
///
/// What is inserted into an empty one begins on the line of its bracket; what we make has lines of its own. So [`without`]
/// restores an empty one, and `remove` knows one that we made.
pub(super) fn content_of(container: &CstNode) -> Range<usize> {
    let start = offset_of(container) + 1;
    start..start + container.to_string().len() - 2
}

/// Returns a text after an insertion into some content, where all but what was added is as it was before: a person's
/// layout stays. A new file is as it was made.
pub(super) fn restored(content: Range<usize>, before: Option<&str>, after: String) -> String {
    let Some(before) = before else { return after };
    let inside = &before[content.clone()];
    let filled = inside.trim_end_matches(BLANKS);
    let trailing = &inside[filled.len()..];
    let leading = &filled[..filled.len() - filled.trim_start_matches(BLANKS).len()];
    let behind = &before[content.end..];
    let new = after[content.start..after.len() - behind.len()].trim_matches(BLANKS);
    format!("{}{leading}{new}{trailing}{behind}", &before[..content.start])
}

fn is_blank(node: &CstNode) -> bool {
    node.is_whitespace() || node.is_newline()
}

fn offset_of(node: &CstNode) -> usize {
    texts_before(node).map(|text| text.len()).sum()
}

/// Returns the parts of the file that come before a node.
fn texts_before(node: &CstNode) -> impl Iterator<Item = String> {
    let above = node.ancestors().map(CstNode::from).chain([node.clone()]);
    above.flat_map(|each| each.previous_siblings().collect::<Vec<_>>()).map(|each| each.to_string())
}

/// Tells whether a file holds only empty lists and sections, and the member that begins a new file; not even a comment.
pub(super) fn is_bare(text: &str, first: Option<&str>) -> bool {
    fn has_comment(nodes: Vec<CstNode>) -> bool {
        nodes.into_iter().any(|each| each.is_comment() || has_comment(each.children()))
    }
    let is_empty_list = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
    let is_empty_section =
        |value: &Value| value.as_object().is_some_and(|all| all.values().all(is_empty_list));
    let Ok(root) = parse(text) else { return false };
    let top = root.object_value().and_then(|top| top.to_serde_value());
    let members = top.as_ref().and_then(Value::as_object);
    let is_left = |(name, value): (&String, &Value)| {
        first == Some(name) || is_empty_list(value) || is_empty_section(value)
    };
    members.is_some_and(|all| all.iter().all(is_left)) && !has_comment(root.children())
}
