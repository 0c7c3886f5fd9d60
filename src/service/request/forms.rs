//! The bodies of requests as schemas: what `body` and its readers accept, for documents.
#![expect(dead_code, reason = "only the schemas are made of these")]

use schemars::JsonSchema;
use serde_json::{Map, Value};

use super::memory_id::MemoryId;
use super::memory_type::MemoryType;
use crate::contract::Timestamp;

/// The body of `POST /memory`.
#[derive(JsonSchema)]
#[schemars(rename = "NewMemory")]
pub(crate) struct NewMemoryForm {
    /// The text: one meaningful paragraph, best of 150 to 300 characters.
    #[schemars(length(min = 1, max = 2_000))]
    content: String,
    /// Found by what the text says, if absent.
    #[schemars(rename = "type")]
    kind: Option<MemoryType>,
    /// How sure the type is.
    #[schemars(range(min = 0.0, max = 1.0))]
    confidence: Option<f64>,
    /// A list, or one text with commas; levels are divided by `:` or `/`.
    tags: Option<TagsForm>,
    /// 0.5 if absent.
    #[schemars(range(min = 0.0, max = 1.0))]
    importance: Option<f64>,
    /// Anything; a key whose value is `null` is left out.
    metadata: Option<Map<String, Value>>,
    /// When it was made; now, if absent.
    timestamp: Option<Timestamp>,
    /// When it was last changed.
    updated_at: Option<Timestamp>,
    /// When it was last read.
    last_accessed: Option<Timestamp>,
    /// From when on it holds.
    t_valid: Option<Timestamp>,
    /// From when on it does not hold any more.
    t_invalid: Option<Timestamp>,
    /// A vector of the size that the tenant's others have.
    embedding: Option<Vec<f64>>,
    /// A UUID of one's own.
    id: Option<MemoryId>,
}

/// Tags, as a list or as one text with commas.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
pub(crate) enum TagsForm {
    List(Vec<String>),
    Text(String),
}

/// The body of `POST /memory/batch`.
#[derive(JsonSchema)]
#[schemars(rename = "NewMemories")]
pub(crate) struct BatchForm {
    /// All are stored, or none.
    #[schemars(length(min = 1, max = 500))]
    memories: Vec<NewMemoryForm>,
}

/// The body of `PATCH /memory/<id>`: what is absent stays.
#[derive(JsonSchema)]
#[schemars(rename = "MemoryChange")]
pub(crate) struct PatchForm {
    /// The new text.
    #[schemars(length(min = 1, max = 2_000))]
    content: Option<String>,
    /// The new type.
    #[schemars(rename = "type")]
    kind: Option<MemoryType>,
    /// How sure the type is.
    #[schemars(range(min = 0.0, max = 1.0))]
    confidence: Option<f64>,
    /// They replace the others.
    tags: Option<TagsForm>,
    /// The new importance.
    #[schemars(range(min = 0.0, max = 1.0))]
    importance: Option<f64>,
    /// Merged at the top level; `null` removes a key.
    metadata: Option<Map<String, Value>>,
    /// When it was made.
    timestamp: Option<Timestamp>,
    /// When it was last changed; now, if absent.
    updated_at: Option<Timestamp>,
    /// When it was last read.
    last_accessed: Option<Timestamp>,
    /// From when on it holds.
    t_valid: Option<Timestamp>,
    /// From when on it does not hold any more.
    t_invalid: Option<Timestamp>,
}

/// The body of `POST /associate`: one pair, or a list of them.
#[derive(JsonSchema)]
#[schemars(rename = "NewRelations")]
pub(crate) struct AssociateForm {
    /// The first memory.
    memory1_id: Option<MemoryId>,
    /// The second memory.
    memory2_id: Option<MemoryId>,
    /// `RELATES_TO` if absent.
    #[schemars(rename = "type")]
    kind: Option<String>,
    /// 0.5 if absent.
    #[schemars(range(min = 0.0, max = 1.0))]
    strength: Option<f64>,
    /// Pairs, each of which succeeds or fails on its own.
    #[schemars(length(min = 1, max = 500))]
    associations: Option<Vec<Map<String, Value>>>,
}

/// The body of `POST /enrichment/reprocess`.
#[derive(JsonSchema)]
#[schemars(rename = "MemoryIds")]
pub(crate) struct IdsForm {
    /// A list, or one text with commas.
    ids: TagsForm,
}

/// The body of `POST /consolidate`.
#[derive(JsonSchema)]
#[schemars(rename = "ConsolidateRequest")]
pub(crate) struct ConsolidateForm {
    /// `full`, `decay`, `creative`, `cluster`, `forget` or `identity`; `full` if absent.
    mode: Option<String>,
    /// Whether nothing is kept; true if absent.
    dry_run: Option<bool>,
}

/// The body of `POST /admin/reembed` and `/admin/sync`.
#[derive(JsonSchema)]
#[schemars(rename = "EmbedRequest")]
pub(crate) struct EmbedForm {
    /// Memories of a batch.
    batch_size: Option<u64>,
    /// Memories at most.
    limit: Option<u64>,
    /// Whether vectors that are there are made again.
    force: Option<bool>,
    /// Whether nothing is kept.
    dry_run: Option<bool>,
}

/// The body of `POST /entity/<slug>/merge`.
#[derive(JsonSchema)]
#[schemars(rename = "MergeRequest")]
pub(crate) struct MergeForm {
    /// The name that stays.
    merge_into: String,
}
