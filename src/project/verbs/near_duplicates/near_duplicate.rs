//! What says almost the same as an operation of a proposal, and how it is told.

use serde::Serialize;

use crate::text::{one_line, visible};

/// Lines of it that are shown.
const SHOWN_LINES: usize = 6;

/// What says almost the same as an operation of a proposal.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct NearDuplicate {
    /// What it is.
    pub kind: NearKind,
    /// A section as `path#id`, or `path:line` where it has no id; a proposal by its id.
    pub place: String,
    /// The operation that says almost the same, numbered from 0.
    pub operation: usize,
    /// The day on which a person rejected it, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejected: Option<String>,
    /// Its first lines; secrets are masked.
    pub text: String,
}

/// What says almost the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NearKind {
    /// A section of memory.
    Section,
    /// A pending proposal.
    Pending,
    /// A proposal that a person rejected.
    Rejected,
}

impl NearDuplicate {
    /// Keeps the first lines of a text in which secrets are masked.
    pub(super) fn new(kind: NearKind, place: String, operation: usize, text: &str) -> Self {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let mut shown: Vec<&str> = lines.take(SHOWN_LINES + 1).collect();
        if shown.len() > SHOWN_LINES {
            shown[SHOWN_LINES] = "…";
        }
        Self { kind, place, operation, rejected: None, text: shown.join("\n") }
    }

    /// Says it to the agent and to the reviewer; `of` is the number of operations.
    pub(in crate::project::verbs) fn told(&self, of: usize) -> String {
        let number = self.operation + 1;
        let operation = if of > 1 { format!(" as operation {number}") } else { String::new() };
        let said = format!("says almost the same{operation}");
        match self.kind {
            NearKind::Section => {
                format!("`{}` {said}; replace that section, or say what is new", self.place)
            }
            NearKind::Pending => format!("pending `{}` {said}", self.place),
            NearKind::Rejected => {
                let why = one_line(self.rejected.as_deref().unwrap_or_default());
                format!("rejected `{}` ({}) {said}", self.place, visible(&why))
            }
        }
    }
}
