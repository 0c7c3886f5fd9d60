//! What `GET /recall` answers.

use serde::Serialize;
use serde_json::{Map, Value};

use super::memory::{MemoryDocument, MemorySummary};
use super::memory_id::MemoryId;
use super::recall_request::{RecallSort, RecencyBias, StateMode};
use super::relation_type::RelationType;
use crate::contract::Timestamp;

/// What `GET /recall` answers.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RecallAnswer {
    /// Always `success`.
    pub status: &'static str,
    /// As it was asked.
    pub query: String,
    /// The questions, if there were several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<String>,
    /// The answers in their order.
    pub results: Vec<RecallResult>,
    /// How many there are.
    pub count: usize,
    /// How many said the same as others, and were left out.
    pub dedup_removed: usize,
    /// The order.
    pub sort: RecallSort,
    /// Whether only what holds now is an answer.
    pub state_mode: StateMode,
    /// Whether vectors were compared.
    pub vector_search: VectorSearch,
    /// `any` or `all`.
    pub tag_mode: &'static str,
    /// `prefix` or `exact`.
    pub tag_match: &'static str,
    /// How long it took.
    pub query_time_ms: f64,
    /// The words that were counted; absent where nothing was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keywords: Option<Vec<String>>,
    /// The stretch of time that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_window: Option<TimeWindowDocument>,
    /// The tags that were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// What the tags left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag_scope: Option<TagScope>,
    /// The tags that were not wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude_tags: Vec<String>,
    /// Whether answers without the tags were added, as there were too few.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope_fallback: Option<bool>,
    /// `on` where newer memories came first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recency_bias: Option<RecencyBias>,
    /// What does not hold any more, and what replaces it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state_filter: Option<StateFilter>,
    /// What was left out because of its score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score_filter: Option<ScoreFilter>,
    /// What was found along relations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expansion: Option<ExpansionDocument>,
    /// What was found by names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity_expansion: Option<EntityExpansion>,
    /// What came first because of the caller's context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_priority: Option<ContextPriority>,
    /// What the caller should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RecallResult {
    /// The id of the memory.
    pub id: MemoryId,
    /// The whole score.
    pub score: f64,
    /// The same as `score`.
    pub final_score: f64,
    /// How well it matches, before all else is weighed.
    pub match_score: f64,
    /// The same as `match_score`.
    pub original_score: f64,
    /// Why it was looked at.
    pub match_type: &'static str,
    /// `qdrant` for a vector, else `graph`: the names of the observed server.
    pub source: &'static str,
    /// The memory.
    pub memory: MemoryDocument,
    /// Its strongest relations.
    pub relations: Vec<RelationDocument>,
    /// The parts of the score.
    pub score_components: Value,
    /// The question that found it.
    #[serde(rename = "_query")]
    pub asked: String,
    /// Memories that say the same, and were left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deduped_from: Vec<MemoryId>,
    /// The answers that it is related to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_to: Vec<MemoryId>,
    /// How strongly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation_score: Option<f64>,
    /// The name that it shares with an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded_from_entity: Option<String>,
    /// Whether it lacks the tags that were asked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub outside_tag_scope: bool,
    /// The memory that it replaces: `state_filter` has all of them where `state_debug` is on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state_replaces: Option<MemoryId>,
}

/// A relation of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RelationDocument {
    /// How.
    #[serde(rename = "type")]
    pub kind: RelationType,
    /// 0 to 1.
    pub strength: f64,
    /// To what.
    pub memory: MemorySummary,
    /// What its type has beside the strength.
    #[serde(flatten)]
    pub properties: Map<String, Value>,
}

/// Whether vectors were compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct VectorSearch {
    /// Whether the question had a vector, and there are others.
    pub enabled: bool,
    /// Whether one was found.
    pub matched: bool,
}

/// A stretch of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct TimeWindowDocument {
    /// Belongs to it.
    pub start: Option<Timestamp>,
    /// Belongs to it.
    pub end: Option<Timestamp>,
}

/// What tags left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct TagScope {
    /// Always true.
    pub filtered: bool,
    /// How many memories have the tags.
    pub pool_size_hint: usize,
    /// Always 0: nothing is gated.
    pub gated_low_evidence: usize,
}

/// What does not hold any more.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct StateFilter {
    /// Whether it was left out.
    pub current_only: bool,
    /// How many were left out.
    pub suppressed_count: usize,
    /// How many others stand for them.
    pub replacement_count: usize,
    /// Which were left out, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<Vec<SuppressedMemory>>,
    /// Which stand for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replacements: Option<Vec<MemoryId>>,
}

/// A memory that does not hold any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct SuppressedMemory {
    /// Which.
    pub id: MemoryId,
    /// `superseded`, `expired` or `not_yet_valid`.
    pub reason: &'static str,
    /// What stands for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<MemoryId>,
}

/// What was left out because of its score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ScoreFilter {
    /// As it was asked for.
    pub min_score: Option<f64>,
    /// The score of the last answer before a wide gap.
    pub adaptive_floor: Option<f64>,
    /// How many were left out.
    pub filtered_count: usize,
}

/// What was found along relations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ExpansionDocument {
    /// Always true.
    pub enabled: bool,
    /// How many answers were followed.
    pub seed_count: usize,
    /// How many memories that added.
    pub expanded_count: usize,
    /// Relations of an answer at most.
    pub relation_limit: usize,
    /// Added memories at most.
    pub expansion_limit: usize,
    /// Whether what is added has the tags that were asked for.
    pub respect_tags: bool,
}

/// What was found by names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct EntityExpansion {
    /// Always true.
    pub enabled: bool,
    /// How many memories that added.
    pub expanded_count: usize,
    /// The names.
    pub entities_found: Vec<String>,
}

/// What came first because of the caller's context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ContextPriority {
    /// As it was sent.
    pub context: Option<String>,
    /// As it was sent or found.
    pub language: Option<String>,
    /// Tags that come first.
    pub priority_tags: Vec<String>,
    /// Types that come first.
    pub priority_types: Vec<String>,
    /// Whether memories were added because of it.
    pub injected: bool,
}
