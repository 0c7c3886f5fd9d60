//! What the service answers about what memories name.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::contract::Timestamp;

/// The answer to `GET /entities`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct EntitiesAnswer {
    /// Always `success`.
    pub status: &'static str,
    /// The most often named first.
    pub entities: Vec<EntityDocument>,
    /// How many there are.
    pub count: usize,
}

/// The answer to `GET /entity/<slug>`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct EntityAnswer {
    /// Always `success`.
    pub status: &'static str,
    /// What is known of it.
    pub entity: EntityDocument,
}

/// Something that memories name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct EntityDocument {
    /// The tag by which memories that name it are found: `entity:people:ada-lovelace`.
    pub id: String,
    /// Its name in small letters and hyphens.
    pub slug: String,
    /// `people`, `organizations`, `tools`, `projects` or `concepts`.
    pub category: String,
    /// As memories write it.
    pub name: String,
    /// Other slugs that are the same since they were merged.
    pub aliases: Vec<String>,
    /// Always null: no text about it is written.
    pub identity: Option<String>,
    /// Always 0.
    pub identity_version: u64,
    /// Always null.
    pub identity_updated_at: Option<Timestamp>,
    /// Always 0.
    pub identity_source_count: u64,
    /// How many memories name it.
    pub reference_count: u64,
    /// When the first of them was made.
    pub created_at: Timestamp,
    /// When the last of them was made.
    pub last_referenced_at: Timestamp,
}

/// The answer to `GET /entities/merge-candidates`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct MergeCandidates {
    /// Always `success`.
    pub status: &'static str,
    /// The surest first.
    pub candidates: Vec<MergeCandidate>,
    /// How many there are.
    pub count: usize,
}

/// Two entities that may be the same.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct MergeCandidate {
    /// The id of one.
    pub entity_a: String,
    /// The id of the other.
    pub entity_b: String,
    /// The one that should stay: the longer name, of equals the one that is named more.
    pub canonical: String,
    /// The one that should be merged with it.
    pub alias: String,
    /// 0 to 1.
    pub confidence: f64,
    /// In words.
    pub reason: String,
    /// Always false: a person decides.
    pub auto_merge: bool,
}

/// The answer to `POST /entity/<slug>/merge`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct MergeAnswer {
    /// Always `success`.
    pub status: &'static str,
    /// What was merged.
    pub merge: MergedEntity,
    /// What the caller should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// An entity that was merged with another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct MergedEntity {
    /// The id of the one that stays.
    pub canonical: String,
    /// The id of the other.
    pub alias: String,
    /// Its slug.
    pub alias_slug: String,
    /// How many memories named the other.
    pub edges_moved: usize,
}

/// The answer to `GET /entities/audit`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct EntityAudit {
    /// Always `success`.
    pub status: &'static str,
    /// How many entities there are.
    pub total_entities: usize,
    /// How many there are of each category.
    pub by_category: BTreeMap<String, u64>,
    /// How many only one memory names.
    pub named_once: usize,
    /// How many others were merged with one of them.
    pub alias_count: usize,
    /// How many pairs may be the same.
    pub merge_candidates: usize,
    /// Names that are probably none.
    pub findings: Vec<EntityFinding>,
    /// How many findings there are.
    pub count: usize,
}

/// A name that is probably none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct EntityFinding {
    /// The entity.
    pub entity: EntityDocument,
    /// Why.
    pub reason: &'static str,
}
