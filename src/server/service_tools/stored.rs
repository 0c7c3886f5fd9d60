//! Tells what was stored: one memory, or many.

use serde_json::{Value, json};

use super::texts::memories;

/// What an answer of the service has of these is told.
const TOLD: [&str; 7] =
    ["type", "confidence", "enrichment", "embedding", "qdrant", "query_time_ms", "warnings"];

pub(super) fn one(stored: &Value) -> Value {
    let id = [&stored["memory_id"], &stored["id"]].into_iter().find_map(Value::as_str);
    let id = id.unwrap_or_default();
    let message = match is_duplicate(stored) {
        true => format!("Memory {id} has this content already: the same was stored a moment ago"),
        false => format!("Memory {id} stored"),
    };
    told(json!({"memory_id": id, "message": message}), stored)
}

pub(super) fn many(stored: &Value) -> Value {
    let ids = &stored["memory_ids"];
    let count = ids.as_array().map_or(0, Vec::len) as u64;
    let message = match is_duplicate(stored) {
        true => format!("{} stored already, a moment ago", memories(count)),
        false => format!("{} stored", memories(count)),
    };
    told(json!({"memory_ids": ids, "stored": count, "message": message}), stored)
}

fn is_duplicate(stored: &Value) -> bool {
    stored["duplicate"] == true
}

fn told(mut data: Value, stored: &Value) -> Value {
    for name in TOLD.iter().filter(|name| !stored[**name].is_null()) {
        data[*name] = stored[*name].clone();
    }
    if is_duplicate(stored) {
        data["duplicate"] = true.into();
    }
    data
}
