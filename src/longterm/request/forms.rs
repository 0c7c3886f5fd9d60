//! What the commands about long-term memories answer.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::longterm_answer::RaisedGeneration;
use super::memory_number::MemoryNumber;
use super::memory_row::MemoryLine;

/// Memories of a list.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct LongtermList {
    /// The newest first.
    pub memories: Vec<MemoryLine>,
}

/// What a prompt may have of the memories.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PromptMemories {
    /// Lines of `ID:N text`, shared ones first.
    pub text: String,
    /// What the server shares, the newest first.
    pub shared: Vec<PromptMemory>,
    /// What is remembered of each participant who lets it be read.
    pub people: Vec<PersonMemories>,
    /// The generations of all that was read.
    pub generations: BTreeMap<String, u64>,
}

/// A memory in a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PromptMemory {
    /// Its number.
    pub id: MemoryNumber,
    /// What is remembered.
    pub content: String,
}

/// What is remembered of a participant.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PersonMemories {
    /// Their id.
    pub user: String,
    /// Their name in the conversation.
    pub label: String,
    /// The newest first.
    pub memories: Vec<PromptMemory>,
}

/// What is known of people and servers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct DirectoryDocument {
    /// People, by id.
    pub users: BTreeMap<String, Value>,
    /// Servers, by id.
    pub servers: BTreeMap<String, Value>,
}

/// A change of the directory.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct DirectoryChange {
    /// `changed`, or `rejected` where the document is none.
    pub status: &'static str,
    /// Entries that were set or removed.
    pub entries: usize,
    /// The generations that were raised.
    pub invalidated: Vec<RaisedGeneration>,
    /// What cannot be read in it, and what that means.
    pub warnings: Vec<String>,
    /// Why it is rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Whether a memory was restored.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RestoredMemory {
    /// `restored` or `rejected`.
    pub status: &'static str,
    /// Its number.
    pub memory_id: MemoryNumber,
    /// Why it was rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The generations that were raised.
    pub invalidated: Vec<RaisedGeneration>,
}

/// What was forgotten.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ForgottenMemories {
    /// How many memories were erased, deleted ones too.
    pub forgotten: usize,
    /// The generations that were raised.
    pub invalidated: Vec<RaisedGeneration>,
    /// What is left to do.
    pub warnings: Vec<String>,
    /// Whether no byte of them is left in any file of the data.
    pub is_gone: bool,
}

/// The generations of keys.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Generations {
    /// 0 for a key of which nothing was ever changed.
    pub generations: BTreeMap<String, u64>,
}

/// What was imported.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct LongtermImport {
    /// How many memories are new.
    pub imported: usize,
    /// Lines that were refused.
    pub refused: Vec<RefusedLine>,
}

/// A line that was refused.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RefusedLine {
    /// From 1 on.
    pub line: usize,
    /// Why.
    pub reason: String,
}

/// The log, or what was found in it.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct LongtermLog {
    /// Oldest first.
    pub lines: Vec<Value>,
}
