//! Why a request about personal memory is refused.

use schemars::JsonSchema;
use serde::Serialize;

use crate::contract::{Finding, Violation, words};

words! {
    /// The stable codes of a refusal.
    EntryReason {
        /// A field or file is missing, unknown or wrong.
        InvalidRequest = "invalid_request",
        /// No user is signed in.
        UserRequired = "user_required",
        /// The name is none, or reserved.
        InvalidName = "invalid_name",
        /// No entry has this name, or the source of an import is missing.
        EntryNotFound = "entry_not_found",
        /// Another entry has this name.
        NameCollision = "name_collision",
        /// There are as many entries, lines or files as are allowed.
        LimitExceeded = "limit_exceeded",
        /// A field or file is too long.
        TooLarge = "too_large",
        /// A character that a person would not see.
        HiddenCharacters = "hidden_characters",
        /// Something that looks like a secret.
        SecretDetected = "secret_detected",
        /// Personal data that the person's settings refuse.
        PersonalDataDetected = "pii_detected",
        /// The entry is not what the caller read.
        TargetDrift = "target_drift",
        /// Only a person may do this.
        ApprovalRefused = "approval_refused",
    }
}

/// A refusal, with all that is needed for a better request; nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct EntryRefusal {
    status: RefusedStatus,
    /// The stable code.
    pub reason: EntryReason,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do next.
    pub hint: String,
    /// JSON pointer to the field that is wrong, where it is one field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// The entry that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where secrets or personal data were found; never the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Every field that is wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Violation>,
    /// Other information for the caller.
    pub warnings: Vec<String>,
}

/// The only status of a refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum RefusedStatus {
    Rejected,
}

impl EntryRefusal {
    /// Makes a refusal; the message is lower case, without a final stop.
    pub(crate) fn new(
        reason: EntryReason,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Box<Self> {
        Box::new(Self {
            status: RefusedStatus::Rejected,
            reason,
            message: message.into(),
            hint: hint.into(),
            pointer: None,
            name: None,
            findings: Vec::new(),
            violations: Vec::new(),
            warnings: Vec::new(),
        })
    }

    /// Names the field that is wrong.
    #[must_use]
    pub(crate) fn at(mut self: Box<Self>, pointer: impl Into<String>) -> Box<Self> {
        self.pointer = Some(pointer.into());
        self
    }

    /// Names the entry that it is about.
    #[must_use]
    pub(crate) fn about(mut self: Box<Self>, name: impl ToString) -> Box<Self> {
        self.name = Some(name.to_string());
        self
    }

    /// Lists every field that is wrong; the message says it in words.
    #[must_use]
    pub(crate) fn listing(mut self: Box<Self>, violations: Vec<Violation>) -> Box<Self> {
        self.violations = violations;
        self
    }

    /// Brings every text that may echo the input through `clean`.
    #[must_use]
    pub(crate) fn cleaned(mut self: Box<Self>, clean: impl Fn(&str) -> String) -> Box<Self> {
        let of_violations =
            self.violations.iter_mut().flat_map(|it| [&mut it.message, &mut it.pointer]);
        let texts = [&mut self.message, &mut self.hint].into_iter();
        let texts = texts.chain(&mut self.pointer).chain(&mut self.warnings).chain(of_violations);
        texts.for_each(|text| *text = clean(text));
        self
    }
}
