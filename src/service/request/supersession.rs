//! A memory that replaces another.

use serde_json::{Value, json};

use super::memory_id::MemoryId;
use super::relation_type::RelationType;
use super::write_answer::Stored;
use crate::contract::Timestamp;

/// How strong the relation between the old memory and the new one is.
pub const SUPERSESSION_STRENGTH: f64 = 0.9;

/// A memory that replaces another.
#[derive(Debug, Clone, PartialEq)]
pub struct Supersession {
    /// The memory that is replaced.
    pub old: MemoryId,
    /// The new memory, as `POST /memory` takes it.
    pub memory: Value,
    /// How the old memory is related to the new one.
    pub relation: RelationType,
    /// Why it is replaced.
    pub reason: Option<String>,
}

impl Supersession {
    /// Returns the change of the old memory, as `PATCH` takes it: it is not current from `now` on.
    pub fn patch(&self, new: MemoryId, now: Timestamp) -> Value {
        let mut metadata =
            json!({"deprecated": true, "superseded_by": new, "supersede_relation": self.relation});
        if let Some(reason) = &self.reason {
            metadata["supersede_reason"] = reason.as_str().into();
        }
        json!({"t_invalid": now, "metadata": metadata})
    }
}

/// What a supersession stored and replaced.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct SupersedeAnswer {
    /// The new memory.
    #[serde(flatten)]
    pub stored: Stored,
    /// The old one.
    pub superseded_memory_id: MemoryId,
}
