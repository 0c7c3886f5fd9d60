//! The JSON Schemas of what `--json` prints, made of the types that are printed.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

use super::output::JsonDocument;
use crate::contract::Failure;
use crate::project::request::{request_schema, response_schema};

/// Makes the schema of one form of a document.
pub(super) type Form = fn(&mut SchemaGenerator) -> Schema;

pub(super) fn form<T: JsonSchema + 'static>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<JsonDocument<'static, T>>()
}

/// Returns the schema of a document with any of these forms, or with the form of a failure.
pub(super) fn of_document(command: &str, forms: &[Form]) -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let forms = forms.iter().chain([&(form::<Failure> as Form)]);
    let forms: Vec<Schema> = forms.map(|form| form(&mut generator)).collect();
    json!({
        "$schema": generator.settings().meta_schema,
        "title": format!("agent-memory {command} --json"),
        "anyOf": forms,
        "$defs": generator.take_definitions(true),
    })
}

/// Returns the schemas of a request and of its answer, which the contract fixes.
pub(super) fn of_propose() -> Value {
    json!({"request": request_schema(), "response": response_schema()})
}
