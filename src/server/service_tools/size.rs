//! How long a content may be, counted in UTF-16 units as the known clients do.

use serde_json::{Value, json};

use super::reply::ServiceReply;

/// Above this a content is stored with a warning.
const SOFT: usize = 500;

/// Above this nothing is stored.
const HARD: usize = 2_000;

/// How long a content is.
pub(super) struct ContentSize {
    /// The path of the field.
    field: String,
    length: usize,
}

impl ContentSize {
    pub(super) fn of(field: impl Into<String>, content: &Value) -> Self {
        let content = content.as_str().unwrap_or_default().trim();
        Self { field: field.into(), length: content.encode_utf16().count() }
    }

    /// Refuses what is too long, before anything is written.
    pub(super) fn refusal(&self) -> Option<ServiceReply> {
        let Self { field, length } = self;
        let message = format!(
            "refused, nothing was changed: `{field}` has {length} characters, allowed are 1 to {HARD}\n\
            next: split it into several memories, or shorten it; 150 to 300 characters are best"
        );
        let data =
            json!({"message": message, "field": field, "content_chars": length, "limit": HARD});
        (*length > HARD).then(|| ServiceReply::refused_as("content_too_large", data))
    }

    /// Warns of what is long.
    pub(super) fn warning(&self) -> Option<String> {
        let Self { field, length } = self;
        (*length > SOFT).then(|| {
            format!(
                "`{field}` has {length} characters; up to {SOFT} are found more precisely, 150 to 300 are best"
            )
        })
    }
}

/// Adds a warning about a size to an answer and to its message.
pub(super) fn warn_of_size(data: &mut Value, warning: Option<String>) {
    let Some(warning) = warning else { return };
    let message = data["message"].as_str().unwrap_or_default();
    data["message"] = format!("{message} (warning: {warning})").into();
    data["size_warning"] = warning.into();
}
