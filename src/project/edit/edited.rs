//! What an edit made of a file, and what it built on.

use serde::{Deserialize, Serialize};

use crate::contract::ContentHash;
use crate::markdown::Section;
use crate::project::request::OperationKind;

/// What an operation made of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The file afterwards.
    pub text: String,
    /// The sections of the file afterwards.
    pub sections: Vec<Section>,
    /// The sections whose former text the operation built on.
    pub touched: Vec<TouchedSection>,
    /// What the operation came down to: `append_section` may replace, `replace_section` may append.
    pub effect: OperationKind,
    /// The ids, or headings, of the sections that the operation wrote.
    pub written: Vec<String>,
    /// The text that goes to the archive.
    pub archived: Option<String>,
    /// What the caller should know.
    pub warnings: Vec<String>,
}

/// A section whose former text an operation built on; a change of it is drift.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TouchedSection {
    pub file: String,
    /// The id, or the heading where there is none; empty for the whole file.
    pub section: String,
    /// The part that matters.
    pub scope: Scope,
    /// Hash of that part.
    pub hash: ContentHash,
    /// Hash of the headings above, where others of its level have the same heading and none has an id: if one more comes
    /// before it, what is meant would be that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<ContentHash>,
    /// Level of its heading; 0 for the whole file, and where it is read from a pending proposal.
    #[serde(skip)]
    pub level: u8,
}

impl TouchedSection {
    /// Tells whether it is what it was, and still the section that was meant.
    pub fn is_still(&self, then: &Self) -> bool {
        let is_above = self.above.as_ref().zip(then.above.as_ref());
        (&self.file, &self.section, self.scope, &self.hash)
            == (&then.file, &then.section, then.scope, &then.hash)
            && is_above.is_none_or(|(now, then)| now == then)
    }
}

/// The part of a section that an operation builds on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The section with all that stands in it.
    Whole,
    /// The section up to the next heading.
    Own,
}
