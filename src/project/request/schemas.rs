//! The JSON Schemas of the wire, made from the types.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

use super::outcome::Outcome;
use super::proposal::Request;

/// Returns the JSON Schema (draft 2020-12) of a request.
pub fn request_schema() -> Schema {
    schema_of::<Request>(SchemaSettings::draft2020_12(), "memory.propose_update request")
}

/// Returns the JSON Schema (draft 2020-12) of the answer to a request.
pub fn response_schema() -> Schema {
    // An answer is written, never read: what is left out when empty is not required.
    let settings = SchemaSettings::draft2020_12().for_serialize();
    schema_of::<Outcome>(settings, "memory.propose_update response")
}

fn schema_of<T: JsonSchema>(settings: SchemaSettings, title: &str) -> Schema {
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema
}
