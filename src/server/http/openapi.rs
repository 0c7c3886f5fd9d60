//! Describes all routes as OpenAPI 3.1, from the table and the types.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::access::Needs;
use super::ltm_openapi;
use super::openapi_parts::{answered_with, json_of, refusals, security};
use super::routes::{Body, Route, all};
use crate::service::request::{MemoryId, RefusalBody};

/// Returns the document.
pub(super) fn document() -> Value {
    let settings = SchemaSettings::draft2020_12();
    let mut requests = settings
        .clone()
        .with(|it| it.definitions_path = "/components/schemas".into())
        .into_generator();
    let answers =
        settings.for_serialize().with(|it| it.definitions_path = "/components/schemas".into());
    let mut answers = answers.into_generator();
    let refusal = answers.subschema_for::<RefusalBody>();
    let mut paths: Map<String, Value> = Map::new();
    for route in all() {
        let operation = operation(route, &mut requests, &mut answers, &json!(refusal));
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.to_lowercase()] = operation;
    }
    for (path, method, operation) in ltm_openapi::operations(&mut answers, &json!(refusal)) {
        paths.insert(path.to_owned(), json!({ method: operation }));
    }
    for (path, operation) in others(&json!(refusal)) {
        paths.insert(path.to_owned(), json!({ "get": operation }));
    }
    let mut schemas = requests.take_definitions(true);
    schemas.extend(answers.take_definitions(true));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "agent-memory",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Memories that agents store, recall and relate.",
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer" },
                "admin": { "type": "apiKey", "in": "header", "name": "X-Admin-Token" },
            },
        },
    })
}

fn operation(
    route: &Route,
    requests: &mut SchemaGenerator,
    answers: &mut SchemaGenerator,
    refusal: &Value,
) -> Value {
    let mut parameters: Vec<Value> = route.parameters.iter().map(|it| it.document()).collect();
    if route.path.contains("{id}") {
        let schema = match route.path.starts_with("/entity/") {
            true => json!({ "type": "string", "minLength": 1 }),
            false => json!(requests.subschema_for::<MemoryId>()),
        };
        parameters.push(json!({ "name": "id", "in": "path", "required": true, "schema": schema }));
    }
    let form = json!((route.answers.form)(answers));
    let mut responses: Map<String, Value> = Map::new();
    for status in route.answers.statuses {
        responses.insert(status.to_string(), answered_with("What was asked for", &form));
    }
    responses.extend(refusals(route.needs, refusal));
    if route.path.contains("{id}") || route.path == "/associate" {
        responses.insert("404".into(), answered_with("There is no such memory", refusal));
    }
    if route.method == "POST" {
        responses.insert("409".into(), answered_with("The id or the key is taken", refusal));
    }
    let mut operation = json!({
        "summary": route.about, "parameters": parameters, "responses": responses,
        "security": security(route.needs),
    });
    if let Some(body) = body(route.body, requests) {
        operation["requestBody"] = body;
    }
    operation
}

fn body(body: Body, requests: &mut SchemaGenerator) -> Option<Value> {
    let (schema, is_required) = match body {
        Body::None => return None,
        Body::Json(form) | Body::JsonList(form) => (json!(form(requests)), true),
        // `null` is as good as none.
        Body::Optional(form) => (json!({ "anyOf": [form(requests), { "type": "null" }] }), false),
    };
    Some(json!({ "required": is_required, "content": json_of(&schema) }))
}

/// Returns the routes that do not answer with a form of ours.
fn others(refusal: &Value) -> [(&'static str, Value); 5] {
    let answer = |about: &str, needs: Needs, kind: &str| {
        let good = json!({ "description": about, "content": { kind: {} } });
        let mut responses: Map<String, Value> = refusals(needs, refusal).collect();
        responses.insert("200".into(), good);
        json!({ "summary": about, "security": security(needs), "responses": responses })
    };
    let (json, events) = ("application/json", "text/event-stream");
    let mut viewer = answer("Lead to the viewer", Needs::Nothing, json);
    viewer["responses"] = json!({
        "302": { "description": "It is there" },
        "503": answered_with("There is no viewer", refusal),
    });
    [
        ("/stream", answer("Tell what happens, as server-sent events", Needs::Token, events)),
        ("/stream/status", answer("Count those who listen", Needs::Token, json)),
        (
            "/backup",
            answer("Write the memories as an archive", Needs::AdminToken, "application/gzip"),
        ),
        ("/viewer", viewer),
        ("/openapi.json", answer("Describe all routes", Needs::Nothing, json)),
    ]
}
