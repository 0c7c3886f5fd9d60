//! One piece of evidence, as a request names it.

use schemars::JsonSchema;
use serde::Serialize;

use crate::contract::SourceType;

/// One piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Source {
    /// What kind of evidence.
    #[serde(rename = "type")]
    pub kind: SourceType,
    /// Where it is: `src/auth.rs`, `src/auth.rs:10-20`, `tests/auth.rs::rotates`, a commit, a page, a name.
    #[serde(rename = "ref")]
    #[schemars(length(min = 1, max = 400))]
    pub reference: String,
    /// The `ref` that it replaces: of lines of the same file, or of a file that is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// A note for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}
