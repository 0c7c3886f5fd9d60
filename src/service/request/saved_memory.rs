//! Reads a memory and a relation as a backup or an export has them.

use serde_json::{Map, Value};

use super::association::NewRelation;
use super::body::{BodyFields, FieldErrors};
use super::memory::SaidMemory;
use super::memory_id::MemoryId;
use super::memory_type::MemoryType;
use super::new_memory::{IMPORTANCE, read_embedding, read_id, read_tags};
use super::refusal::ServiceRefusal;
use crate::contract::{ContentHash, Timestamp};

/// A memory with all that an import keeps of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SavedMemory {
    pub(crate) said: SaidMemory,
    pub(crate) last_accessed: Timestamp,
    pub(crate) embedding: Option<Vec<f32>>,
}

/// A relation with the time at which it was set.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SavedRelation {
    pub(crate) relation: NewRelation,
    pub(crate) updated: Option<Timestamp>,
}

/// How sure a type is that nothing speaks for.
const UNSURE: f64 = 0.3;

impl SavedMemory {
    /// Reads a memory of any type and length. One without an id gets an id of its content, so that a second import of the
    /// same file finds it again.
    pub(crate) fn read(
        object: &Map<String, Value>,
        now: Timestamp,
    ) -> Result<Self, Box<ServiceRefusal>> {
        const TIME: &str = "Invalid ISO timestamp";
        let errors = FieldErrors::default();
        let mut fields = BodyFields::new(object, "", &errors);
        let content = read_saved_content(&mut fields).unwrap_or_default();
        let id = read_id(&mut fields).unwrap_or_else(|| id_of(&content));
        let kind = fields.text("type").map(str::trim).filter(|kind| !kind.is_empty());
        let (sent, updated) = (fields.time("timestamp", TIME), fields.time("updated_at", TIME));
        let timestamp = sent.or(updated).unwrap_or(now);
        let updated_at = updated.unwrap_or(timestamp);
        let said = SaidMemory {
            id,
            kind: kind.unwrap_or(MemoryType::Context.name()).to_owned(),
            content,
            confidence: fields.number("confidence", 0.0..=1.0).unwrap_or(UNSURE),
            importance: fields.number("importance", 0.0..=1.0).unwrap_or(IMPORTANCE),
            tags: read_tags(&mut fields).unwrap_or_default(),
            metadata: fields.object("metadata").cloned().unwrap_or_default(),
            timestamp,
            updated_at,
            t_valid: fields.time("t_valid", TIME),
            t_invalid: fields.time("t_invalid", TIME),
        };
        let last_accessed = fields.time("last_accessed", TIME).unwrap_or(updated_at);
        let embedding = read_embedding(&mut fields);
        errors.settle(Self { said, last_accessed, embedding })
    }
}

impl SavedRelation {
    /// Reads a relation in the form of `POST /associate`.
    pub(crate) fn read(object: &Map<String, Value>) -> Result<Self, Box<ServiceRefusal>> {
        let (relation, _) = NewRelation::read(object, "")?;
        let updated = object.get("updated_at").and_then(Value::as_str).and_then(Timestamp::parse);
        Ok(Self { relation, updated })
    }
}

/// Reads a content as it is: an older server took longer ones.
fn read_saved_content(fields: &mut BodyFields<'_>) -> Option<String> {
    let is_given = fields.value("content").is_some();
    let content = fields.text("content");
    let is_text = content.is_some() || !is_given;
    content.filter(|content| !content.trim().is_empty()).map(str::to_owned).or_else(|| {
        let message = "'content' is required";
        if is_text { fields.wrong_text("content", message, "a memory has a text") } else { None }
    })
}

fn id_of(content: &str) -> MemoryId {
    let digest = ContentHash::digest(content.as_bytes());
    MemoryId::from_bytes(*digest.first_chunk().expect("a digest has 32 bytes"))
}
