//! What the service answers when it stored, read, changed or deleted something.

use serde::Serialize;
use serde_json::{Map, Value};

use super::memory::{MemoryDocument, MemorySummary};
use super::memory_id::MemoryId;
use super::recall_answer::{RecallResult, RelationDocument};
use super::relation_type::RelationType;
use crate::contract::Timestamp;

/// The answer to `POST /memory`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Stored {
    /// Always `success`.
    pub status: &'static str,
    /// The id of the memory.
    pub memory_id: MemoryId,
    /// When it was stored.
    pub stored_at: Timestamp,
    /// Its type, sent or found.
    #[serde(rename = "type")]
    pub kind: String,
    /// How sure the type is.
    pub confidence: f64,
    /// `queued`.
    pub enrichment: &'static str,
    /// `provided` or `skipped`.
    pub embedding: &'static str,
    /// The same as `embedding`.
    pub embedding_status: &'static str,
    /// `stored` with a vector, else `unconfigured`.
    pub qdrant: &'static str,
    /// As it is stored.
    pub metadata: Map<String, Value>,
    /// When it was made.
    pub timestamp: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// When it was last read.
    pub last_accessed: Timestamp,
    /// Whether the same was stored before, and this is its id.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub duplicate: bool,
    /// Whether the id that was sent was there with the same content: the status is 200.
    #[serde(skip)]
    pub existed: bool,
    /// How long it took.
    pub query_time_ms: f64,
    /// What the caller should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The answer to `POST /memory/batch`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct BatchStored {
    /// Always `success`.
    pub status: &'static str,
    /// How many were stored.
    pub stored: usize,
    /// Their ids in the order of the request.
    pub memory_ids: Vec<MemoryId>,
    /// `stored (N)` with vectors, else `unconfigured`.
    pub qdrant: String,
    /// `queued`.
    pub enrichment: &'static str,
    /// Whether the same was stored a moment ago.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub duplicate: bool,
    /// How long it took.
    pub query_time_ms: f64,
    /// What the caller should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The answer to `GET /memory/<id>`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct GotMemory {
    /// Always `success`.
    pub status: &'static str,
    /// The memory.
    pub memory: MemoryDocument,
}

/// The answer to `PATCH /memory/<id>`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Updated {
    /// Always `success`.
    pub status: &'static str,
    /// Its id.
    pub memory_id: MemoryId,
    /// The memory as it is now.
    pub memory: MemoryDocument,
    /// What the caller should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The answer to `DELETE /memory/<id>`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Deleted {
    /// Always `success`.
    pub status: &'static str,
    /// Its id.
    pub memory_id: MemoryId,
    /// In words.
    pub message: String,
    /// Whether text, vectors and history are erased for good.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub forgotten: bool,
}

/// The answer to `GET /memory/by-tag`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ByTag {
    /// Always `success`.
    pub status: &'static str,
    /// As they were asked for.
    pub tags: Vec<String>,
    /// How many memories this page has.
    pub count: usize,
    /// Memories of a page at most.
    pub limit: usize,
    /// How many were passed over.
    pub offset: usize,
    /// Whether there are more.
    pub has_more: bool,
    /// The memories, the most important first.
    pub memories: Vec<TaggedMemory>,
    /// The same in the form of `/recall`.
    pub results: Vec<RecallResult>,
}

/// A memory with a tag.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct TaggedMemory {
    /// The memory.
    #[serde(flatten)]
    pub memory: MemoryDocument,
    /// Its importance.
    pub score: f64,
    /// Its strongest relations.
    pub relations: Vec<RelationDocument>,
}

/// The answer to `DELETE /memory/by-tag`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct DeletedByTag {
    /// Always `success`.
    pub status: &'static str,
    /// As they were sent.
    pub tags: Vec<String>,
    /// How many memories had one of them.
    pub deleted_count: usize,
}

/// The answer to `POST /associate` with one pair.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct AssociateAnswer {
    /// Always `success`.
    pub status: &'static str,
    /// In words.
    pub message: String,
    /// How they are related.
    pub relation_type: RelationType,
    /// 0 to 1.
    pub strength: f64,
    /// What its type has besides.
    #[serde(flatten)]
    pub properties: Map<String, Value>,
    /// What the caller should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The answer to `POST /associate` with a list.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct BatchAssociateAnswer {
    /// `success`, or `partial_success` where one failed.
    pub status: &'static str,
    /// How many were set.
    pub created_count: usize,
    /// How many were not.
    pub failed_count: usize,
    /// Those that were set.
    pub succeeded: Vec<SucceededAssociation>,
    /// Those that were not.
    pub failed: Vec<FailedAssociation>,
    /// In words.
    pub summary: String,
    /// What the caller should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A pair that was related.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SucceededAssociation {
    /// Its place in the request, from 0.
    pub index: usize,
    /// The first memory.
    pub memory1_id: MemoryId,
    /// The second memory.
    pub memory2_id: MemoryId,
    /// How they are related.
    pub relation_type: RelationType,
    /// 0 to 1.
    pub strength: f64,
}

/// A pair that was not related.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FailedAssociation {
    /// Its place in the request, from 0.
    pub index: usize,
    /// Why.
    pub reason: String,
    /// The field that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// The answer to `GET /memories/<id>/related`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Related {
    /// Always `success`.
    pub status: &'static str,
    /// As it was asked for.
    pub memory_id: String,
    /// How many there are.
    pub count: usize,
    /// The most important first.
    pub related_memories: Vec<MemorySummary>,
    /// The types that were followed.
    pub relationship_types: Vec<&'static str>,
    /// Relations to a memory at most.
    pub max_depth: usize,
    /// Memories at most.
    pub limit: usize,
}

/// The answer to `GET /memory/<id>/history`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct History {
    /// Always `success`.
    pub status: &'static str,
    /// The id of the memory.
    pub memory_id: MemoryId,
    /// How many changes this page has.
    pub count: usize,
    /// How many there are in all.
    pub total: usize,
    /// Changes of a page at most.
    pub limit: usize,
    /// How many were passed over.
    pub offset: usize,
    /// Whether there are more.
    pub has_more: bool,
    /// The changes, oldest first.
    pub history: Vec<HistoryEntry>,
}

/// A change of a memory.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct HistoryEntry {
    /// Its number in the log.
    pub seq: u64,
    /// When.
    pub time: String,
    /// What was done.
    pub action: &'static str,
    /// By whom.
    pub actor: String,
    /// What was said before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// What was said after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

/// The answer to `POST /memory/<id>/undo`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct UndoAnswer {
    /// Always `success`.
    pub status: &'static str,
    /// Its id.
    pub memory_id: MemoryId,
    /// What was taken back.
    pub undone: &'static str,
    /// The memory as it is now; absent where it is deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryDocument>,
}

/// The answer to `GET /trash`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Trash {
    /// Always `success`.
    pub status: &'static str,
    /// How many memories this page has.
    pub count: usize,
    /// How many there are in all.
    pub total: usize,
    /// Memories of a page at most.
    pub limit: usize,
    /// How many were passed over.
    pub offset: usize,
    /// Whether there are more.
    pub has_more: bool,
    /// The last deleted first.
    pub memories: Vec<TrashedMemory>,
}

/// A deleted memory.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct TrashedMemory {
    /// The memory.
    #[serde(flatten)]
    pub memory: MemoryDocument,
    /// When it was deleted.
    pub deleted_at: Timestamp,
    /// When it will be erased.
    pub erased_at: Timestamp,
}

/// The answer to `POST /trash/<id>/restore`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RestoreAnswer {
    /// Always `success`.
    pub status: &'static str,
    /// Its id.
    pub memory_id: MemoryId,
    /// The memory as it is now.
    pub memory: MemoryDocument,
}
