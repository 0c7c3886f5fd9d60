//! What was read from a backup, whatever its form.

use serde_json::{Map, Value};

use crate::contract::Timestamp;
use crate::service::request::{
    DroppedRelations, RefusedMemory, SavedMemory, SavedRelation, ServiceRefusal,
};

/// What was read from a backup.
#[derive(Debug, Default)]
pub(crate) struct SavedMemories {
    pub(crate) memories: Vec<SavedMemory>,
    pub(crate) relations: Vec<SavedRelation>,
    /// What cannot be read.
    pub(crate) refused: Vec<RefusedMemory>,
    /// Relations whose ends or types the file does not explain.
    pub(crate) dropped: DroppedRelations,
    pub(crate) warnings: Vec<String>,
}

impl SavedMemories {
    /// Reads a memory; `name` stands for one without an id.
    pub(super) fn add_memory(&mut self, object: &Map<String, Value>, name: &str, now: Timestamp) {
        match SavedMemory::read(object, now) {
            Ok(memory) => self.memories.push(memory),
            Err(refusal) => {
                let id = object.get("id").and_then(Value::as_str).unwrap_or(name);
                self.refuse(id, &refusal);
            }
        }
    }

    /// Reads a relation; `name` says where it stands.
    pub(super) fn add_relation(&mut self, object: &Map<String, Value>, name: &str) {
        match SavedRelation::read(object) {
            Ok(relation) => self.relations.push(relation),
            Err(refusal) => self.refuse(name, &refusal),
        }
    }

    fn refuse(&mut self, id: &str, refusal: &ServiceRefusal) {
        let id = id.to_owned();
        self.refused.push(RefusedMemory { id, reason: refusal.reason() });
    }
}
