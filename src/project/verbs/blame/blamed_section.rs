//! What is said of a section: its writer, evidence, approver and commit.

use serde::Serialize;

use crate::project::store::Commit;
use crate::project::verbs::show::ShownSource;

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct BlamedSection {
    pub path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub heading: Vec<String>,
    pub line: usize,
    /// Deeper sections are not part of it.
    pub written: WrittenBy,
    /// The last proposal that wrote the section, by the log of this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approver: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub applied_at: Option<String>,
    /// Whether the approver changed a part of the proposal.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub amended: bool,
    /// Earlier proposals, newest first; the section may still hold some of their text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierWriter>,
    pub sources: Vec<BlamedSource>,
    /// The newest commit that brought a line of the committed section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<Commit>,
    /// What the message of that commit says, where this machine knows no proposal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<CommitClaim>,
    /// The applied proposal that wrote it, by `decided/`, where this machine knows none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<String>,
    /// What `decided/` says of that decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision_claim: Option<ApprovalClaim>,
    /// Whether the last commit has the section unchanged.
    pub committed: bool,
    /// Why git gives no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit_unknown: Option<String>,
}

/// What the message of a commit says about a section that the commit has unchanged. Anybody can write that.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct CommitClaim {
    pub commit: String,
    pub author: String,
    pub proposal_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approver: Option<String>,
}

/// What a file of `decided/` says of a section that has the text of that decision. Anybody who commits can write that.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct ApprovalClaim {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approver: Option<String>,
    pub time: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct EarlierWriter {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approver: Option<String>,
    pub applied_at: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WrittenBy {
    ByProposal,
    /// A proposal wrote it, and it was changed since: by hand, or by a merge.
    EditedSince,
    /// A proposal that was applied on another machine, by a commit message or `decided/`.
    Elsewhere,
    /// A person, or a proposal that is unknown here.
    ByHand,
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct BlamedSource {
    #[serde(flatten)]
    pub source: ShownSource,
    pub confidence: &'static str,
    pub date: String,
}
