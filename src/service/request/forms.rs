//! The bodies of requests as schemas: what `body` and its readers accept, for documents.
#![expect(dead_code, reason = "only the schemas are made of these")]

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use super::memory_id::MemoryId;
use super::memory_type::MemoryType;
use super::relation_type::RelationType;
use super::write_answer::{AssociateAnswer, BatchAssociateAnswer};
use crate::contract::Timestamp;

/// The body of `POST /memory`.
#[derive(JsonSchema)]
#[schemars(rename = "NewMemory")]
pub(crate) struct NewMemoryForm {
    /// The text: one meaningful paragraph, best of 150 to 300 characters.
    #[schemars(length(min = 1, max = 2_000), regex(pattern = FILLED))]
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
    embedding: Option<VectorForm>,
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

/// A vector, as a list or as one text with commas.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
pub(crate) enum VectorForm {
    List(#[schemars(length(min = 1), inner(range(min = -3.4e38, max = 3.4e38)))] Vec<f64>),
    Text(#[schemars(regex(pattern = NUMBERS))] String),
}

/// Numbers with commas between them.
const NUMBERS: &str = r"^-?[0-9]{1,9}(\.[0-9]+)?(, ?-?[0-9]{1,9}(\.[0-9]+)?)*$";

/// What is more than blanks.
const FILLED: &str = r"\S";

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
    #[schemars(length(min = 1, max = 2_000), regex(pattern = FILLED))]
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
#[schemars(rename = "AssociateRequest", untagged)]
pub(crate) enum AssociateForm {
    One(RelationForm),
    Batch(RelationsForm),
}

/// One pair; some types take properties of their own besides.
#[derive(JsonSchema)]
#[schemars(rename = "NewRelation")]
pub(crate) struct RelationForm {
    /// The first memory.
    memory1_id: MemoryId,
    /// The second memory.
    memory2_id: MemoryId,
    /// `RELATES_TO` if absent.
    #[schemars(rename = "type", default, schema_with = "authorable")]
    kind: Option<RelationType>,
    /// 0.5 if absent.
    #[schemars(range(min = 0.0, max = 1.0))]
    strength: Option<f64>,
}

/// Pairs.
#[derive(JsonSchema)]
#[schemars(rename = "NewRelations")]
pub(crate) struct RelationsForm {
    /// Each succeeds or fails on its own.
    #[schemars(length(min = 1, max = 500))]
    associations: Vec<RelationForm>,
}

/// Lists the types that people and agents may set.
fn authorable(_: &mut SchemaGenerator) -> Schema {
    let names = RelationType::authorable_names().iter().map(|name| Some(*name));
    let allowed: Vec<Option<&str>> = names.chain([None]).collect();
    json_schema!({ "type": ["string", "null"], "enum": allowed })
}

/// What `POST /associate` answers: about one pair, or about a list of them.
#[derive(JsonSchema)]
#[schemars(rename = "Associated", untagged)]
pub(crate) enum AssociatedForm {
    One(AssociateAnswer),
    Batch(BatchAssociateAnswer),
}

/// The body of `POST /enrichment/reprocess`.
#[derive(JsonSchema)]
#[schemars(rename = "MemoryIds")]
pub(crate) struct IdsForm {
    /// A list, or one text with commas.
    ids: IdListForm,
}

/// Ids, as a list or as one text with commas; what is no id is left out.
#[derive(JsonSchema)]
#[schemars(untagged, inline)]
pub(crate) enum IdListForm {
    List(#[schemars(length(min = 1))] Vec<MemoryId>),
    Text(#[schemars(regex(pattern = r"[^\s,]"))] String),
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
    /// Memories that a model reads at once.
    #[schemars(range(min = 1, max = 100))]
    batch_size: Option<u32>,
    /// Memories at most; 0 for all.
    #[schemars(range(max = 4_294_967_295_u32))]
    limit: Option<u32>,
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
    #[schemars(regex(pattern = FILLED))]
    merge_into: String,
}
