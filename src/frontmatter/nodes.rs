//! Finds the keys and values of a YAML text, each with its place in it.

use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use serde_json::Value;

use super::yaml;

pub(super) enum Node {
    Scalar(ScalarNode),
    List,
    Mapping(Vec<KeyValue>),
}

pub(super) struct ScalarNode {
    /// The text as it is meant: without quotes, with line breaks folded.
    pub(super) text: String,
    pub(super) style: ScalarStyle,
    /// The place of the quotes and what is between them; of a block scalar, of its lines alone.
    pub(super) range: Range<usize>,
    /// Whether an anchor or a tag stands before the text.
    pub(super) has_properties: bool,
}

impl ScalarNode {
    pub(super) fn is_null(&self) -> bool {
        yaml::scalar(&self.text, self.style) == Value::Null
    }
}

pub(super) struct KeyValue {
    pub(super) key: String,
    pub(super) key_range: Range<usize>,
    pub(super) value: Node,
    /// Whether the key stands between braces or brackets, where a plain scalar ends at a comma.
    pub(super) in_flow: bool,
}

struct OpenCollection {
    content: OpenContent,
    in_flow: bool,
}

enum OpenContent {
    List,
    Mapping(Vec<KeyValue>, Option<ScalarNode>),
}

impl OpenCollection {
    fn put(&mut self, node: Node) {
        let OpenContent::Mapping(pairs, key) = &mut self.content else { return };
        match (key.take(), node) {
            (None, Node::Scalar(scalar)) => *key = Some(scalar),
            // `yaml::read` refuses a key that is no scalar.
            (None, Node::List | Node::Mapping(_)) => {}
            (Some(key), value) => {
                let (key, key_range) = (key.text, key.range);
                pairs.push(KeyValue { key, key_range, value, in_flow: self.in_flow });
            }
        }
    }

    fn close(self) -> Node {
        match self.content {
            OpenContent::List => Node::List,
            OpenContent::Mapping(pairs, _) => Node::Mapping(pairs),
        }
    }
}

/// Finds the nodes of a text that `yaml::read` accepts; none where it is blank.
pub(super) fn find(text: &str) -> Result<Option<Node>, String> {
    // The parser counts characters.
    let offsets: Vec<usize> =
        text.char_indices().map(|(at, _)| at).chain(std::iter::once(text.len())).collect();
    let offset = |index: usize| offsets.get(index).copied().unwrap_or(text.len());
    let mut open: Vec<OpenCollection> = Vec::new();
    let mut root = None;
    for event in Parser::new_from_str(text) {
        let (event, Span { start, end }) = event.map_err(|error| error.to_string())?;
        let range = offset(start.index())..offset(end.index());
        let Some(node) = read_event(event, range, text, &mut open) else { continue };
        match open.last_mut() {
            Some(collection) => collection.put(node),
            None => root = Some(node),
        }
    }
    Ok(root)
}

/// Opens or closes what an event begins or ends; returns the node that is whole with it.
fn read_event(
    event: Event<'_>,
    range: Range<usize>,
    source: &str,
    open: &mut Vec<OpenCollection>,
) -> Option<Node> {
    let is_inside = open.last().is_some_and(|collection| collection.in_flow);
    let in_flow = is_inside || source[range.start..].starts_with(['{', '[']);
    match event {
        Event::Scalar(text, style, anchor, tag) => {
            let has_properties = anchor != 0 || tag.is_some();
            let range = range.start..end_of_scalar(source, &range, style);
            let text = text.into_owned();
            return Some(Node::Scalar(ScalarNode { text, style, range, has_properties }));
        }
        Event::SequenceStart(..) => {
            open.push(OpenCollection { content: OpenContent::List, in_flow });
        }
        Event::MappingStart(..) => {
            let content = OpenContent::Mapping(Vec::new(), None);
            open.push(OpenCollection { content, in_flow });
        }
        Event::SequenceEnd | Event::MappingEnd => return open.pop().map(OpenCollection::close),
        Event::Alias(_)
        | Event::Nothing
        | Event::StreamStart
        | Event::StreamEnd
        | Event::DocumentStart(_)
        | Event::DocumentEnd => {}
    }
    None
}

/// Returns the place behind a scalar: of one in quotes, the parser counts a comment behind it too.
fn end_of_scalar(source: &str, range: &Range<usize>, style: ScalarStyle) -> usize {
    let quote = match style {
        ScalarStyle::SingleQuoted => b'\'',
        ScalarStyle::DoubleQuoted => b'"',
        ScalarStyle::Plain | ScalarStyle::Literal | ScalarStyle::Folded => return range.end,
    };
    let bytes = source.as_bytes();
    let mut at = range.start + 1;
    while at < range.end {
        let is_escape = quote == b'"' && bytes[at] == b'\\';
        let is_doubled = quote == b'\'' && bytes[at..].starts_with(b"''");
        match bytes[at] {
            _ if is_escape || is_doubled => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    range.end
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists each scalar value by its key, with the bytes that the parser says it has.
    fn places(text: &str) -> Vec<(String, &str)> {
        fn list<'a>(node: Node, text: &'a str, found: &mut Vec<(String, &'a str)>) {
            let Node::Mapping(pairs) = node else { return };
            for KeyValue { key, key_range, value, .. } in pairs {
                assert!(text[key_range].contains(&key));
                match value {
                    Node::Scalar(scalar) => found.push((key, &text[scalar.range])),
                    Node::List | Node::Mapping(_) => list(value, text, found),
                }
            }
        }
        let mut found = Vec::new();
        list(find(text).expect("it is YAML").expect("it has a node"), text, &mut found);
        found
    }

    fn check(text: &str, expected: &[(&str, &str)]) {
        let found = places(text);
        let found: Vec<(&str, &str)> = found.iter().map(|(key, at)| (key.as_str(), *at)).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn each_value_is_found_by_its_bytes() {
        check("a: 'b' # c\nd: \"e\"\nf: g h # i\n", &[("a", "'b'"), ("d", "\"e\""), ("f", "g h")]);
        check(
            "a: 'it''s' # '\nb: \"x \\\" \\\\\" # \"\n",
            &[("a", "'it''s'"), ("b", r#""x \" \\""#)],
        );
        check("m:\n  a: x\nn: {b: y, c: \"z\"}\n", &[("a", "x"), ("b", "y"), ("c", "\"z\"")]);
        check("a: b\n  c\nd: e\n", &[("a", "b\n  c"), ("d", "e")]);
    }

    #[test]
    fn places_are_bytes_also_behind_other_scripts_and_carriage_returns() {
        check("# 日本語\r\na: 日本\r\nb: 'é'\r\n", &[("a", "日本"), ("b", "'é'")]);
    }

    #[test]
    fn a_blank_text_has_no_node() {
        assert!(find("").expect("it is YAML").is_none());
        assert!(find("# only a remark\n").expect("it is YAML").is_none());
    }
}
