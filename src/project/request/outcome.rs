//! What a caller is told: applied, staged or rejected.

use schemars::JsonSchema;
use serde::Serialize;

use super::proposal_id::ProposalId;
use super::reason::Reason;
use crate::contract::{
    ErrorBody, Failure, Finding, LISTED_PROBLEMS, Moment, SectionId, Violation, words,
};

/// The answer to a request. On the command line it has a `schema_version` besides, as every document has.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(tag = "status", rename_all = "snake_case")]
#[schemars(extend(
    "type" = "object",
    "properties" = {"schema_version": {"description": "On the command line: the version of this form.", "const": 1}},
    "unevaluatedProperties" = false
))]
pub enum Outcome {
    /// The change is in the files.
    Applied(Applied),
    /// The change is pending until a person decides.
    Staged(Staged),
    /// The request is refused; nothing was changed.
    Rejected(Refusal),
}

impl Outcome {
    /// Adds what the caller should know besides.
    pub(crate) fn warn(&mut self, warnings: Vec<String>) {
        match self {
            Self::Applied(applied) => applied.warnings.extend(warnings),
            Self::Staged(staged) => staged.warnings.extend(warnings),
            Self::Rejected(refusal) => refusal.warnings.extend(warnings),
        }
    }
}

/// A result whose error is a refusal, boxed because it is large and rare.
pub type Answer<T> = Result<T, Box<Refusal>>;

/// The answer to a change that is in the files.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Applied {
    /// The id under which `log`, `show` and `undo` know the change; absent on a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal_id: Option<ProposalId>,
    /// The rules by which no person has to decide.
    pub routing: Routing,
    /// The files that were changed.
    pub files: Vec<String>,
    /// The sections that were changed.
    pub affected_sections: Vec<AffectedSection>,
    /// When, RFC 3339 UTC; absent on a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub applied_at: Option<Moment>,
    /// Whether the search index was refreshed.
    pub index_updated: bool,
    /// True when nothing was written because `dry_run` was asked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
    /// Other information for the caller.
    pub warnings: Vec<String>,
}

/// The answer to a change that is pending.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Staged {
    /// The folder under `staging/`; absent on a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub staging_id: Option<ProposalId>,
    /// The same id, under the name that `applied` uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal_id: Option<ProposalId>,
    /// The rules by which a person has to decide.
    pub routing: Routing,
    /// How long the proposal can be applied.
    pub staging_ttl_seconds: u64,
    /// Until when the proposal can be applied, RFC 3339 UTC.
    #[schemars(with = "String")]
    pub expires_at: Moment,
    /// Always true.
    pub human_approval_required: bool,
    /// The command with which a person reviews it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_command: Option<String>,
    /// The files that it would change.
    pub files: Vec<String>,
    /// The sections that it would change.
    pub affected_sections: Vec<AffectedSection>,
    /// True when nothing was written because `dry_run` was asked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
    /// Other information for the caller.
    pub warnings: Vec<String>,
}

/// A refusal, with all that is needed for a better request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Refusal {
    /// The stable code.
    pub reason: Reason,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do next.
    pub hint: String,
    /// JSON pointer to the field of the request that is wrong, where it is one field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// How it was routed, if it got so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub routing: Option<Routing>,
    /// Where secrets or personal data were found; never the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Every field and section that is wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Violation>,
    /// What is wrong with the sources.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub provenance_violations: Vec<String>,
    /// Other information for the caller.
    pub warnings: Vec<String>,
}

impl Refusal {
    /// Returns the number of the operation that is refused, from 0; none where it is about the whole request.
    pub(crate) fn operation(&self) -> Option<usize> {
        operation_at(self.pointer.as_ref()?)
    }

    /// Makes a refusal; the message is lower case, without a final stop.
    pub fn new(reason: Reason, message: impl Into<String>, hint: impl Into<String>) -> Box<Self> {
        Box::new(Self {
            reason,
            message: message.into(),
            hint: hint.into(),
            pointer: None,
            routing: None,
            findings: Vec::new(),
            violations: Vec::new(),
            provenance_violations: Vec::new(),
            warnings: Vec::new(),
        })
    }

    /// Names the field that is wrong.
    #[must_use]
    pub fn at(mut self: Box<Self>, pointer: impl Into<String>) -> Box<Self> {
        self.pointer = Some(pointer.into());
        self
    }

    /// Adds everything that is wrong, as far as anyone will read it; the message, which names the first,
    /// says how many these are.
    #[must_use]
    pub(super) fn listing(mut self: Box<Self>, mut all: Vec<Violation>) -> Box<Self> {
        self.message += &match all.len() {
            0 | 1 => String::new(),
            some @ 2..=LISTED_PROBLEMS => format!(", and {} more under `violations`", some - 1),
            _ => format!(", and more, the first {LISTED_PROBLEMS} under `violations`"),
        };
        all.truncate(LISTED_PROBLEMS);
        self.violations = all;
        self
    }

    /// Brings every text that may echo the input through `clean`.
    #[must_use]
    pub fn cleaned(mut self: Box<Self>, clean: impl Fn(&str) -> String) -> Box<Self> {
        self.message = clean(&self.message);
        self.hint = clean(&self.hint);
        self.pointer = self.pointer.as_deref().map(|pointer| cleaned_pointer(pointer, &clean));
        self.provenance_violations.iter_mut().for_each(|each| *each = clean(each));
        self.warnings.iter_mut().for_each(|each| *each = clean(each));
        for violation in &mut self.violations {
            violation.message = clean(&violation.message);
            violation.pointer = cleaned_pointer(&violation.pointer, &clean);
        }
        self
    }
}

/// Cleans a JSON pointer as a person reads it: its escapes would hide a secret with a slash.
fn cleaned_pointer(pointer: &str, clean: impl Fn(&str) -> String) -> String {
    let plain = pointer.replace("~1", "/").replace("~0", "~");
    match clean(&plain) {
        same if same == plain => pointer.to_owned(),
        cleaned => cleaned,
    }
}

/// The route of a change, and the rules that decided it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Routing {
    /// The strictest mode of all rules.
    pub mode: Mode,
    /// The rules that counted.
    pub decided_by: Vec<Decided>,
}

words! {
    /// The three routes of a change, the strictest last.
    Mode {
        /// It is applied at once.
        Apply = "apply",
        /// It is pending until a person approves it.
        Stage = "stage",
        /// It is refused.
        Deny = "deny",
    }
}

/// A rule that decides on the route.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Decided {
    /// Number of the operation, from 0; absent where the whole request decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<usize>,
    /// Category that the operation touches; absent where the whole request decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// The rule, in words that `config.toml` and the schemas use.
    pub rule: String,
    /// What the rule demands.
    pub mode: Mode,
}

/// A section that a change concerns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct AffectedSection {
    /// The file.
    pub file: String,
    /// The section's id; absent where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section_id: Option<SectionId>,
    /// What happens to it.
    pub change: Change,
    /// SHA-256 of the section afterwards, of which `show` prints 16 digits; absent when it is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

words! {
    /// What happens to a section.
    Change {
        /// It is new.
        Added = "added",
        /// Its text is different.
        Changed = "changed",
        /// It is gone.
        Removed = "removed",
        /// Its heading is different.
        Renamed = "renamed",
        /// It was copied to the archive.
        Archived = "archived",
    }
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

/// Returns the number of the operation that a JSON pointer leads to or into.
pub(crate) fn operation_at(pointer: &str) -> Option<usize> {
    pointer.strip_prefix("/operations/")?.split('/').next()?.parse().ok()
}
