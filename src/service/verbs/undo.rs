//! Takes back the last change of a memory.

use serde_json::Value;

use super::delete::to_trash;
use super::former_relation::FormerRelation;
use super::path_id::path_id;
use super::replace_said::{ChangeHead, RELATION, replace_said};
use super::session::{ServiceAnswer, ServiceSession};
use super::trash::from_trash;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::{
    ChangeKind, Memory, MemoryId, RefusalStatus, SaidMemory, ServiceRefusal, UndoAnswer,
};
use crate::service::sqlite::{LoggedChange, MemoryChange, TenantView};

/// Answers `POST /memory/<id>/undo`, which takes back the last change of a memory.
///
/// A change gets its former text back, a relation is as it was before, a deleted memory is restored, a stored or restored one
/// is deleted. A supersession in one call is one change of the old memory. To undo again takes back the undo.
pub fn undo(session: &ServiceSession, id: &str) -> ServiceAnswer<UndoAnswer> {
    let id = match path_id(id) {
        Ok(id) => id,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let (actor, now) = (session.actor.clone(), session.now);
    let undone = session.write(move |view| {
        let last = view.last_change(id, |_| true)?;
        let Some(last) = last.filter(|last| last.kind != ChangeKind::Forgotten) else {
            return Ok(Err(ServiceRefusal::not_found()));
        };
        let action = last.kind.name();
        Ok(take_back(view, id, last, &actor, now)?.map(|memory| (action, memory)))
    })?;
    Ok(undone.map(|(undone, memory)| UndoAnswer {
        status: "success",
        memory_id: id,
        undone,
        memory: memory.map(|memory| session.document(&memory)),
    }))
}

fn take_back(
    view: &TenantView<'_>,
    id: MemoryId,
    last: LoggedChange,
    actor: &str,
    now: Timestamp,
) -> ServiceAnswer<Option<Memory>> {
    let Some(memory) = view.memory(id)? else {
        return Ok(from_trash(view, id, actor, now)?.map(Some));
    };
    let head = ChangeHead { kind: ChangeKind::Undone, actor, now };
    if let Some(before) = last.before.as_ref().filter(|before| FormerRelation::is_one(before)) {
        let Some(former) = FormerRelation::from_value(view, memory.row, before)? else {
            return Ok(Err(refuse_erased()));
        };
        take_back_relation(view, &memory, &former, head)?;
        return Ok(Ok(Some(memory)));
    }
    if matches!(last.kind, ChangeKind::Stored | ChangeKind::Restored) {
        // There was nothing before.
        to_trash(view, &memory, actor, now)?;
        return Ok(Ok(None));
    }
    let Some(former) = last.before.as_ref().and_then(SaidMemory::from_value) else {
        return Ok(Err(refuse_erased()));
    };
    let relation = last.before.as_ref().map_or(&Value::Null, |before| &before[RELATION]);
    let relation = FormerRelation::from_value(view, memory.row, relation)?;
    let present = relation.as_ref().map(|relation| relation.read_again(view)).transpose()?;
    relation.map_or(Ok(()), |relation| relation.put_back(view))?;
    replace_said(view, &memory, &former, present.as_ref(), head)?;
    Ok(Ok(view.memory(id)?))
}

/// Sets a relation as it was, and logs that.
fn take_back_relation(
    view: &TenantView<'_>,
    memory: &Memory,
    former: &FormerRelation,
    head: ChangeHead<'_>,
) -> Result<()> {
    let present = former.read_again(view)?;
    former.put_back(view)?;
    view.log(&MemoryChange {
        kind: head.kind,
        id: memory.said.id,
        row: memory.row,
        other: Some(former.ends.target),
        actor: head.actor,
        now: head.now,
        before: Some(present.to_value()),
        after: Some(former.to_value()),
    })
}

/// Refuses to take back a change of which the former value was erased, with a memory that it was about.
fn refuse_erased() -> Box<ServiceRefusal> {
    let message = "The former value is erased";
    let next =
        "change the memory with `PATCH /memory/<id>`, or its relations with `POST /associate`";
    ServiceRefusal::new(RefusalStatus::Conflict, message, next)
}
