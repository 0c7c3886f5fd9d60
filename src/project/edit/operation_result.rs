//! What an operation writes, as a person approves it.

use serde::Serialize;

use crate::contract::ContentHash;
use crate::markdown::LineEnding;

/// What an operation writes, and what it takes away. What stands around it is no part of it, nor are line ends, which are
/// those of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OperationResult {
    /// The section that is written, or to which a new one is added; empty for the file.
    section: String,
    /// Hash of what it takes away; none for an addition.
    replaced: Option<ContentHash>,
    text: String,
}

impl OperationResult {
    pub(super) fn addition(section: &str, text: &str) -> Self {
        Self { section: section.to_owned(), replaced: None, text: bare(text) }
    }

    pub(super) fn replacement(section: &str, before: &str, text: &str) -> Self {
        let replaced = Some(ContentHash::of(bare(before).as_bytes()));
        Self { replaced, ..Self::addition(section, text) }
    }
}

/// Without the blank lines around, which depend on what stands there.
fn bare(text: &str) -> String {
    LineEnding::Lf.apply(text).trim_matches('\n').to_owned()
}
