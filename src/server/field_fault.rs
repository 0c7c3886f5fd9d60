//! Says which fields of an object do not fit its JSON Schema, what was found and what is allowed.

use serde_json::{Map, Value};

use crate::contract::{kind, kind_of_json, quoted};
use crate::text::{excerpt, nearest};

/// A field that does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FieldFault {
    pub(super) field: String,
    /// What is there; nothing where the field is missing.
    pub(super) found: Option<String>,
    /// E.g. "a whole number from 1 to 100".
    pub(super) allowed: String,
}

impl FieldFault {
    /// Says it in one sentence without an end.
    pub(super) fn told(&self) -> String {
        let Self { field, found, allowed } = self;
        match found {
            Some(found) => format!("`{field}`: expected {allowed}, found {found}"),
            None => format!("`{field}` is required: {allowed}"),
        }
    }
}

/// Compares the fields of an object with a schema; what is in their lists and objects is left to the reader.
pub(super) fn faults(schema: &Value, object: &Map<String, Value>) -> Vec<FieldFault> {
    let fields = &schema["properties"];
    let known = object.iter().filter_map(|(name, value)| fault(fields.get(name)?, name, value));
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let missing = required.filter(|name| !object.contains_key(*name)).map(|name| FieldFault {
        field: name.to_owned(),
        found: None,
        allowed: allowed(&fields[name]),
    });
    known.chain(missing).collect()
}

/// Names the fields that a schema does not have, each with the nearest that it has.
pub(super) fn unknown_fields(schema: &Value, object: &Map<String, Value>) -> Vec<String> {
    let fields = schema["properties"].as_object();
    let known: Vec<&str> = fields.into_iter().flat_map(Map::keys).map(String::as_str).collect();
    let told = |name: &String| match nearest(name, known.iter().copied()) {
        None if known.is_empty() => {
            format!("unknown field `{}`, there are no fields", excerpt(name))
        }
        Some(known) => format!("unknown field `{}`, did you mean `{known}`?", excerpt(name)),
        None => format!("unknown field `{}`, known are {}", excerpt(name), quoted(&known)),
    };
    object.keys().filter(|name| !known.contains(&name.as_str())).map(told).collect()
}

fn fault(field: &Value, name: &str, value: &Value) -> Option<FieldFault> {
    let fits = match field["type"].as_str().unwrap_or_default() {
        "array" => value.as_array().is_some_and(|list| are_texts(field, list)),
        "object" => value.is_object(),
        "boolean" => value.is_boolean(),
        "integer" => (value.is_i64() || value.is_u64()) && is_within(field, value),
        "number" => is_within(field, value),
        "string" => {
            let words = words_of(field);
            value.as_str().is_some_and(|text| words.is_empty() || words.contains(&text))
        }
        _ => true,
    };
    if fits {
        return None;
    }
    let no_text = || value.as_array()?.iter().position(|each| !each.is_string());
    let element = (field["items"]["type"] == "string").then(no_text).flatten();
    let (field, found, allowed) = match element {
        Some(at) => (format!("{name}/{at}"), kind(&value[at]), "a text".to_owned()),
        None if ["array", "object"].iter().any(|it| field["type"] == *it) => {
            (name.to_owned(), kind_of_json(value), allowed(field))
        }
        None => (name.to_owned(), kind(value), allowed(field)),
    };
    Some(FieldFault { field, found: Some(found), allowed })
}

fn are_texts(field: &Value, list: &[Value]) -> bool {
    field["items"]["type"] != "string" || list.iter().all(Value::is_string)
}

fn is_within(field: &Value, value: &Value) -> bool {
    let Some(number) = value.as_f64() else { return false };
    field["minimum"].as_f64().is_none_or(|least| number >= least)
        && field["maximum"].as_f64().is_none_or(|most| number <= most)
}

/// Returns the words of a closed list; none where any text is allowed.
pub(super) fn words_of(schema: &Value) -> Vec<&str> {
    schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Says in words what a schema allows.
fn allowed(field: &Value) -> String {
    let words = words_of(field);
    if !words.is_empty() {
        return format!("one of {}", quoted(&words));
    }
    let kind = match field["type"].as_str().unwrap_or_default() {
        "array" if field["items"]["type"] == "string" => "a list of texts",
        "array" if field["items"]["type"] == "number" => "a list of numbers",
        "array" => "a list of objects",
        "object" => "an object",
        "boolean" => "true or false",
        "integer" => "a whole number",
        "number" => "a number",
        _ => "a text",
    };
    match (field["minimum"].as_f64(), field["maximum"].as_f64()) {
        (Some(least), Some(most)) => format!("{kind} from {least} to {most}"),
        (Some(least), None) => format!("{kind} from {least}"),
        (None, Some(most)) => format!("{kind} up to {most}"),
        (None, None) => kind.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_that_does_not_fit_is_named_with_what_is_allowed() {
        let schema = json!({
            "properties": {
                "limit": {"type": "integer", "minimum": 1, "maximum": 100},
                "scope": {"type": "array", "items": {"type": "string"}},
                "sort": {"type": "string", "enum": ["score", "time"]},
                "query": {"type": "string"},
                "changed": {"type": "boolean"},
            },
            "required": ["query"],
        });
        let given = json!({"limit": 0, "scope": ["a", {}], "sort": "size", "changed": "perhaps"});
        let told: Vec<String> =
            faults(&schema, given.as_object().expect("one")).iter().map(FieldFault::told).collect();
        assert_eq!(
            told,
            [
                "`changed`: expected true or false, found the string `perhaps`",
                "`limit`: expected a whole number from 1 to 100, found the number 0",
                "`scope/1`: expected a text, found an object",
                "`sort`: expected one of `score`, `time`, found the string `size`",
                "`query` is required: a text",
            ]
        );
        let given = json!({"limt": 5, "query": "x"});
        let unknown = unknown_fields(&schema, given.as_object().expect("one"));
        assert_eq!(unknown, ["unknown field `limt`, did you mean `limit`?"]);
    }
}
