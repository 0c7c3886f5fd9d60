//! Reads the arguments of a call by the schema of its tool, and understands what can only mean one thing.

use serde_json::{Map, Value, json};

use super::understood::{in_list, understood, words_of};
use crate::contract::{kind, quoted};
use crate::service::request::{FieldError, QueryParameters, ServiceRefusal};
use crate::text::excerpt;

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
        let (mut values, mut unknown, mut errors) = (Map::new(), Vec::new(), Vec::new());
        for (name, value) in given {
            let Some(field) = fields.get(&name) else {
                unknown.push(excerpt(&name));
                continue;
            };
            let value = match value {
                Value::String(text) if SENTENCES.contains(&name.as_str()) => in_list(&text),
                value => value,
            };
            let value = understood(field, value);
            if is_absent(&name, &value) {
                continue;
            }
            errors.extend(fault(field, &name, &value));
            values.insert(name, value);
        }
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !values.contains_key(name) {
                errors.push(missing(name, &fields[name]));
            }
        }
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

/// Says what is wrong with a value; what is in its lists and objects, the verbs check.
fn fault(field: &Value, name: &str, value: &Value) -> Option<FieldError> {
    let allowed = allowed(field);
    let fits = match field["type"].as_str().unwrap_or_default() {
        "array" => value.is_array(),
        "object" => value.is_object(),
        "boolean" => value.is_boolean(),
        "integer" => is_whole(value) && is_within(field, value),
        "number" => is_within(field, value),
        "string" => {
            let words = words_of(field);
            value.as_str().is_some_and(|text| words.is_empty() || words.contains(&text))
        }
        _ => true,
    };
    let wrong = || FieldError {
        field: name.to_owned(),
        message: format!("'{name}' must be {allowed}"),
        detail: format!("found {}, allowed is {allowed}", kind(value)),
    };
    (!fits).then(wrong)
}

fn is_whole(value: &Value) -> bool {
    value.is_i64() || value.is_u64()
}

fn is_within(field: &Value, value: &Value) -> bool {
    let Some(number) = value.as_f64() else { return false };
    field["minimum"].as_f64().is_none_or(|least| number >= least)
        && field["maximum"].as_f64().is_none_or(|most| number <= most)
}

fn missing(name: &str, field: &Value) -> FieldError {
    let (message, detail) = (format!("'{name}' is required"), format!("send {}", allowed(field)));
    FieldError { field: name.to_owned(), message, detail }
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
        (None, _) => kind.to_owned(),
    }
}
