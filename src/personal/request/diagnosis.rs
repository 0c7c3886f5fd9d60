//! What `doctor --user` says of a person's memory.

use schemars::JsonSchema;
use serde::Serialize;

use crate::error::Error;

/// The hint for what the operating system, or its encoding, keeps us from reading.
const UNREADABLE: &str = "make it readable for this account (a text has to be UTF-8), then run `agent-memory doctor --user` again";

/// What is wrong with a person's memory, and what was repaired.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PersonalDiagnosis {
    /// The person's folder; absent if nothing is stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Whether nothing was found.
    pub healthy: bool,
    /// The parts that were examined.
    pub checked: Vec<&'static str>,
    /// What was repaired.
    pub fixed: Vec<String>,
    /// What was found.
    pub findings: Vec<PersonalFinding>,
}

/// What is wrong, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PersonalFinding {
    /// The part that was examined.
    pub check: &'static str,
    /// The file or folder, relative to the person's folder; empty for that folder itself.
    pub path: String,
    /// The rule that found a secret, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// What is wrong; never a text that may be secret.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl PersonalFinding {
    /// Makes a finding that no rule for secrets made.
    pub(crate) fn new(
        check: &'static str,
        path: &str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        let (path, message, hint) = (path.to_owned(), message.into(), hint.into());
        Self { check, path, rule: None, message, hint }
    }

    /// Makes a finding of what kept us from examining a part.
    pub(crate) fn of_error(check: &'static str, path: &str, error: &Error) -> Self {
        let hint = error.next_step().unwrap_or(UNREADABLE);
        Self::new(check, path, error.to_string(), hint)
    }

    /// Tells whether another finding is about the same, whatever numbers the two have.
    pub(crate) fn is_about_same(&self, other: &Self) -> bool {
        let subject = |it: &Self| (it.check, it.path.clone(), it.rule, it.hint.clone());
        subject(self) == subject(other)
    }
}
