//! Tells what was stored: one memory, or many.

use serde_json::{Value, json};

use super::texts::memories;
use crate::service::request::{BatchStored, Stored};

pub(super) fn one(stored: &Stored) -> Value {
    let id = stored.memory_id;
    let message = match stored.duplicate {
        true => format!("Memory {id} has this content already: the same was stored a moment ago"),
        false => format!("Memory {id} stored"),
    };
    let mut data = json!({
        "memory_id": id, "message": message, "type": stored.kind, "confidence": stored.confidence,
        "enrichment": stored.enrichment, "embedding": stored.embedding, "qdrant": stored.qdrant,
        "query_time_ms": stored.query_time_ms, "warnings": stored.warnings,
    });
    if stored.duplicate {
        data["duplicate"] = true.into();
    }
    data
}

pub(super) fn many(stored: &BatchStored) -> Value {
    let count = stored.stored;
    let message = match stored.duplicate {
        true => format!("{} stored already, a moment ago", memories(count)),
        false => format!("{} stored", memories(count)),
    };
    let mut data = json!({
        "memory_ids": stored.memory_ids, "stored": count, "message": message,
        "qdrant": stored.qdrant, "enrichment": stored.enrichment,
        "query_time_ms": stored.query_time_ms, "warnings": stored.warnings,
    });
    if stored.duplicate {
        data["duplicate"] = true.into();
    }
    data
}
