//! Makes short JSON Schemas that every client can read: with one plain object at the root.
//!
//! They mean the same as the schemas of `schemas/wire/`, without their repetitions.

use std::collections::BTreeSet;
use std::sync::Arc;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

pub(super) type Object = Map<String, Value>;

pub(super) fn input_of<T: JsonSchema>() -> Arc<Object> {
    input(SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>())
}

pub(super) fn output_of<T: JsonSchema>() -> Arc<Object> {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    output(settings.into_generator().into_root_schema_for::<T>())
}

/// Returns the output schema of a form, whose optional fields may be left out.
pub(super) fn output_of_form<T: JsonSchema>() -> Arc<Object> {
    output(SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>())
}

/// Shortens an input schema; fields keep their descriptions.
pub(super) fn input(schema: Schema) -> Arc<Object> {
    shortened(schema, SchemaWords::OfFields)
}

/// Shortens an output schema; it needs no descriptions.
pub(super) fn output(schema: Schema) -> Arc<Object> {
    shortened(schema, SchemaWords::None)
}

/// Returns a schema that is written by hand.
pub(super) fn object(schema: Value) -> Arc<Object> {
    match schema {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SchemaWords {
    OfFields,
    /// Those of the variants of a choice.
    OfChoices,
    None,
}

const LIMITS: [&str; 6] =
    ["additionalProperties", "minimum", "pattern", "maxLength", "minItems", "maxItems"];

/// An output schema leaves out longer lists of words.
const LIST: usize = 12;

fn shortened(schema: Schema, words: SchemaWords) -> Arc<Object> {
    let Value::Object(mut root) = schema.to_value() else { return Arc::default() };
    merge_variants(&mut root);
    for about in ["$schema", "title", "description"] {
        root.remove(about);
    }
    shorten(&mut root, words);
    Arc::new(root)
}

/// Merges the variants of the root into one object, as several clients refuse a choice there. It has the fields of
/// all variants, and requires the fields that each of them requires.
fn merge_variants(root: &mut Object) {
    let Some(Value::Array(variants)) = root.remove("oneOf") else { return };
    let (mut fields, mut required) = (Object::new(), None::<BTreeSet<String>>);
    let mut words: Vec<(String, Value)> = Vec::new();
    for variant in &variants {
        let named = variant["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/"));
        let parts = [Some(variant), named.map(|name| &root["$defs"][name])];
        let mut needed = BTreeSet::new();
        for part in parts.into_iter().flatten() {
            for (name, field) in part["properties"].as_object().into_iter().flatten() {
                match field.get("const") {
                    Some(word) => words.push((name.clone(), word.clone())),
                    None => drop(fields.insert(name.clone(), field.clone())),
                }
            }
            let list = part["required"].as_array().into_iter().flatten();
            needed.extend(list.filter_map(Value::as_str).map(str::to_owned));
        }
        required = Some(match required {
            None => needed,
            Some(known) => known.intersection(&needed).cloned().collect(),
        });
    }
    for (name, word) in words {
        let field = fields.entry(name).or_insert_with(|| serde_json::json!({"enum": []}));
        field["enum"].as_array_mut().into_iter().for_each(|list| list.push(word.clone()));
    }
    let used: BTreeSet<&str> = variants.iter().filter_map(|each| each["$ref"].as_str()).collect();
    if let Some(Value::Object(parts)) = root.get_mut("$defs") {
        parts.retain(|name, _| !used.contains(format!("#/$defs/{name}").as_str()));
    }
    root.remove("unevaluatedProperties");
    root.insert("properties".to_owned(), fields.into());
    root.insert("required".to_owned(), required.into_iter().flatten().collect());
    root.insert("additionalProperties".to_owned(), false.into());
}

fn shorten(object: &mut Object, words: SchemaWords) {
    say_once(object, words);
    for about in ["title", "format"] {
        if object.get(about).is_some_and(Value::is_string) {
            object.remove(about);
        }
    }
    // A limit is of no use in an output schema.
    if words == SchemaWords::None {
        object.retain(|name, value| !LIMITS.contains(&name.as_str()) || value.is_object());
    }
    for (name, value) in object.iter_mut() {
        match (name.as_str(), value) {
            ("properties", Value::Object(fields)) => {
                let keeps = words == SchemaWords::OfFields;
                fields.values_mut().for_each(|field| shorten_part(field, words, keeps));
            }
            ("$defs", Value::Object(parts)) => {
                let words = if words == SchemaWords::None { words } else { SchemaWords::OfChoices };
                parts.values_mut().for_each(|part| shorten_part(part, words, false));
            }
            (keyword, Value::Array(list)) => {
                let keeps = keyword == "oneOf" && words == SchemaWords::OfChoices;
                list.iter_mut().for_each(|part| shorten_part(part, words, keeps));
            }
            (_, part) => shorten_part(part, words, false),
        }
    }
}

fn shorten_part(part: &mut Value, words: SchemaWords, keeps_description: bool) {
    let Value::Object(part) = part else { return };
    let description = part.remove("description").filter(|_| keeps_description);
    shorten(part, words);
    part.extend(description.map(|description| ("description".to_owned(), description)));
}

/// Leaves out `null`, as optional fields are not required, and writes a choice of words as `enum`.
fn say_once(object: &mut Object, words: SchemaWords) {
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
    if let Some(Value::Array(kinds)) = object.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
        choices.retain(|choice| choice["type"] != "null");
        if let [Value::Object(only)] = choices.as_slice() {
            let only = only.clone();
            object.remove("anyOf");
            object.extend(only);
        }
    }
    let is_word = |choice: &Value| choice.get("const").is_some_and(Value::is_string);
    let list = object.get("oneOf").and_then(Value::as_array).filter(|all| all.iter().all(is_word));
    let list = list.map(|all| all.iter().map(|word| word["const"].clone()).collect::<Vec<_>>());
    if let Some(list) = list {
        object.remove("oneOf");
        object.insert("type".to_owned(), "string".into());
        if words != SchemaWords::None || list.len() <= LIST {
            object.insert("enum".to_owned(), list.into());
        }
    }
}
