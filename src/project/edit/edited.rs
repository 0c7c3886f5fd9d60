//! What an edit made of a file, and what it built on.

use super::operation_result::OperationResult;
use super::touched_section::TouchedSection;
use crate::markdown::Section;
use crate::project::request::OperationKind;

/// What an operation made of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The file afterwards.
    pub text: String,
    /// The sections of the file afterwards.
    pub sections: Vec<Section>,
    /// The section that the operation built on.
    pub touched: Option<TouchedSection>,
    /// What a person approves of it.
    pub result: OperationResult,
    /// What the operation came down to: `append_section` may replace, `replace_section` may append.
    pub effect: OperationKind,
    /// The ids, or headings, of the sections that the operation wrote.
    pub written: Vec<String>,
    /// The text that goes to the archive.
    pub archived: Option<String>,
    /// What the caller should know.
    pub warnings: Vec<String>,
}
