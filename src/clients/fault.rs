//! Says why a file of a client is left as it is.

use serde::Serialize;

use crate::contract::words;

words! {
    /// Why a file cannot be edited; a code never changes its meaning.
    FaultCode {
        /// It is not the JSON, TOML or text that it should be.
        Malformed = "malformed",
        /// A mark that begins our block has none that ends it, or there are several.
        UnbalancedMarkers = "unbalanced_markers",
        /// A code fence never ends, so that what is added behind it would be code.
        UnclosedFence = "unclosed_fence",
        /// Something of our name stands there that somebody else wrote.
        ForeignEntry = "foreign_entry",
        /// Something else stands where our entry belongs.
        WrongShape = "wrong_shape",
        /// A symbolic link leads out of the root, or nowhere.
        LinkOutOfRoot = "link_out_of_root",
    }
}

/// Why a file is left as it is, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
    /// Makes a fault that is about a file as a whole.
    pub fn new(code: FaultCode, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, line: None, message: message.into(), hint: hint.into() }
    }

    /// Names the line of a place in the text.
    #[must_use]
    pub(super) fn at(self, text: &str, offset: usize) -> Self {
        let before = text.as_bytes().iter().take(offset);
        self.on(before.filter(|byte| **byte == b'\n').count() + 1)
    }

    /// Names the line.
    #[must_use]
    pub(super) fn on(self, line: usize) -> Self {
        Self { line: Some(line), ..self }
    }
}
