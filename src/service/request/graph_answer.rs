//! What the service answers when memories are shown as a graph.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::analysis_answer::LevelCounts;
use super::memory::MemoryDocument;
use super::memory_id::MemoryId;
use super::relation_type::RelationType;
use crate::contract::Timestamp;

/// Colours by name.
pub type Colors = BTreeMap<&'static str, &'static str>;

/// The answer to `GET /graph/snapshot`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct GraphSnapshot {
    /// The most important memories.
    pub nodes: Vec<GraphNode>,
    /// The relations among them.
    pub edges: Vec<GraphEdge>,
    /// How much of all that is.
    pub stats: SnapshotStats,
    /// How it is drawn.
    pub meta: GraphMeta,
}

/// The answer to `GET /graph/neighbors/<id>`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct GraphNeighbors {
    /// The memory.
    pub center: GraphCenter,
    /// The memories that are related to it, the nearest first; at most a hundred.
    pub graph_neighbors: Vec<GraphNode>,
    /// Other memories with a close vector, the closest first.
    pub semantic_neighbors: Vec<GraphNode>,
    /// The relations among the memory and those that are related.
    pub edges: Vec<GraphEdge>,
    /// How it was looked for.
    pub meta: NeighborsMeta,
}

/// The answer to `GET /graph/stats`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct GraphStats {
    /// How many there are.
    pub totals: GraphTotals,
    /// How many memories there are of each type.
    pub by_type: BTreeMap<String, u64>,
    /// How many relations there are of each type.
    pub by_relationship: BTreeMap<String, u64>,
    /// How important memories are: `high` from 0.8 on, `medium` from 0.5 on.
    pub importance_distribution: LevelCounts<f64>,
    /// How many memories were made on each of the last seven days, the last first.
    pub recent_activity: Vec<DayActivity>,
    /// How it is drawn.
    pub meta: GraphMeta,
}

/// The answer to `GET /graph/types`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct GraphTypes {
    /// The types of memories.
    pub types: Vec<&'static str>,
    /// How each is drawn.
    pub colors: Colors,
}

/// The answer to `GET /graph/relations`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct GraphRelations {
    /// The types of relations.
    pub relations: Vec<&'static str>,
    /// How each is drawn.
    pub colors: Colors,
}

/// A memory as it is drawn.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct GraphNode {
    /// Its id.
    pub id: MemoryId,
    /// The text.
    pub content: String,
    /// The kind of knowledge.
    #[serde(rename = "type")]
    pub kind: String,
    /// 0 to 1.
    pub importance: f64,
    /// How sure its type is, 0 to 1.
    pub confidence: f64,
    /// As they were sent.
    pub tags: Vec<String>,
    /// When it was made.
    pub timestamp: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// As it was sent.
    pub metadata: Map<String, Value>,
    /// That of its type.
    pub color: &'static str,
    /// 0.5 to 2, by its importance.
    pub radius: f64,
    /// 0.4 to 1, by its confidence.
    pub opacity: f64,
    /// How close its vector is; absent where that was not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
}

/// The memory whose neighbors are shown.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct GraphCenter {
    /// The memory.
    #[serde(flatten)]
    pub memory: MemoryDocument,
    /// That of its type.
    pub color: &'static str,
}

/// A relation as it is drawn.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct GraphEdge {
    /// `<source>-<type>-<target>`.
    pub id: String,
    /// The first memory.
    pub source: MemoryId,
    /// The second memory.
    pub target: MemoryId,
    /// How they are related.
    #[serde(rename = "type")]
    pub kind: RelationType,
    /// 0 to 1.
    pub strength: f64,
    /// That of its type.
    pub color: &'static str,
    /// What its type has besides.
    pub properties: Map<String, Value>,
}

/// How much of all memories a snapshot shows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct SnapshotStats {
    /// How many memories there are.
    pub total_nodes: usize,
    /// How many relations there are.
    pub total_edges: u64,
    /// How many memories are shown.
    pub returned_nodes: usize,
    /// How many relations are shown.
    pub returned_edges: usize,
    /// Whether memories are not shown.
    pub sampled: bool,
    /// The share of memories that are shown.
    pub sample_ratio: f64,
}

/// How a graph is drawn.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct GraphMeta {
    /// By the type of a memory.
    pub type_colors: Colors,
    /// By the type of a relation.
    pub relation_colors: Colors,
    /// How long it took.
    pub query_time_ms: f64,
    /// Always 0: no memory is archived.
    pub archive_threshold: f64,
}

/// How neighbors were looked for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct NeighborsMeta {
    /// How many relations were followed in a row.
    pub depth: usize,
    /// How long it took.
    pub query_time_ms: f64,
}

/// How many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct GraphTotals {
    /// Memories.
    pub nodes: usize,
    /// Relations.
    pub edges: u64,
}

/// How many memories were made on a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct DayActivity {
    /// The day in UTC: `2026-11-20`.
    pub date: String,
    /// How many.
    pub count: u64,
}
