//! The tree of a JSON file of settings: what is in it, where, and how something is taken out.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstNode, CstObject, CstObjectProp, CstRootNode};

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
    let above = node.ancestors().map(CstNode::from).chain([node.clone()]);
    let before = above.flat_map(|each| each.previous_siblings().collect::<Vec<_>>());
    1 + before.map(|each| each.to_string().matches('\n').count()).sum::<usize>()
}

/// Removes a member or an element with its comma; comments in the same line stay.
pub(super) fn cut(node: CstNode) {
    let same_line = |each: &CstNode| (each.is_trivia() && !each.is_newline()) || each.is_comma();
    let before = node.previous_siblings().take_while(same_line);
    let in_line = before.chain(node.next_siblings().take_while(same_line));
    // The package takes all up to the comma, which may stand lines below.
    let up_to_comma: Vec<CstNode> = node.next_siblings().take_while(CstNode::is_trivia).collect();
    let has_comma = node.next_siblings().nth(up_to_comma.len()).is_some_and(|it| it.is_comma());
    let up_to_comma = up_to_comma.into_iter().filter(|_| has_comma);
    if !in_line.chain(up_to_comma).any(|each| each.is_comment()) {
        return remove_in_layout(node);
    }
    let after = node.trailing_comma().map(CstNode::from);
    if let Some(comma) = after.or_else(|| node.previous_siblings().find(CstNode::is_comma)) {
        comma.remove();
    }
    node.children().into_iter().for_each(CstNode::remove);
}

/// Removes a member or an element; where its container ended on its line, the container still does.
fn remove_in_layout(node: CstNode) {
    let ends_line = node.next_siblings().next().is_some_and(|next| next.is_token());
    let before = node.previous_siblings().find(|each| !(each.is_trivia() || each.is_comma()));
    node.remove();
    if let (true, Some(last)) = (ends_line, before.filter(|it| !it.is_token())) {
        last.next_siblings()
            .take_while(is_blank)
            .collect::<Vec<_>>()
            .into_iter()
            .for_each(CstNode::remove);
    }
}

/// A comment counts as content.
pub(super) fn is_empty(node: &CstNode) -> bool {
    let says = |each: &CstNode| each.is_comment() || !(each.is_trivia() || each.is_token());
    !node.children().iter().any(says)
}

/// The object or list that takes our part, with the blanks at its ends: a person's layout stays as it is.
///
/// What is put into an empty one begins on the line of its bracket. So it is known again, and is left there when our part
/// goes; one that we made has lines of its own.
pub(super) struct Holder {
    /// Where its content begins, and how long it is.
    start: usize,
    length: usize,
    head: String,
    tail: String,
}

impl Holder {
    pub(super) fn of(container: &CstNode) -> Option<Self> {
        let children = container.children();
        let inside: Vec<&CstNode> =
            children.get(1..children.len().checked_sub(1)?)?.iter().collect();
        let blanks = |nodes: &[&CstNode]| nodes.iter().map(ToString::to_string).collect::<String>();
        let at_end = inside.iter().rev().take_while(|each| is_blank(each)).count();
        let (filled, tail) = inside.split_at(inside.len() - at_end);
        let at_start = filled.iter().take_while(|each| is_blank(each)).count();
        Some(Self {
            start: offset_of(container) + 1,
            length: blanks(&inside).len(),
            head: blanks(&filled[..at_start]),
            tail: blanks(tail),
        })
    }

    /// Returns the new text, where all but what was added is as it was before.
    pub(super) fn restored(&self, before: &str, after: &str) -> String {
        let Self { start, length, head, tail } = self;
        let behind = &before[start + length..];
        let inside = after[*start..after.len() - behind.len()].trim();
        format!("{}{head}{inside}{tail}{behind}", &before[..*start])
    }
}

fn is_blank(node: &CstNode) -> bool {
    node.is_whitespace() || node.is_newline()
}

/// How a member or an element is taken out.
pub(super) enum WayOut {
    /// It was put into what a person left empty.
    Exact,
    /// With its comma and its line.
    Cut,
}

impl WayOut {
    /// No formatter writes an object that begins on the line of the one around it, and has its first member on the next.
    pub(super) fn of(node: &CstNode) -> Self {
        let is_value = |each: &CstNode| !(each.is_trivia() || each.is_token());
        let mut beside = node.previous_siblings().chain(node.next_siblings());
        let is_alone = !beside.any(|each| is_value(&each));
        let follows_bracket = node.previous_siblings().next().is_some_and(|it| it.is_token());
        let text = node.to_string();
        let breaks = text.lines().next().is_some_and(|line| line.ends_with(['{', '[']));
        match is_alone && follows_bracket && breaks && text.contains('\n') {
            true => Self::Exact,
            false => Self::Cut,
        }
    }

    pub(super) fn take(&self, node: CstNode) {
        match self {
            Self::Exact => {
                node.trailing_comma().into_iter().for_each(|comma| comma.remove());
                node.children().into_iter().for_each(CstNode::remove);
            }
            Self::Cut => cut(node),
        }
    }
}

fn offset_of(node: &CstNode) -> usize {
    let above = node.ancestors().map(CstNode::from).chain([node.clone()]);
    let before = above.flat_map(|each| each.previous_siblings().collect::<Vec<_>>());
    before.map(|each| each.to_string().len()).sum()
}

/// Tells whether a file holds nothing, not even a comment.
pub(super) fn is_bare(root: &CstRootNode) -> bool {
    let is_comment = |each: &CstNode| each.is_comment();
    let has_comment = root.children().iter().any(is_comment);
    !has_comment && root.object_value().is_some_and(|top| is_empty(&top.into()))
}
