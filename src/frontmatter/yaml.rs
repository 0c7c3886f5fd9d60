//! Reads YAML as plain data. An alias is refused: a few of them make a page into gigabytes.

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};

const DEEPEST: usize = 32;

enum OpenNode {
    List(Vec<Value>),
    Mapping(Map<String, Value>, Option<String>),
}

impl OpenNode {
    fn close(self) -> Value {
        match self {
            Self::List(list) => Value::Array(list),
            Self::Mapping(mapping, _) => Value::Object(mapping),
        }
    }
}

pub(crate) fn read(text: &str) -> Result<Value, String> {
    let mut open: Vec<OpenNode> = Vec::new();
    let mut document = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| format!("it is no YAML: {error}"))?;
        let line = span.start.line();
        let at = |what: &str| format!("{what}, on line {line}");
        let whole = read_event(event, &mut open).map_err(|why| at(&why))?;
        if open.len() > DEEPEST {
            return Err(at("it goes too deep"));
        }
        let Some(value) = whole else { continue };
        match open.last_mut() {
            Some(OpenNode::List(list)) => list.push(value),
            Some(OpenNode::Mapping(mapping, key)) => {
                put(mapping, key, value).map_err(|why| at(&why))?
            }
            None if document.is_some() => return Err(at("it holds two documents")),
            None => document = Some(value),
        }
    }
    Ok(document.unwrap_or(Value::Null))
}

/// Opens or closes what an event begins or ends; returns the value that is whole with it.
fn read_event(event: Event<'_>, open: &mut Vec<OpenNode>) -> Result<Option<Value>, String> {
    match event {
        Event::Alias(_) => return Err("aliases are not read".to_owned()),
        Event::SequenceStart(..) => open.push(OpenNode::List(Vec::new())),
        Event::MappingStart(..) => open.push(OpenNode::Mapping(Map::new(), None)),
        Event::Scalar(text, style, ..) => return Ok(Some(scalar(&text, style))),
        Event::SequenceEnd | Event::MappingEnd => return Ok(open.pop().map(OpenNode::close)),
        Event::Nothing
        | Event::StreamStart
        | Event::StreamEnd
        | Event::DocumentStart(_)
        | Event::DocumentEnd => {}
    }
    Ok(None)
}

fn put(
    mapping: &mut Map<String, Value>,
    key: &mut Option<String>,
    value: Value,
) -> Result<(), String> {
    match (key.take(), value) {
        (Some(name), value) if mapping.contains_key(&name) => {
            Err(format!("the key `{name}` stands twice: {}", kind(&value)))
        }
        (Some(name), value) => {
            mapping.insert(name, value);
            Ok(())
        }
        (None, Value::String(name)) => {
            *key = Some(name);
            Ok(())
        }
        (None, Value::Bool(_) | Value::Number(_) | Value::Null) => {
            Err("a key is not a word".to_owned())
        }
        (None, Value::Array(_) | Value::Object(_)) => Err("a key is no scalar".to_owned()),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => "a scalar",
    }
}

/// Reads a scalar by the core schema of YAML 1.2: `yes` and `no` are words.
pub(super) fn scalar(text: &str, style: ScalarStyle) -> Value {
    if style != ScalarStyle::Plain {
        return text.into();
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => true.into(),
        "false" | "False" | "FALSE" => false.into(),
        _ => text.parse::<i64>().map_or_else(|_| text.into(), Value::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(text: &str, expected: Value) {
        assert_eq!(read(text), Ok(expected), "{text}");
    }

    fn refused(text: &str, why: &str) {
        let said = read(text).expect_err("it is wrong");
        assert!(said.contains(why), "{said}");
    }

    #[test]
    fn plain_data_is_read() {
        check(
            "a: 1\nb: [x, 'true', true, ~]\nc:\n  - d: no\n",
            json!({ "a": 1, "b": ["x", "true", true, null], "c": [{ "d": "no" }] }),
        );
        check("", Value::Null);
        check("# only a remark\n", Value::Null);
    }

    #[test]
    fn what_could_hurt_or_mislead_is_refused() {
        refused("a: &a [x]\nb: [*a, *a]\n", "aliases are not read, on line 2");
        refused("a: 1\na: 2\n", "`a` stands twice");
        refused("a: 1\n---\nb: 2\n", "two documents");
        refused(&"[".repeat(10_000), "");
        refused("a: [1\nb: }", "no YAML");
        refused("1: x\n", "not a word");
    }
}
