//! What the service answers when memories are consolidated.

use serde::Serialize;

use super::memory_id::MemoryId;
use super::relation_type::RelationType;
use crate::contract::Timestamp;

/// The answer to `POST /consolidate`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ConsolidateAnswer {
    /// Always `success`.
    pub status: &'static str,
    /// What was done.
    pub consolidation: Consolidation,
    /// What the caller should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// What was done to consolidate memories.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Consolidation {
    /// As it was asked for.
    pub mode: String,
    /// Whether nothing is kept.
    pub dry_run: bool,
    /// When it began.
    pub started_at: Timestamp,
    /// When it was done.
    pub completed_at: Timestamp,
    /// What each step found; a step that was not asked for is absent.
    pub steps: ConsolidationSteps,
    /// Always true.
    pub success: bool,
}

/// What each step found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ConsolidationSteps {
    /// How relevant memories are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decay: Option<DecayStep>,
    /// Which memories have something in common.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creative: Option<CreativeStep>,
    /// Which memories belong together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster: Option<ClusterStep>,
    /// Which memories are not needed any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forget: Option<ForgetStep>,
    /// What is known of each entity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<IdentityStep>,
}

/// How relevant memories are now. It is computed in each answer, so that nothing is written here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct DecayStep {
    /// How many memories there are.
    pub processed: u64,
    /// How relevant they are.
    pub avg_relevance_before: f64,
    /// The same.
    pub avg_relevance_after: f64,
    /// How many are on which level.
    pub distribution: RelevanceLevels,
}

/// How many memories are how relevant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct RelevanceLevels {
    /// From 0.7 on.
    pub high: u64,
    /// From 0.3 on.
    pub medium: u64,
    /// Below.
    pub low: u64,
    /// Always 0: no memory is archived.
    pub archive: u64,
}

/// Which memories have something in common.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CreativeStep {
    /// How many pairs were found; at most a hundred.
    pub discovered: usize,
    /// How many of them are related from now on.
    pub created: usize,
    /// The surest of them.
    pub sample_associations: Vec<DiscoveredPair>,
}

/// Two memories that have something in common.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct DiscoveredPair {
    /// The older one.
    pub memory1_id: MemoryId,
    /// The newer one.
    pub memory2_id: MemoryId,
    /// Always `DISCOVERED`.
    #[serde(rename = "type")]
    pub relation: RelationType,
    /// `explains` of an insight and a pattern, else `shares_theme`.
    pub kind: &'static str,
    /// How close they are, 0 to 1.
    pub similarity: f64,
    /// How sure that is, 0 to 1.
    pub confidence: f64,
    /// `vectors`, or `entities` where both name the same.
    pub origin: &'static str,
    /// When.
    pub discovered_at: Timestamp,
}

/// Which memories belong together.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ClusterStep {
    /// How many groups there are.
    pub clusters_found: usize,
    /// Always 0: no memory is written that no caller sent.
    pub meta_memories_created: usize,
    /// The largest groups.
    pub sample_clusters: Vec<ClusterDocument>,
}

/// Memories that belong together.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ClusterDocument {
    /// The same for the same memories.
    pub cluster_id: MemoryId,
    /// When it was found.
    pub created_at: Timestamp,
    /// The type that most of them have.
    pub dominant_type: String,
    /// Which memories.
    pub memory_ids: Vec<MemoryId>,
    /// The text of the most important one.
    pub sample_content: String,
    /// How many there are.
    pub size: usize,
    /// Whole days from the first to the last.
    pub time_span_days: i64,
}

/// Which memories are not needed any more: none, as both thresholds are 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ForgetStep {
    /// How many memories there are.
    pub examined: usize,
    /// How many stay: all.
    pub preserved: usize,
    /// Always empty.
    pub archived: Vec<MemoryId>,
    /// Always empty.
    pub deleted: Vec<MemoryId>,
    /// Always empty: where nothing is deleted, nothing has to be protected.
    pub protected: Vec<MemoryId>,
    /// In words.
    pub message: &'static str,
}

/// What is known of each entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct IdentityStep {
    /// Always true.
    pub skipped: bool,
    /// Why.
    pub reason: &'static str,
}

/// The answer to `GET /consolidate/status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ConsolidateStatus {
    /// Always `success`.
    pub status: &'static str,
    /// When each step is done, in words.
    pub next_runs: NextRuns,
    /// Always empty: no run is kept.
    pub history: Vec<String>,
    /// Always true.
    pub thread_alive: bool,
    /// Seconds between two checks of what is due.
    pub tick_seconds: u64,
}

/// When each step is done, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct NextRuns {
    /// Relevance.
    pub decay: &'static str,
    /// Pairs that have something in common.
    pub creative: &'static str,
    /// Groups.
    pub cluster: &'static str,
    /// Deletion.
    pub forget: &'static str,
    /// Entities.
    pub identity: &'static str,
}
