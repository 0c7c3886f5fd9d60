//! Takes back the last change of a memory.

use super::delete::to_trash;
use super::path_id::path_id;
use super::replace_said::{ChangeHead, replace_said};
use super::session::{ServiceAnswer, ServiceSession};
use super::trash::from_trash;
use crate::contract::Timestamp;
use crate::service::request::{
    ChangeKind, Memory, MemoryId, RefusalStatus, SaidMemory, ServiceRefusal, UndoAnswer,
};
use crate::service::sqlite::{LoggedChange, TenantView};

/// Answers `POST /memory/<id>/undo`, which takes back the last change of what a memory says; relations stay.
///
/// A change gets its former text back, a deleted memory is restored, a stored or restored one is deleted. To undo again
/// takes back the undo.
pub fn undo(session: &ServiceSession, id: &str) -> ServiceAnswer<UndoAnswer> {
    let id = match path_id(id) {
        Ok(id) => id,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let (actor, now) = (session.actor.clone(), session.now);
    let undone = session.write(move |view| {
        let last = view.last_change(id, |kind| kind != ChangeKind::Related)?;
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
    let former = last.before.as_ref().and_then(SaidMemory::from_value);
    let Some(former) = former.filter(|_| last.kind != ChangeKind::Deleted) else {
        if last.before.is_some() {
            let message = "The former value cannot be read";
            let next = "change it with `PATCH /memory/<id>`";
            return Ok(Err(ServiceRefusal::new(RefusalStatus::Conflict, message, next)));
        }
        // There was nothing before.
        to_trash(view, &memory, actor, now)?;
        return Ok(Ok(None));
    };
    replace_said(view, &memory, &former, ChangeHead { kind: ChangeKind::Undone, actor, now })?;
    Ok(Ok(view.memory(id)?))
}
