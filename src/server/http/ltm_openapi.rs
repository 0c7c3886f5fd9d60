//! Describes the routes of long-term memories for the document of all routes.

use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use super::access::Needs;
use super::openapi_parts::{answered_with, json_of, refusals, security};
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
    let tool = |about: &str| {
        let mut tool = operation(about, &call, &answer);
        // That the database did not do it is an answer of the tool.
        let either = json!({"anyOf": [answer, refusal]});
        tool["responses"]["503"] = answered_with("The database does not answer", &either);
        tool
    };
    [
        ("/ltm/update", "post", tool("Change or delete a memory")),
        ("/ltm/create", "post", tool("Add a memory")),
        ("/ltm/context", "post", operation("Read what a prompt may have", &context, &prompt)),
        ("/ltm/directory", "put", operation("Patch what is known of people", &patch, &change)),
        ("/ltm/events", "get", events(refusal)),
    ]
}

fn operation(about: &str, body: &Value, form: &Value, refusal: &Value) -> Value {
    let mut responses: Map<String, Value> = refusals(Needs::Token, refusal).collect();
    responses.insert("200".into(), answered_with("What was asked for", form));
    json!({
        "summary": about,
        "security": security(Needs::Token),
        "requestBody": {"required": true, "content": json_of(body)},
        "responses": responses,
    })
}

fn events(refusal: &Value) -> Value {
    let since = json!({
        "name": "since", "in": "query", "schema": {"type": "integer"},
        "description": "Number of the last event that is known",
    });
    let mut responses: Map<String, Value> = refusals(Needs::Token, refusal).collect();
    let good = json!({
        "description": "Events without text, oldest first",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    });
    responses.insert("200".into(), good);
    json!({
        "summary": "Tell each change of long-term memories, as server-sent events",
        "security": security(Needs::Token),
        "parameters": [since],
        "responses": responses,
    })
}
