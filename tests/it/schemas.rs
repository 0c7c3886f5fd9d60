//! The JSON Schemas on the wire are those of the types, sound, and closed against unknown fields.

use std::collections::BTreeSet;
use std::fs;

use agent_memory::project::request::{request_schema, response_schema};
use serde_json::{Value, json};

use crate::support::{blessing, folder};

const REQUEST: &str = "schemas/wire/propose_update.request.schema.json";
const RESPONSE: &str = "schemas/wire/propose_update.response.schema.json";

/// What makes the files anew.
const BLESS: &str = "BLESS=1 cargo test --test it schemas";

/// Reads the schema of requests, as agents get it.
pub(crate) fn request_validator() -> jsonschema::Validator {
    jsonschema::draft202012::new(&read(REQUEST)).unwrap()
}

/// Reads the schema of responses, as agents get it.
pub(crate) fn response_validator() -> jsonschema::Validator {
    jsonschema::draft202012::new(&read(RESPONSE)).unwrap()
}

/// Says how a document breaks a schema; empty if it does not.
pub(crate) fn breaches(schema: &jsonschema::Validator, document: &Value) -> Vec<String> {
    schema.iter_errors(document).map(|e| format!("{}: {e}", e.instance_path())).collect()
}

fn read(path: &str) -> Value {
    let text = fs::read_to_string(folder(path))
        .unwrap_or_else(|error| panic!("{path}: {error}; run `{BLESS}`"));
    serde_json::from_str(&text).unwrap()
}

fn is_current(path: &str, generated: &schemars::Schema) {
    let generated = serde_json::to_string_pretty(generated).unwrap() + "\n";
    if blessing() {
        fs::create_dir_all(folder(path).parent().unwrap()).unwrap();
        fs::write(folder(path), &generated).unwrap();
    }
    let stored = fs::read_to_string(folder(path)).unwrap_or_default();
    assert!(stored == generated, "`{path}` is not what the types say; run `{BLESS}`");
}

#[test]
fn the_schema_of_requests_is_current() {
    is_current(REQUEST, &request_schema());
}

#[test]
fn the_schema_of_responses_is_current() {
    is_current(RESPONSE, &response_schema());
}

#[test]
fn each_schema_is_sound() {
    for path in [REQUEST, RESPONSE] {
        let schema = read(path);
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{path}");
        let sound = jsonschema::draft202012::meta::validate(&schema);
        assert_eq!(schema["type"], "object", "{path}: MCP wants an object");
        assert!(sound.is_ok(), "{path}: {:?}", sound.err().map(|error| error.to_string()));
    }
}

#[test]
fn a_request_is_one_plain_object() {
    let schema = read(REQUEST);
    assert_eq!(
        (&schema["type"], &schema["additionalProperties"]),
        (&json!("object"), &json!(false))
    );
    for keyword in ["oneOf", "anyOf", "allOf", "$ref", "not"] {
        assert!(schema.get(keyword).is_none(), "the root has `{keyword}`");
    }
    assert_eq!(schema["required"], json!(["intent", "operations"]));
}

#[test]
fn every_object_refuses_unknown_fields() {
    for path in [REQUEST, RESPONSE] {
        let schema = read(path);
        let mut search = OpenObjects { root: &schema, seen: BTreeSet::new(), found: Vec::new() };
        search.visit(&schema, "#", false);
        assert!(search.found.is_empty(), "{path}: these take unknown fields: {:#?}", search.found);
    }
}

/// Looks for objects with fields of their own that neither they nor the schema around them closes.
struct OpenObjects<'s> {
    root: &'s Value,
    seen: BTreeSet<(&'s str, bool)>,
    found: Vec<String>,
}

impl<'s> OpenObjects<'s> {
    fn visit(&mut self, schema: &'s Value, place: &str, closed_around: bool) {
        let Value::Object(keywords) = schema else { return };
        let is_false = |name: &str| keywords.get(name) == Some(&Value::Bool(false));
        let closed = closed_around || is_false("unevaluatedProperties");
        if keywords.contains_key("properties") && !closed && !is_false("additionalProperties") {
            self.found.push(place.to_owned());
        }
        for (name, value) in keywords {
            let place = format!("{place}/{name}");
            match (name.as_str(), value) {
                ("$ref", Value::String(target)) if self.seen.insert((target, closed)) => {
                    let pointer = target.trim_start_matches('#');
                    self.visit(self.root.pointer(pointer).unwrap(), target, closed);
                }
                // These speak of the same object.
                ("oneOf" | "anyOf" | "allOf", Value::Array(list)) => {
                    list.iter().for_each(|each| self.visit(each, &place, closed));
                }
                ("properties", Value::Object(fields)) => {
                    for (field, each) in fields {
                        self.visit(each, &format!("{place}/{field}"), false);
                    }
                }
                ("items", each) => self.visit(each, &place, false),
                _ => {}
            }
        }
    }
}

fn request(operation: Value) -> Value {
    json!({"intent": "record_decision", "operations": [operation]})
}

fn takes(document: &Value) {
    let found = breaches(&request_validator(), document);
    assert!(found.is_empty(), "{document}: {found:?}");
}

fn refuses(document: &Value) {
    assert!(!request_validator().is_valid(document), "{document}");
}

#[test]
fn a_slip_is_refused_by_the_schema_as_it_is_by_the_program() {
    let good = json!({"operation": "append_to_section", "section_id": "a", "content": "x"});
    takes(&request(good.clone()));
    refuses(&json!({"intent": "record_decision", "operations": []}));
    refuses(&json!({"intent": "make_coffee", "operations": [good]}));
    refuses(&json!({"intent": "record_decision", "operations": [good], "sourcs": []}));
    refuses(&request(json!({"operation": "shout", "section_id": "a", "content": "x"})));
    refuses(&request(
        json!({"operation": "append_to_section", "section_id": "a", "content": "x", "contnt": "y"}),
    ));
    refuses(&request(json!({"operation": "append_to_section", "section_id": "a"})));
    refuses(&request(
        json!({"operation": "append_to_section", "section_id": "A b", "content": "x"}),
    ));
    refuses(&request(json!({"operation": "append_to_section", "content": "x"})));
    refuses(&request(
        json!({"operation": "append_section", "heading": "A", "heading_level": 7, "content": "x"}),
    ));
    refuses(&request(
        json!({"operation": "rename_heading", "section_id": "a", "new_heading": "A", "new_heading_level": 0}),
    ));
    refuses(&request(json!({"operation": "remove_section", "section_id": "a"})));
    refuses(&request(json!({"operation": "create_file", "path": "../a.md", "content": "x"})));
    refuses(&request(
        json!({"operation": "append_to_section", "section_id": "a", "content": "x", "if_hash": "zz"}),
    ));
}

#[test]
fn an_owner_is_a_name_or_an_object() {
    let with = |owner: Value| {
        let operation = json!({"operation": "append_section", "heading": "A", "content": "x"});
        json!({"intent": "session_log", "operations": [operation], "owner": owner})
    };
    takes(&with(json!("ada")));
    takes(&with(json!({"id": "claude", "kind": "agent"})));
    takes(&with(json!({"id": "claude"})));
    refuses(&with(json!({"kind": "agent"})));
    refuses(&with(json!({"id": "claude", "knd": "agent"})));
}
