//! What the service answers when it is asked how it is.

use serde::Serialize;
use serde_json::{Map, Value};

use super::memory_id::MemoryId;
use crate::contract::Timestamp;

/// The answer to `GET /health`. Its keys are those of a service with two databases; here both are one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ServiceHealth {
    /// Always `healthy`: a database that cannot be read is an error.
    pub status: &'static str,
    /// Always `connected`.
    pub falkordb: &'static str,
    /// Always `memories`.
    pub graph: &'static str,
    /// `connected` where vectors are kept or `VECTOR_SIZE` is set, else `disconnected`.
    pub qdrant: &'static str,
    /// How many memories the tenant has; 0 without a token.
    pub memory_count: usize,
    /// How many vectors the tenant has; 0 without a token.
    pub vector_count: usize,
    /// Always `synced`: memories and vectors are changed together.
    pub sync_status: &'static str,
    /// How long vectors are; null where there are none and no length is set.
    pub vector_dimensions: Option<VectorDimensions>,
    /// What is done behind the answers.
    pub enrichment: EnrichmentHealth,
    /// The time of the answer.
    pub timestamp: Timestamp,
}

/// How long vectors are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct VectorDimensions {
    /// As `VECTOR_SIZE` sets it.
    pub configured: Option<usize>,
    /// What a new vector must have.
    pub effective: usize,
    /// Those of the vectors that are kept.
    pub collection: usize,
    /// Whether vectors are kept that `VECTOR_SIZE` does not allow.
    pub mismatch: bool,
}

/// What is done behind the answers, in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct EnrichmentHealth {
    /// Always `running`.
    pub status: &'static str,
    /// Jobs that are not done yet.
    pub queue_depth: u64,
    /// The same as `queue_depth`.
    pub pending: u64,
    /// Always 0: a job is not taken out of the queue before it is done.
    pub inflight: u64,
    /// Memories that are enriched.
    pub processed: u64,
    /// Jobs that failed too many times.
    pub failed: u64,
}

/// The answer to `GET /startup-recall`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct StartupRecall {
    /// Always `success`.
    pub status: &'static str,
    /// Memories with the tag `critical`, `lesson` or `ai-assistant`, the most important first; at most ten.
    pub critical_lessons: Vec<StartupMemory>,
    /// Memories with the tag `system` or `memory-recall`; at most five.
    pub system_rules: Vec<StartupMemory>,
    /// How many lessons there are.
    pub lesson_count: usize,
    /// Whether the importance of a lesson is 0.9 or more.
    pub has_critical: bool,
    /// In words.
    pub summary: String,
}

/// What an agent should know when it begins.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct StartupMemory {
    /// Its id.
    pub id: MemoryId,
    /// The text.
    pub content: String,
    /// As they were sent.
    pub tags: Vec<String>,
    /// 0 to 1.
    pub importance: f64,
    /// The kind of knowledge.
    #[serde(rename = "type")]
    pub kind: String,
    /// As it was sent.
    pub metadata: Map<String, Value>,
}
