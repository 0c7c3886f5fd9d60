//! The parts that the schemas of the tools are made of.

use serde_json::{Map, Value, json};

use crate::service::request::{MemoryType, RelationType};

pub(super) fn object(fields: &[(&str, Value)]) -> Value {
    json!({"type": "object", "properties": properties(fields)})
}

pub(super) fn object_with(fields: &[(&str, Value)], required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties(fields), "required": required})
}

fn properties(fields: &[(&str, Value)]) -> Map<String, Value> {
    fields.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect()
}

/// Adds a description, unless it is empty.
pub(super) fn said(mut schema: Value, about: &str) -> Value {
    if !about.is_empty() {
        schema["description"] = about.into();
    }
    schema
}

pub(super) fn text(about: &str) -> Value {
    said(json!({"type": "string"}), about)
}

pub(super) fn texts(about: &str) -> Value {
    list(json!({"type": "string"}), about)
}

pub(super) fn list(items: Value, about: &str) -> Value {
    said(json!({"type": "array", "items": items}), about)
}

pub(super) fn number(about: &str) -> Value {
    said(json!({"type": "number"}), about)
}

/// A number from 0 to 1.
pub(super) fn share(about: &str) -> Value {
    said(json!({"type": "number", "minimum": 0, "maximum": 1}), about)
}

pub(super) fn whole(about: &str) -> Value {
    said(json!({"type": "integer"}), about)
}

pub(super) fn whole_within(least: u64, most: u64, about: &str) -> Value {
    said(json!({"type": "integer", "minimum": least, "maximum": most}), about)
}

pub(super) fn flag(about: &str) -> Value {
    said(json!({"type": "boolean"}), about)
}

pub(super) fn any_object(about: &str) -> Value {
    said(json!({"type": "object"}), about)
}

pub(super) fn one_of(words: &[&str], about: &str) -> Value {
    said(json!({"type": "string", "enum": words}), about)
}

pub(super) fn by_default(mut schema: Value, default: Value) -> Value {
    schema["default"] = default;
    schema
}

pub(super) fn memory_type(about: &str) -> Value {
    one_of(MemoryType::NAMES, about)
}

pub(super) fn relation_type(about: &str) -> Value {
    one_of(RelationType::authorable_names(), about)
}
