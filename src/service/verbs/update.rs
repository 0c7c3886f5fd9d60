//! Changes what was said in a memory.

use serde_json::{Map, Value};

use super::former_relation::FormerRelation;
use super::path_id::path_id;
use super::replace_said::{ChangeHead, replace_said};
use super::session::{ServiceAnswer, ServiceSession};
use crate::contract::Timestamp;
use crate::service::request::{
    ChangeKind, Memory, MemoryId, MemoryPatch, SaidMemory, ServiceRefusal, Updated, object_of,
};
use crate::service::sqlite::TenantView;

/// Bytes of metadata after they were merged at most: as many as a body has.
const METADATA: usize = 1 << 20;

/// Answers `PATCH /memory/<id>`.
pub fn update(session: &ServiceSession, id: &str, body: Value) -> ServiceAnswer<Updated> {
    let checked = path_id(id).and_then(|id| object_of(&body).map(|_| id));
    let id = match checked {
        Ok(id) => id,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if session.read(|view| view.live_row(id))?.is_none() {
        return Ok(Err(ServiceRefusal::not_found()));
    }
    let (patch, warnings) = match session.screened(body, |body| MemoryPatch::read(body, id)) {
        Ok(read) => read,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let (actor, now) = (session.actor.clone(), session.now);
    let written = session.write(move |view| apply_patch(view, id, &patch, None, (&actor, now)))?;
    Ok(written.map(|memory| {
        let memory = session.document(&memory);
        Updated { status: "success", memory_id: id, memory, warnings }
    }))
}

/// Changes a memory in the transaction of a verb; with a relation that changed too, as it was before.
pub(super) fn apply_patch(
    view: &TenantView<'_>,
    id: MemoryId,
    patch: &MemoryPatch,
    relation: Option<&FormerRelation>,
    (actor, now): (&str, Timestamp),
) -> ServiceAnswer<Memory> {
    let head = ChangeHead { kind: ChangeKind::Updated, actor, now };
    let Some(memory) = view.memory(id)? else { return Ok(Err(ServiceRefusal::not_found())) };
    let after = patched(memory.said.clone(), patch, now);
    let size = serde_json::json!(after.metadata).to_string().len();
    if size > METADATA {
        let detail = format!("found {size} bytes, allowed are {METADATA}");
        return Ok(Err(ServiceRefusal::of_field("metadata", "'metadata' is too large", detail)));
    }
    // A retry sends it twice: a second line in the log would hide the first from an undo.
    let unchanged = SaidMemory { updated_at: after.updated_at, ..memory.said.clone() };
    let is_same = after == unchanged
        && patch.updated_at.is_none_or(|updated_at| updated_at == memory.said.updated_at);
    if !is_same || relation.is_some() {
        replace_said(view, &memory, &after, relation, head)?;
    }
    if let Some(at) = patch.last_accessed {
        view.set_accessed(memory.row, at)?;
    }
    Ok(view.memory(id)?.ok_or_else(ServiceRefusal::not_found))
}

fn patched(said: SaidMemory, patch: &MemoryPatch, now: Timestamp) -> SaidMemory {
    let patch = patch.clone();
    SaidMemory {
        id: said.id,
        content: patch.content.unwrap_or(said.content),
        kind: patch.kind.map_or(said.kind, |kind| kind.name().to_owned()),
        confidence: patch.confidence.unwrap_or(said.confidence),
        importance: patch.importance.unwrap_or(said.importance),
        tags: patch.tags.unwrap_or(said.tags),
        metadata: merged(said.metadata, patch.metadata),
        timestamp: patch.timestamp.unwrap_or(said.timestamp),
        updated_at: patch.updated_at.unwrap_or(now),
        t_valid: patch.t_valid.or(said.t_valid),
        t_invalid: patch.t_invalid.or(said.t_invalid),
    }
}

/// Merges at the top level; `null` removes a key.
fn merged(mut metadata: Map<String, Value>, changes: Map<String, Value>) -> Map<String, Value> {
    for (key, value) in changes {
        match value {
            Value::Null => drop(metadata.remove(&key)),
            value => drop(metadata.insert(key, value)),
        }
    }
    metadata
}
