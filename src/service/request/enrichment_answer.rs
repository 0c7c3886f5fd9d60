//! What the service answers about its work behind the answers, and about vectors.

use serde::Serialize;

use super::memory_id::MemoryId;
use crate::contract::Timestamp;

/// The answer to `GET /enrichment/status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct EnrichmentStatus {
    /// Always `running`.
    pub status: &'static str,
    /// Jobs that are not done yet.
    pub queue_size: u64,
    /// The same as `queue_size`.
    pub pending: u64,
    /// Always 0: a job is not taken out of the queue before it is done.
    pub inflight: u64,
    /// How many times a job is tried.
    pub max_attempts: u32,
    /// What was done.
    pub stats: EnrichmentStats,
    /// How types were found.
    pub classification: ClassificationStats,
}

/// What was done behind the answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct EnrichmentStats {
    /// Memories that are enriched, and jobs that failed too many times.
    pub processed_total: u64,
    /// Memories that are enriched.
    pub successes: u64,
    /// Jobs that failed too many times.
    pub failures: u64,
    /// What was wrong with the last job that failed.
    pub last_error: Option<String>,
    /// When that was.
    pub last_error_at: Option<Timestamp>,
    /// The memory that was enriched last.
    pub last_success_id: Option<String>,
    /// When that was.
    pub last_success_at: Option<Timestamp>,
}

/// How types were found. How a type was found is not kept, so that this is read off how sure it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ClassificationStats {
    /// Memories as sure of their type as a pattern is.
    pub pattern_classifications: u64,
    /// Memories that fit no pattern.
    pub fallbacks: u64,
    /// Always 0: no model is asked.
    pub llm_attempts: u64,
    /// Always 0.
    pub llm_successes: u64,
    /// Why no model was asked; null where none was needed.
    pub last_error: Option<&'static str>,
    /// When the last memory was made that fits no pattern.
    pub last_error_at: Option<Timestamp>,
}

/// The answer to `POST /enrichment/reprocess`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ReprocessAnswer {
    /// Always `queued`.
    pub status: &'static str,
    /// How many memories will be enriched again.
    pub count: usize,
    /// Which; unknown ones are left out.
    pub ids: Vec<MemoryId>,
    /// What the caller should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The answer to `POST /admin/sync`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct SyncAnswer {
    /// `dry_run`, `already_synced`, or `skipped` where vectors are missing and no model makes them.
    pub status: &'static str,
    /// How many memories there are.
    pub falkordb_count: usize,
    /// How many of them have a vector.
    pub qdrant_count: usize,
    /// How many have none.
    pub missing_count: usize,
    /// The newest ten of them.
    pub missing_sample: Vec<String>,
    /// Always 0: a vector goes with its memory.
    pub orphaned_count: usize,
    /// Always empty.
    pub orphaned_sample: Vec<String>,
    /// How many vectors were made.
    pub synced: usize,
    /// How many could not be made.
    pub failed: usize,
    /// What is missing; absent where nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<&'static str>,
    /// What the caller should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The answer to `POST /admin/reembed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ReembedAnswer {
    /// Always `complete`.
    pub status: &'static str,
    /// How many memories should get a vector.
    pub total: usize,
    /// How many got one.
    pub processed: usize,
    /// How many could not.
    pub failed: usize,
    /// Which.
    pub failed_ids: Vec<MemoryId>,
    /// Memories that a model reads at once.
    pub batch_size: usize,
    /// Always true: a vector stands beside what was said.
    pub metadata_preserved: bool,
    /// Why nothing was done.
    pub message: &'static str,
    /// What the caller should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}
