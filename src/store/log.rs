//! The log of decisions: one line each in `state/log.jsonl`.

use serde::Serialize;
use serde_json::Value;

use super::layout::{self, Layout};
use super::{Step, files};
use crate::contract::{AffectedSection, Moment, ProposalId};
use crate::error::Result;

/// One decision.
#[derive(Debug, Clone, Serialize)]
pub struct Entry<'a> {
    /// When it was taken.
    pub time: Moment,
    /// The proposal.
    pub id: Option<&'a ProposalId>,
    /// `applied`, `staged`, `rejected` or `refused`.
    pub decision: &'static str,
    /// Who proposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<&'a str>,
    /// Who decided, where a person did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approver: Option<&'a str>,
    /// What the change was for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intent: Option<&'static str>,
    /// Why, in the words of who proposed or who decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
    /// The files, each with its SHA-256 before and after.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<LoggedFile>,
    /// The sections.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub sections: &'a [AffectedSection],
}

/// A file of a decision.
#[derive(Debug, Clone, Serialize)]
pub struct LoggedFile {
    /// The path.
    pub path: String,
    /// SHA-256 before; absent if there was no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// SHA-256 after; absent if the file went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// Returns the step that adds a decision.
pub fn append(layout: &Layout, entry: &Entry<'_>) -> Result<Step> {
    let line = serde_json::to_string(entry).expect("an entry is plain data") + "\n";
    Ok(Step::Append { path: layout::log_path(), offset: length(layout)?, line })
}

/// Reads the decisions, oldest first; a line that a crash has torn is left out.
pub fn read(layout: &Layout) -> Result<Vec<Value>> {
    let bytes = files::read(&layout.log())?.unwrap_or_default();
    let lines = bytes.split(|byte| *byte == b'\n');
    Ok(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect())
}

/// Counts the lines that are none of ours.
pub fn count_damaged(layout: &Layout) -> Result<usize> {
    let bytes = files::read(&layout.log())?.unwrap_or_default();
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    Ok(lines.filter(|line| serde_json::from_slice::<Value>(line).is_err()).count())
}

/// Returns the length of the log in bytes, up to the end of its last whole line.
pub fn length(layout: &Layout) -> Result<u64> {
    files::whole_length(&layout.log())
}
