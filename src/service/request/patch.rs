//! Reads what `PATCH /memory/<id>` changes.

use serde_json::{Map, Value};

use super::body::{BodyFields, FieldErrors, object_of};
use super::memory_id::MemoryId;
use super::memory_type::MemoryType;
use super::new_memory::{read_content, read_tags, read_type};
use super::refusal::ServiceRefusal;
use crate::contract::Timestamp;

/// A change of a memory: what is `None` stays.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MemoryPatch {
    pub(crate) content: Option<String>,
    pub(crate) kind: Option<MemoryType>,
    pub(crate) confidence: Option<f64>,
    pub(crate) tags: Option<Vec<String>>,
    pub(crate) importance: Option<f64>,
    /// What is merged into the metadata; `null` removes a key.
    pub(crate) metadata: Map<String, Value>,
    pub(crate) timestamp: Option<Timestamp>,
    pub(crate) updated_at: Option<Timestamp>,
    pub(crate) last_accessed: Option<Timestamp>,
    pub(crate) t_valid: Option<Timestamp>,
    pub(crate) t_invalid: Option<Timestamp>,
}

impl MemoryPatch {
    /// Reads the body of a change of the memory `id`; returns warnings too.
    pub(crate) fn read(
        body: &Value,
        id: MemoryId,
    ) -> Result<(Self, Vec<String>), Box<ServiceRefusal>> {
        let errors = FieldErrors::default();
        let mut fields = BodyFields::new(object_of(body)?, "", &errors);
        refuse_other_id(&mut fields, id);
        let patch = Self {
            content: fields.value("content").and_then(|_| read_content(&mut fields)),
            kind: read_type(&mut fields),
            confidence: fields.number("confidence", 0.0..=1.0),
            tags: read_tags(&mut fields),
            importance: fields.number("importance", 0.0..=1.0),
            metadata: fields.object("metadata").cloned().unwrap_or_default(),
            timestamp: read_time(&mut fields, "timestamp"),
            updated_at: read_time(&mut fields, "updated_at"),
            last_accessed: read_time(&mut fields, "last_accessed"),
            t_valid: read_time(&mut fields, "t_valid"),
            t_invalid: read_time(&mut fields, "t_invalid"),
        };
        let warnings = fields.unknown().into_iter().collect();
        Ok((errors.settle(patch)?, warnings))
    }
}

fn read_time(fields: &mut BodyFields<'_>, name: &'static str) -> Option<Timestamp> {
    fields.time(name, &format!("Invalid {name}: Invalid ISO timestamp"))
}

fn refuse_other_id(fields: &mut BodyFields<'_>, id: MemoryId) {
    let Some(value) = fields.value("id") else { return };
    if value.as_str().and_then(MemoryId::parse) != Some(id) {
        let allowed = "the id of the path, or none: an id never changes";
        fields.wrong::<()>("id", "'id' cannot be changed", value, allowed);
    }
}
