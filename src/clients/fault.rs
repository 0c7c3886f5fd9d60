//! Why a file of a client is left as it is.

use serde::Serialize;

use crate::contract::words;

words! {
    /// Why a file cannot be edited; a code never changes its meaning.
    FaultCode {
        /// It is not the JSON, TOML or text that it should be.
        Malformed = "malformed",
        /// The marks of our block are not exactly one pair.
        UnbalancedMarkers = "unbalanced_markers",
        /// A code fence never ends, so what is added behind it would be code.
        UnclosedFence = "unclosed_fence",
        /// An entry with our name was written by another program or by a person.
        ForeignEntry = "foreign_entry",
        /// The value that should hold our entry has another type.
        WrongShape = "wrong_shape",
        /// A symbolic link leads out of the root, or nowhere.
        LinkOutOfRoot = "link_out_of_root",
    }
}

/// Why a file is left as it is, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Fault {
    /// Why.
    pub code: FaultCode,
    /// The line it is about, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// What was found.
    pub message: String,
    /// What to do next.
    pub hint: String,
}

impl Fault {
    pub(crate) fn new(
        code: FaultCode,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self { code, line: None, message: message.into(), hint: hint.into() }
    }

    /// Names the line of an offset.
    #[must_use]
    pub(super) fn at_offset(self, text: &str, offset: usize) -> Self {
        let before = text.as_bytes().iter().take(offset);
        self.on_line(before.filter(|byte| **byte == b'\n').count() + 1)
    }

    #[must_use]
    pub(super) fn on_line(self, line: usize) -> Self {
        Self { line: Some(line), ..self }
    }
}
