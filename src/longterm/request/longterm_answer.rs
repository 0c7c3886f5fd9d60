//! What the tools answer: always an answer, also where nothing was done.

use serde::Serialize;

use super::failure::{Denial, FailedStatus, MemoryScope};
use super::memory_number::MemoryNumber;
use super::notice::{MemoryEvent, MemoryNotice};

/// Which tool was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LongtermTool {
    /// `update_long_term_memory`
    Update,
    /// `create_long_term_memory`
    Create,
}

/// What a tool answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct LongtermAnswer {
    /// Whether it was done.
    pub success: bool,
    /// What was done, for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Why it was not done, for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What was done, for programs.
    pub data: ToolData,
    /// What the host should know besides.
    pub warnings: Vec<String>,
    #[serde(skip)]
    failure: Option<FailedStatus>,
}

/// What was done, for programs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ToolData {
    /// `memory_updated_successfully` and the like.
    pub status: String,
    /// Whose memories it was about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<MemoryScope>,
    /// The number of the memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_id: Option<MemoryNumber>,
    /// The content as it is stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_saved: Option<String>,
    /// The content that was deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_deleted: Option<String>,
    /// The id of the person whose memory it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_user: Option<String>,
    /// A finer code of why it was not done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// Those whom a name fits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
    /// Whether the same was there already.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub duplicate: bool,
    /// What the host shows to people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notification: Option<MemoryNotice>,
    /// The generations that were raised.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub invalidated: Vec<RaisedGeneration>,
    /// The event of the change, for those who are told of it beside the answer.
    #[serde(skip)]
    pub change: Option<serde_json::Value>,
}

/// A generation that was raised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct RaisedGeneration {
    /// `server:` or `user:` with an id.
    pub key: String,
    /// What it is now.
    pub generation: u64,
}

impl LongtermAnswer {
    /// Makes the answer to what was done.
    pub(crate) fn done(event: MemoryEvent, message: String, data: ToolData) -> Self {
        let data = ToolData { status: format!("{event}_successfully"), ..data };
        let message = Some(message);
        Self { success: true, message, error: None, data, warnings: Vec::new(), failure: None }
    }

    /// Makes the answer to what was not done.
    pub(crate) fn denied(tool: LongtermTool, denial: Denial) -> Self {
        let Denial { status, message, reason, candidates } = denial;
        let begin = match tool {
            LongtermTool::Update => "memory_update_failed",
            LongtermTool::Create => "memory_save_failed",
        };
        let data = ToolData {
            status: format!("{begin}_{status}"),
            reason,
            candidates,
            ..ToolData::default()
        };
        let (error, failure) = (Some(message), Some(status));
        Self { success: false, message: None, error, data, warnings: Vec::new(), failure }
    }

    /// Tells whether the call could not be answered, other than by a no.
    pub fn is_failure(&self) -> bool {
        matches!(self.failure, Some(FailedStatus::DbError | FailedStatus::InternalError))
    }

    /// Tells whether the database did not do it.
    pub fn is_db_error(&self) -> bool {
        self.failure == Some(FailedStatus::DbError)
    }
}
