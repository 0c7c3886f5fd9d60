//! What a program reads in place of an answer: one envelope for a refusal and for an error.

use schemars::JsonSchema;
use serde::Serialize;

use super::id::SectionId;

/// What a command refused, or could not do.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Failure {
    /// The reason and the next step.
    pub error: ErrorBody,
    /// Other information for the caller.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A reason, with the next step.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct ErrorBody {
    /// The stable code.
    pub code: &'static str,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
    /// The file that it is about.
    pub path: Option<String>,
    /// Where secrets or personal data were found; never the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Every field and section that is wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Violation>,
    /// What is wrong with the sources.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub provenance_violations: Vec<String>,
}

/// Where a secret or personal data was found; never the text, never a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Finding {
    /// Id of the rule that fired.
    #[serde(rename = "type")]
    pub rule: String,
    /// Number of the operation, from 0; absent where it is another field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<usize>,
    /// JSON pointer to the field, or the file and section as they would be.
    pub pointer: String,
    /// Line in that text, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// About how long the text is: `short`, `medium` or `long`.
    pub length: String,
    /// Names the text for `secrets allow`; absent for personal data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// What to do about it.
    pub remedy: String,
}

/// A rule that is broken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Violation {
    /// JSON pointer to the field of the request.
    pub pointer: String,
    /// The file, where one is concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The section, where one is concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section_id: Option<SectionId>,
    /// The rule, as the category schema names it.
    pub rule: String,
    /// What was found and what is allowed.
    pub message: String,
}

impl Violation {
    /// Makes one of what is wrong with a field of the request.
    pub fn of_field(pointer: impl Into<String>, code: &str, message: impl Into<String>) -> Self {
        let (pointer, message) = (pointer.into(), message.into());
        Self { pointer, file: None, section_id: None, rule: code.to_owned(), message }
    }
}
