//! What the service answers when it counts what it has.

use std::collections::BTreeMap;

use serde::Serialize;

/// The tags of all memories.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct TagList {
    /// Always `success`.
    pub status: &'static str,
    /// How many tags this list has.
    pub count: usize,
    /// The most used first.
    pub tags: Vec<CountedTag>,
}

/// A tag, with how many memories have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct CountedTag {
    /// In small letters, with `:` between its levels.
    pub tag: String,
    /// How many memories have it.
    pub memories: u64,
}

/// What a tenant has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ServiceStats {
    /// Always `success`.
    pub status: &'static str,
    /// Memories that are not deleted.
    pub memories: usize,
    /// Deleted memories that can be restored.
    pub trash: usize,
    /// Memories of each type.
    pub types: BTreeMap<String, u64>,
    /// Relations of each type, set or found.
    pub relations: BTreeMap<String, u64>,
    /// Memories with a vector.
    pub vectors: usize,
    /// Numbers of a vector; absent as long as there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vector_size: Option<usize>,
    /// What is done behind the answers.
    pub enrichment: EnrichmentCounts,
    /// Whether the log of changes is whole.
    pub log_unbroken: bool,
    /// The file of the database.
    pub database: String,
}

/// What is done behind the answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct EnrichmentCounts {
    /// Memories that are enriched.
    pub done: u64,
    /// Jobs that are pending.
    pub pending: u64,
    /// Jobs that failed each time they were tried.
    pub failed: u64,
    /// What was wrong with the last one that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_problem: Option<String>,
}
