//! Replaces a memory: stores the new one, marks the old one as not current, and links them.

use serde_json::{Value, json};

use super::arguments::Arguments;
use super::stored::one;
use crate::service::request::{MemoryId, ServiceRefusal};
use crate::service::verbs::{
    Deletion, ServiceAnswer, ServiceSession, associate, delete, get, store, update,
};

/// The arguments that are not part of the new memory.
pub(super) const SUPERSEDE: [&str; 3] =
    ["supersedes_memory_id", "supersede_relation", "supersede_reason"];

/// How strong the link between the old memory and the new one is.
const STRENGTH: f64 = 0.9;

/// Stores `body` in place of the memory `old`; if the old one cannot be marked, the new one goes again.
pub(super) fn supersede(
    session: &ServiceSession,
    old: &str,
    arguments: &Arguments,
    body: Value,
) -> ServiceAnswer<Value> {
    let old = match get(session, old)? {
        Ok(got) => got.memory.id,
        Err(refusal) => return Ok(Err(refuse_old(*refusal))),
    };
    let stored = match store(session, body, None)? {
        Ok(stored) => stored,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let new = stored.memory_id;
    if new == old {
        let message = "'content' is that of the memory to be superseded";
        let detail = format!("found the content of {old}, allowed is another");
        return Ok(Err(ServiceRefusal::of_field("content", message, detail)));
    }
    let relation = arguments.text("supersede_relation").unwrap_or("INVALIDATED_BY");
    let marked = mark_old(session, [old, new], relation, arguments.text("supersede_reason"));
    if !matches!(marked, Ok(Ok(()))) {
        // One that was there before the call stays.
        if !stored.duplicate {
            delete(session, &new.to_string(), Deletion::Soft)?.ok();
        }
        return Ok(marked?.map(|()| Value::Null));
    }
    let link = json!({
        "memory1_id": old, "memory2_id": new, "type": relation, "strength": STRENGTH,
    });
    let linked = associate(session, link)?;
    let mut data = one(&stored);
    let rest = match &linked {
        Ok(_) => String::new(),
        Err(refusal) => format!("; the link from {old} to {new} failed: {}", refusal.message),
    };
    data["message"] = format!("Memory {new} stored, it supersedes {old}{rest}").into();
    data["superseded_memory_id"] = json!(old);
    data["association_created"] = linked.is_ok().into();
    Ok(Ok(data))
}

/// Marks the old memory as not current, with the id of the new one.
fn mark_old(
    session: &ServiceSession,
    [old, new]: [MemoryId; 2],
    relation: &str,
    reason: Option<&str>,
) -> ServiceAnswer<()> {
    let mut metadata =
        json!({"deprecated": true, "superseded_by": new, "supersede_relation": relation});
    if let Some(reason) = reason {
        metadata["supersede_reason"] = reason.into();
    }
    let patch = json!({"t_invalid": session.now, "metadata": metadata});
    Ok(update(session, &old.to_string(), patch)?.map(drop))
}

/// Names the argument that held the id.
fn refuse_old(refusal: ServiceRefusal) -> Box<ServiceRefusal> {
    let field = Some("supersedes_memory_id".to_owned());
    Box::new(ServiceRefusal { field, ..refusal })
}
