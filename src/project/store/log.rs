//! What a line of the log of decisions says.

use serde::Serialize;

use crate::contract::{ContentHash, Moment};
use crate::disk::log::LogTail;
use crate::disk::step::Step;
use crate::project::request::{AffectedSection, ProposalId};

/// Marks a decision that another machine signed. It vouches for no pending proposal: this machine did not see it
/// arrive.
pub(super) const ADOPTED: &str = "adopted";

/// One decision.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Entry<'a> {
    pub(crate) time: Moment,
    pub(crate) id: Option<&'a ProposalId>,
    /// `applied`, `staged`, `rejected`, `refused`, `undone`, `restored`, `swept`, `allowed`, `moved` (applied in
    /// another worktree), `cleared` (removed from a queue after its decision), `set` (a setting) or `upgraded` (a layout).
    pub(crate) decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) owner: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) approver: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) intent: Option<&'static str>,
    /// In the words of the proposer or the approver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<&'a str>,
    /// SHA-256 of `proposal.json`, as staged or as decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) request: Option<&'a ContentHash>,
    /// Whether these bytes differ from those that were staged.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) request_changed: bool,
    /// The applied operations, numbered from 0, if a person chose only some.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) operations: Vec<usize>,
    /// Whether it was applied over a section that had changed since.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) forced: bool,
    /// Whether a person changed the text.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) amended: bool,
    /// The files from which it moved sections to others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) moved_from: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) files: Vec<LoggedFile>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(crate) sections: &'a [AffectedSection],
}

impl Entry<'_> {
    /// Returns the step that adds the line to the log.
    pub(crate) fn append_to(&self, log: &LogTail) -> Step {
        let id = self.id.map(ProposalId::as_str);
        tracing::info!(decision = self.decision, id, "decision");
        log.append(self)
    }

    pub(crate) fn new(time: Moment, decision: &'static str) -> Self {
        Self {
            time,
            id: None,
            decision,
            owner: None,
            approver: None,
            intent: None,
            reason: None,
            request: None,
            request_changed: false,
            operations: Vec::new(),
            forced: false,
            amended: false,
            moved_from: Vec::new(),
            files: Vec::new(),
            sections: &[],
        }
    }
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct LoggedFile {
    pub(crate) path: String,
    /// SHA-256; `None` if there was no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) before: Option<String>,
    /// SHA-256; `None` if the file was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<String>,
}
