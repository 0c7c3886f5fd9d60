//! The forms of the tools, from which their schemas are made.
//!
//! Requests are read by hand, in the order of the checks; answers have types of their own, one for each status. A form
//! is one plain object, as several clients refuse a choice at the root of a schema.
#![expect(dead_code, reason = "only the schemas are made of these")]

use schemars::JsonSchema;
use serde_json::{Map, Value};

use super::answer::IndexSize;
use super::entry_type::EntryType;
use super::update::{DESCRIPTION, EntryAction};

/// A request of `update_user_memory`, as it is sent.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct UpdateForm {
    action: EntryAction,
    /// A-Z, a-z, 0-9, `_`, `-`; without `.md`.
    #[schemars(regex(pattern = r"^[A-Za-z0-9_-]{1,100}$"))]
    name: String,
    /// For upsert. `user`: long-term preferences, standing instructions. `feedback`: corrections the user gave.
    /// `project`: facts of a project (stack, conventions, key files). `reference`: URLs, where credentials are kept,
    /// external ids.
    r#type: Option<EntryType>,
    /// For upsert: the one line that the index shows.
    #[schemars(length(max = DESCRIPTION))]
    description: Option<String>,
    /// For upsert: the whole text, which replaces the old one.
    body: Option<String>,
    /// The `hash` of the entry that you read; another text there is refused.
    if_hash: Option<String>,
}

/// A request of `read_user_memory`, as it is sent.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct ReadForm {
    /// The entry; the index if absent.
    name: Option<String>,
}

/// An answer of `update_user_memory`, of any status.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct UpdateAnswerForm {
    status: String,
    reason: Option<String>,
    message: String,
    hint: Option<String>,
    pointer: Option<String>,
    name: Option<String>,
    path: Option<String>,
    description: Option<String>,
    index_line: Option<String>,
    hash: Option<String>,
    trash: Option<String>,
    index: Option<IndexSize>,
    findings: Option<Vec<Map<String, Value>>>,
    violations: Option<Vec<Map<String, Value>>>,
    warnings: Vec<String>,
}

/// An answer of `read_user_memory`: an entry, the index, or a refusal.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct ReadAnswerForm {
    status: Option<String>,
    reason: Option<String>,
    message: Option<String>,
    hint: Option<String>,
    pointer: Option<String>,
    name: Option<String>,
    r#type: Option<String>,
    description: Option<String>,
    body: Option<String>,
    text: Option<String>,
    path: Option<String>,
    hash: Option<String>,
    modified: Option<String>,
    index: Option<IndexSize>,
    violations: Option<Vec<Map<String, Value>>>,
    warnings: Option<Vec<String>>,
}
