//! Looks into every text of a request for what is hidden or secret.

use std::collections::BTreeSet;

use serde_json::Value;

use super::refusal::{FieldError, ServiceRefusal};
use crate::secrets::Scanner;
use crate::text::find_hidden;

/// Refuses hidden characters and secrets, wherever they stand in a body; of a secret neither message has any part.
pub(crate) fn refuse_what_must_not_stay(
    body: &Value,
    scanner: &Scanner,
) -> Result<(), Box<ServiceRefusal>> {
    let mut errors = Vec::new();
    each_text(body, "", &mut |field, text| {
        if let Some(hidden) = find_hidden(text) {
            let message = format!("hidden characters in '{field}'");
            let detail = format!("{}; write only what a person can see", hidden.told_in(field));
            errors.push(FieldError { field: field.to_owned(), message, detail });
        }
        let found = scanner.scan(text);
        let rules: BTreeSet<&str> = found.iter().map(|finding| finding.rule).collect();
        if let Some(first) = found.first() {
            let rules = rules.into_iter().collect::<Vec<_>>().join("`, `");
            let message = format!("'{field}' holds what looks like a secret");
            let detail = format!(
                "`{rules}` on line {}, column {}; leave it out and say where it is kept instead, and revoke it if it was real",
                first.line, first.column
            );
            errors.push(FieldError { field: field.to_owned(), message, detail });
        }
    });
    errors.dedup_by(|one, other| one.field == other.field);
    if errors.is_empty() { Ok(()) } else { Err(ServiceRefusal::of_fields(errors)) }
}

/// Replaces secrets by their kind, wherever they stand in a body.
pub(crate) fn redact_texts(body: &mut Value, scanner: &Scanner) {
    match body {
        Value::String(text) => *text = scanner.redact_lines(text).into_owned(),
        Value::Array(list) => list.iter_mut().for_each(|each| redact_texts(each, scanner)),
        Value::Object(object) => object.values_mut().for_each(|each| redact_texts(each, scanner)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Calls `look` with each text and the path of its field; the name of a field counts as a text in it.
fn each_text(value: &Value, field: &str, look: &mut impl FnMut(&str, &str)) {
    match value {
        Value::String(text) => look(field, text),
        Value::Array(list) => {
            for (at, each) in list.iter().enumerate() {
                each_text(each, &format!("{field}[{at}]"), look);
            }
        }
        Value::Object(object) => {
            for (name, each) in object {
                let path = if field.is_empty() { name.clone() } else { format!("{field}.{name}") };
                // A name that is a secret must not be shown as a path.
                look(if field.is_empty() { "body" } else { field }, name);
                each_text(each, &path, look);
                if let Value::String(text) = each {
                    // A value may be known as a secret by its name alone.
                    look(&path, &format!("{name}: {text}"));
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
