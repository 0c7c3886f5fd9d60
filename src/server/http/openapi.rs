//! Describes all routes as OpenAPI 3.1, from the table and the types.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::access::Needs;
use super::routes::{Body, Parameter, Route, all};
use crate::service::request::RefusalBody;

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
    for (path, operation) in others() {
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
    let mut parameters: Vec<Value> = route.parameters.iter().map(parameter).collect();
    if route.path.contains("{id}") {
        parameters.push(
            json!({ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }),
        );
    }
    let form = json!((route.answers.form)(answers));
    let mut responses: Map<String, Value> = Map::new();
    for status in route.answers.statuses {
        // `/associate` answers one pair in another form than a list.
        let form =
            if route.path == "/associate" { json!({ "type": "object" }) } else { form.clone() };
        responses.insert(status.to_string(), response("What was asked for", form));
    }
    for (status, about) in refusals(route) {
        responses.insert(status.to_string(), response(about, refusal.clone()));
    }
    let security = match route.needs {
        Needs::Nothing => json!([]),
        Needs::Token => json!([{ "token": [] }]),
        Needs::AdminToken => json!([{ "token": [], "admin": [] }]),
    };
    let mut operation = json!({
        "summary": route.about, "parameters": parameters, "responses": responses, "security": security,
    });
    if let Body::Json(form) | Body::JsonList(form) = route.body {
        let schema = json!(form(requests));
        operation["requestBody"] =
            json!({ "required": true, "content": { "application/json": { "schema": schema } } });
    }
    operation
}

/// Returns the statuses of refusals that any route may answer, and those of its own.
fn refusals(route: &Route) -> impl Iterator<Item = (u16, &'static str)> + use<> {
    let all = [
        (400, "A field is wrong", true),
        (401, "No token, or a wrong one", route.needs != Needs::Nothing),
        (403, "Not allowed here", true),
        (404, "There is no such memory", true),
        (405, "The path has no such method", true),
        (408, "It took too long", true),
        (409, "The id or the key is taken", route.method == "POST"),
        (413, "The body is too large", true),
        (503, "The database does not answer", true),
    ];
    all.into_iter().filter_map(|(status, about, may_be)| may_be.then_some((status, about)))
}

fn response(about: &str, schema: Value) -> Value {
    json!({ "description": about, "content": { "application/json": { "schema": schema } } })
}

fn parameter(parameter: &Parameter) -> Value {
    json!({
        "name": parameter.name, "in": "query", "description": parameter.about,
        "schema": { "type": parameter.kind },
    })
}

/// Returns the routes that do not answer with JSON of ours.
fn others() -> [(&'static str, Value); 5] {
    let token = json!([{ "token": [] }]);
    let admin = json!([{ "token": [], "admin": [] }]);
    let answer = |about: &str, security: &Value| {
        let responses = json!({ "default": { "description": about } });
        json!({ "summary": about, "security": security, "responses": responses })
    };
    [
        ("/stream", answer("Tell what happens, as server-sent events", &token)),
        ("/stream/status", answer("Count those who listen", &token)),
        ("/backup", answer("Write the memories of the tenant as an archive", &admin)),
        ("/viewer", answer("Lead to the viewer", &json!([]))),
        ("/openapi.json", answer("Describe all routes", &json!([]))),
    ]
}
