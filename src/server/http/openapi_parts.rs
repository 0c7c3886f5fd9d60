//! Parts of the document that all routes share: their tokens, refusals and bodies.

use serde_json::{Value, json};

use super::access::Needs;

/// Returns which tokens a route wants.
pub(super) fn security(needs: Needs) -> Value {
    match needs {
        Needs::Nothing => json!([]),
        Needs::Token => json!([{ "token": [] }]),
        Needs::AdminToken => json!([{ "token": [], "admin": [] }]),
    }
}

/// Returns the refusals that any route may answer.
pub(super) fn refusals(needs: Needs, refusal: &Value) -> impl Iterator<Item = (String, Value)> {
    let all = [
        (400, "A field is wrong", true),
        (401, "No token, or a wrong one", needs != Needs::Nothing),
        (403, "Not allowed here", true),
        (408, "It took too long", true),
        (413, "The body is too large", true),
        (500, "The program or its data have a fault", true),
        (503, "The database does not answer", true),
    ];
    let named = all.into_iter().filter(|(.., may_be)| *may_be);
    named.map(|(status, about, _)| (status.to_string(), answered_with(about, refusal)))
}

/// Returns an answer that is JSON of a form.
pub(super) fn answered_with(about: &str, schema: &Value) -> Value {
    json!({ "description": about, "content": json_of(schema) })
}

/// Returns the content of a body that is JSON of a form.
pub(super) fn json_of(schema: &Value) -> Value {
    json!({ "application/json": { "schema": schema } })
}
