//! Takes back the last change of a memory.

use super::delete::to_trash;
use super::former_relation::FormerRelation;
use super::path_id::path_id;
use super::replace_said::{ChangeHead, replace_said};
use super::session::{ServiceAnswer, ServiceSession};
use super::trash::from_trash;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::{
    ChangeKind, Memory, MemoryId, RefusalStatus, RelationType, SaidMemory, ServiceRefusal,
    UndoAnswer,
};
use crate::service::sqlite::{LoggedChange, TenantView};

/// Answers `POST /memory/<id>/undo`, which takes back the last change of a memory.
///
/// A change gets its former text back, a relation is as it was before, a deleted memory is restored, a stored or restored one
/// is deleted. A supersession is one change, whichever of its parts came last. To undo again takes back the undo.
pub fn undo(session: &ServiceSession, id: &str) -> ServiceAnswer<UndoAnswer> {
    let id = match path_id(id) {
        Ok(id) => id,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let (actor, now) = (session.actor.clone(), session.now);
    let undone = session.write(move |view| {
        let last = last_change(view, id)?;
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

/// Returns the last change; of a supersession that of the text, which is taken back with its relation.
fn last_change(view: &TenantView<'_>, id: MemoryId) -> Result<Option<LoggedChange>> {
    let last = view.last_change(id, |_| true)?;
    let relation = last.as_ref().and_then(|last| FormerRelation::from_value(last.before.as_ref()?));
    let superseded_by = view.memory(id)?.and_then(|memory| successor_of(&memory.said));
    match relation {
        Some((relation, target)) if relation.supersedes() && superseded_by == Some(target) => {
            view.last_change(id, |kind| kind != ChangeKind::Related)
        }
        Some(_) | None => Ok(last),
    }
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
    let relation = last.before.as_ref().and_then(FormerRelation::from_value);
    if let Some((relation, target)) = relation {
        relation.put_back(view, (&memory, target), head)?;
        return Ok(Ok(Some(memory)));
    }
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
    replace_said(view, &memory, &former, head)?;
    if let Some(successor) = successor_of(&memory.said).filter(|_| successor_of(&former).is_none())
        && let Some(successor) = view.live_row(successor)?
    {
        // Otherwise the new memory would go on standing for this one.
        for kind in RelationType::authorable().iter().filter(|kind| kind.supersedes()) {
            view.unrelate(memory.row, *kind, successor)?;
        }
    }
    Ok(Ok(view.memory(id)?))
}

/// Returns the memory that superseded one, as its metadata say.
fn successor_of(said: &SaidMemory) -> Option<MemoryId> {
    MemoryId::parse(said.metadata.get("superseded_by")?.as_str()?)
}
