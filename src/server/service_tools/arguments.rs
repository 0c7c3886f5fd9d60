//! Reads the arguments of a call by the schema of its tool, and understands what can only mean one thing.

use serde_json::{Map, Value, json};

use crate::contract::understood;
use crate::server::field_fault::{FieldFault, faults, words_of};
use crate::service::request::{FieldError, QueryParameters, ServiceRefusal};
use crate::text::{excerpt, read_json};

/// The arguments of a call; those that are `null` or empty are absent.
#[derive(Debug)]
pub(super) struct Arguments {
    values: Map<String, Value>,
    /// What the caller should know besides.
    pub(super) warnings: Vec<String>,
    /// What the schema says of each argument.
    fields: Map<String, Value>,
}

/// Lists whose items may have commas.
const SENTENCES: [&str; 2] = ["queries", "observations"];

impl Arguments {
    /// Reads arguments; all that are wrong are refused at once.
    pub(super) fn read(
        schema: &Value,
        given: Map<String, Value>,
    ) -> Result<Self, Box<ServiceRefusal>> {
        let fields = schema["properties"].as_object().cloned().unwrap_or_default();
        let (mut values, mut unknown) = (Map::new(), Vec::new());
        for (name, value) in given {
            let Some(field) = fields.get(&name) else {
                unknown.push(excerpt(&name));
                continue;
            };
            let value = match value {
                Value::String(text) if !SENTENCES.contains(&name.as_str()) => in_parts(field, text),
                value => value,
            };
            let value = in_other_words(field, understood(field, value));
            if !is_absent(&name, &value) {
                values.insert(name, value);
            }
        }
        let errors: Vec<FieldError> =
            faults(schema, &values).into_iter().map(field_error).collect();
        if !errors.is_empty() {
            return Err(ServiceRefusal::of_fields(errors));
        }
        let warning = || format!("unknown arguments were ignored: `{}`", unknown.join("`, `"));
        let warnings = if unknown.is_empty() { Vec::new() } else { vec![warning()] };
        Ok(Self { values, warnings, fields })
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name)?.as_str()
    }

    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        self.values.get(name)?.as_bool()
    }

    pub(super) fn whole(&self, name: &str) -> Option<usize> {
        self.values.get(name)?.as_u64().and_then(|number| usize::try_from(number).ok())
    }

    pub(super) fn list(&self, name: &str) -> Option<&Vec<Value>> {
        self.values.get(name)?.as_array()
    }

    /// Tells whether an argument is given, and is not an empty list.
    pub(super) fn has(&self, name: &str) -> bool {
        let is_empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
        self.values.get(name).is_some_and(|value| !is_empty(value))
    }

    /// Returns the arguments as the body of a request, without some.
    pub(super) fn body_without(&self, names: &[&str]) -> Value {
        let kept = self.values.iter().filter(|(name, _)| !names.contains(&name.as_str()));
        Value::Object(kept.map(|(name, value)| (name.clone(), value.clone())).collect())
    }

    /// Returns the arguments as the parameters of a request, without some.
    pub(super) fn parameters_without(&self, names: &[&str]) -> QueryParameters {
        let kept = self.values.iter().filter(|(name, _)| !names.contains(&name.as_str()));
        QueryParameters(kept.flat_map(|(name, value)| parameters(name, value)).collect())
    }

    /// Returns the arguments that ask for something, beside some; those that say what is so anyway do not.
    pub(super) fn asked_beside(&self, names: &[&str]) -> Vec<&str> {
        let asks = |name: &str, value: &Value| {
            let is_default = self.fields[name].get("default") == Some(value);
            !(is_default || *value == json!(false) || *value == json!([]))
        };
        let asked = self.values.iter().filter(|(name, value)| asks(name, value));
        asked.map(|(name, _)| name.as_str()).filter(|name| !names.contains(name)).collect()
    }
}

/// A list comes as one parameter an item, a vector as one with commas.
fn parameters(name: &str, value: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let values = match value {
        Value::Array(list) if name == "embedding" => {
            vec![list.iter().map(text).collect::<Vec<_>>().join(",")]
        }
        Value::Array(list) => list.iter().map(text).collect(),
        value => vec![text(value)],
    };
    values.into_iter().map(|value| (name.to_owned(), value)).collect()
}

/// Clients that fill every field send empty texts; an empty content is a mistake that must be told.
fn is_absent(name: &str, value: &Value) -> bool {
    value.is_null()
        || name != "content" && value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// A list of texts or numbers may come as one text with commas.
fn in_parts(field: &Value, text: String) -> Value {
    let is_list = field["type"] == "array" && field["items"]["type"] != "object";
    if !is_list || read_json(text.trim()).is_ok_and(|json| json.is_array()) {
        return Value::String(text);
    }
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(Value::from).collect()
}

/// A number where a text is wanted is its digits; a word of a closed list may be in capitals; a flag has more words than
/// two.
fn in_other_words(field: &Value, value: Value) -> Value {
    match (field["type"].as_str().unwrap_or_default(), value) {
        ("string", Value::Number(number)) => Value::String(number.to_string()),
        ("string", Value::String(text)) => {
            let is_it = |word: &&str| word.eq_ignore_ascii_case(text.trim());
            let known = words_of(field).into_iter().find(is_it).map(str::to_owned);
            Value::String(known.unwrap_or(text))
        }
        ("boolean", Value::String(text)) => match text.trim().to_lowercase().as_str() {
            "1" | "yes" | "on" => Value::Bool(true),
            "0" | "no" | "off" => Value::Bool(false),
            _ => Value::String(text),
        },
        ("boolean", Value::Number(number)) => match number.as_u64() {
            Some(digit @ (0 | 1)) => Value::Bool(digit == 1),
            _ => Value::Number(number),
        },
        ("array", Value::Array(list)) => {
            list.into_iter().map(|item| in_other_words(&field["items"], item)).collect()
        }
        (_, value) => value,
    }
}

fn field_error(fault: FieldFault) -> FieldError {
    let FieldFault { field, found, allowed } = fault;
    let (message, detail) = match found {
        Some(found) => {
            (format!("'{field}' must be {allowed}"), format!("found {found}, allowed is {allowed}"))
        }
        None => (format!("'{field}' is required"), format!("send {allowed}")),
    };
    FieldError { field, message, detail }
}
