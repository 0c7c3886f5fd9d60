//! Understands a value that is not of the type that its schema wants, where it can only mean one thing.

use serde_json::{Value, json};

/// Returns a value in the type that its schema wants, where it can only mean that.
pub(super) fn understood(field: &Value, value: Value) -> Value {
    match (field["type"].as_str().unwrap_or_default(), value) {
        ("array", Value::String(text)) => match parsed(&text) {
            Some(list @ Value::Array(_)) => understood(field, list),
            Some(one @ Value::Object(_)) => understood(field, json!([one])),
            _ if field["items"]["type"] == "object" => Value::String(text),
            _ => understood(field, in_parts(&text)),
        },
        ("array", one @ Value::Object(_)) => understood(field, json!([one])),
        ("array", Value::Array(list)) => {
            list.into_iter().map(|item| understood(&field["items"], item)).collect()
        }
        ("object", Value::String(text)) => match parsed(&text) {
            Some(object @ Value::Object(_)) => understood(field, object),
            _ => Value::String(text),
        },
        ("object", Value::Object(object)) => {
            let part = |(name, value): (String, Value)| {
                let value = understood(&field["properties"][&name], value);
                (name, value)
            };
            object.into_iter().map(part).collect()
        }
        ("number" | "integer", Value::String(text)) => {
            parsed(&text).filter(Value::is_number).unwrap_or(Value::String(text))
        }
        ("boolean", value) => as_flag(&value).map_or(value, Value::Bool),
        ("string", Value::Number(number)) => Value::String(number.to_string()),
        ("string", Value::String(text)) => Value::String(known_word(field, text)),
        (_, value) => value,
    }
}

fn parsed(text: &str) -> Option<Value> {
    serde_json::from_str(text.trim()).ok()
}

/// Returns the list that a text holds as JSON, else the text as its only item.
pub(super) fn in_list(text: &str) -> Value {
    parsed(text).filter(Value::is_array).unwrap_or_else(|| json!([text]))
}

/// Returns the texts of a list that came as one text with commas.
fn in_parts(text: &str) -> Value {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(Value::from).collect()
}

fn as_flag(value: &Value) -> Option<bool> {
    match value {
        Value::String(text) => match text.trim().to_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Some(true),
            "false" | "0" | "no" | "off" => Some(false),
            _ => None,
        },
        Value::Number(number) if number.as_u64() == Some(1) => Some(true),
        Value::Number(number) if number.as_u64() == Some(0) => Some(false),
        _ => None,
    }
}

/// Returns the word of a closed list in its own spelling.
fn known_word(field: &Value, text: String) -> String {
    let is_it = |word: &&str| word.eq_ignore_ascii_case(text.trim());
    words_of(field).into_iter().find(is_it).map_or(text, str::to_owned)
}

/// Returns the words of a closed list; none where any text is allowed.
pub(super) fn words_of(field: &Value) -> Vec<&str> {
    field["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(field: Value, given: Value, expected: Value) {
        assert_eq!(understood(&field, given), expected, "{field}");
    }

    #[test]
    fn what_can_only_mean_one_thing_is_understood() {
        let texts = json!({"type": "array", "items": {"type": "string"}});
        check(texts.clone(), json!("[\"a\", \"b\"]"), json!(["a", "b"]));
        check(texts, json!("a, b"), json!(["a", "b"]));
        let numbers = json!({"type": "array", "items": {"type": "number"}});
        check(numbers.clone(), json!("[0.1, 2]"), json!([0.1, 2]));
        check(numbers, json!("0.1,2"), json!([0.1, 2]));
        check(json!({"type": "integer"}), json!(" 5 "), json!(5));
        check(json!({"type": "boolean"}), json!("true"), json!(true));
        check(json!({"type": "object"}), json!("{\"a\": null}"), json!({"a": null}));
        check(
            json!({"type": "string", "enum": ["Decision"]}),
            json!("decision"),
            json!("Decision"),
        );
        let item = json!({"type": "object", "properties": {"strength": {"type": "number"}}});
        let list = json!({"type": "array", "items": item});
        check(list.clone(), json!({"strength": "0.5"}), json!([{"strength": 0.5}]));
        check(list, json!("[{\"strength\": \"0.5\"}]"), json!([{"strength": 0.5}]));
    }

    #[test]
    fn anything_else_stays_as_it_is() {
        check(json!({"type": "integer"}), json!("five"), json!("five"));
        check(json!({"type": "boolean"}), json!("perhaps"), json!("perhaps"));
        check(json!({"type": "object"}), json!("a"), json!("a"));
        check(json!({"type": "string", "enum": ["Decision"]}), json!("Idea"), json!("Idea"));
        check(json!({"type": "number"}), json!([1]), json!([1]));
    }
}
