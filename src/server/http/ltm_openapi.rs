//! Describes the routes of long-term memories for the document of all routes.

use schemars::SchemaGenerator;
use serde_json::{Value, json};

use crate::longterm::request::{DirectoryChange, LongtermAnswer, PromptMemories};

/// Returns path, method and operation of each route; `refusal` is the form of what is not let in.
pub(super) fn operations(
    answers: &mut SchemaGenerator,
    refusal: &Value,
) -> [(&'static str, &'static str, Value); 5] {
    let object = |properties: Value| json!({"type": "object", "properties": properties});
    let any = json!({"type": "object"});
    let call = object(json!({"context": any, "arguments": any}));
    let context = object(json!({"context": any, "render": {"type": "boolean"}}));
    let patch = object(json!({"users": any, "servers": any}));
    let answer = json!(answers.subschema_for::<LongtermAnswer>());
    let prompt = json!(answers.subschema_for::<PromptMemories>());
    let change = json!(answers.subschema_for::<DirectoryChange>());
    let operation = |about: &str, body: &Value, form: &Value| operation(about, body, form, refusal);
    [
        ("/ltm/update", "post", operation("Change or delete a memory", &call, &answer)),
        ("/ltm/create", "post", operation("Add a memory", &call, &answer)),
        ("/ltm/context", "post", operation("Read what a prompt may have", &context, &prompt)),
        ("/ltm/directory", "put", operation("Patch what is known of people", &patch, &change)),
        ("/ltm/events", "get", events(refusal)),
    ]
}

fn operation(about: &str, body: &Value, form: &Value, refusal: &Value) -> Value {
    let content = |schema: &Value| json!({"application/json": {"schema": schema}});
    let response =
        |about: &str, schema: &Value| json!({"description": about, "content": content(schema)});
    json!({
        "summary": about,
        "security": [{"token": []}],
        "requestBody": {"required": true, "content": content(body)},
        "responses": {
            "200": response("What was asked for", form),
            "400": response("The body is not the object that is expected", refusal),
            "401": response("No token, or a wrong one", refusal),
            "503": {"description": "The database does not answer"},
        },
    })
}

fn events(refusal: &Value) -> Value {
    let refused = |about: &str| json!({"description": about, "content": {"application/json": {"schema": refusal}}});
    let since = json!({
        "name": "since", "in": "query", "schema": {"type": "integer"},
        "description": "Number of the last event that is known",
    });
    json!({
        "summary": "Tell each change of long-term memories, as server-sent events",
        "security": [{"token": []}],
        "parameters": [since],
        "responses": {
            "200": {
                "description": "Events without text, oldest first",
                "content": {"text/event-stream": {"schema": {"type": "string"}}},
            },
            "400": refused("`since` is no number"),
            "401": refused("No token, or a wrong one"),
            "503": refused("The database does not answer"),
        },
    })
}
