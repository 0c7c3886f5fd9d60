//! What a program reads in place of an answer: one envelope for a refusal and for an error.

use schemars::JsonSchema;
use serde::Serialize;

use crate::contract::{Finding, Refusal, Violation};

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

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let Refusal { reason, message, hint, findings, violations, .. } = refusal;
        let (code, hint, path) = (reason.name(), Some(hint), None);
        let provenance_violations = refusal.provenance_violations;
        let error =
            ErrorBody { code, message, hint, path, findings, violations, provenance_violations };
        Self { error, warnings: refusal.warnings }
    }
}
