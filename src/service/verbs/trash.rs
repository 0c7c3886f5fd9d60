//! Lists what was deleted, and restores it.

use super::path_id::path_id;
use super::session::{ServiceAnswer, ServiceSession};
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::{
    ChangeKind, Memory, MemoryId, QueryParameters, RestoreAnswer, ServiceRefusal, Trash,
    TrashedMemory,
};
use crate::service::sqlite::{MemoryChange, TenantView};

/// Seconds that a deleted memory stays: 30 days.
pub(super) const KEPT: i64 = 30 * 86_400;

/// Answers `GET /trash`.
pub fn trash(session: &ServiceSession, query: &QueryParameters) -> Result<Trash> {
    let limit = query.whole("limit", 50, 1..=200);
    let offset = query.whole("offset", 0, 0..=usize::MAX);
    let (page, total) = session.read(|view| view.trash(limit, offset))?;
    let told = |(memory, deleted_at): (Memory, Timestamp)| TrashedMemory {
        memory: session.document(&memory),
        deleted_at,
        erased_at: deleted_at.plus_seconds(KEPT),
    };
    let memories: Vec<TrashedMemory> = page.into_iter().map(told).collect();
    let count = memories.len();
    let has_more = offset.saturating_add(count) < total && count > 0;
    Ok(Trash { status: "success", count, total, limit, offset, has_more, memories })
}

/// Answers `POST /trash/<id>/restore`: the memory is back, with its relations.
pub fn restore(session: &ServiceSession, id: &str) -> ServiceAnswer<RestoreAnswer> {
    let id = match path_id(id) {
        Ok(id) => id,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let (actor, now) = (session.actor.clone(), session.now);
    let restored = session.write(move |view| from_trash(view, id, &actor, now))?;
    Ok(restored.map(|memory| {
        let memory = session.document(&memory);
        RestoreAnswer { status: "success", memory_id: id, memory }
    }))
}

/// Takes a memory out of the trash.
pub(super) fn from_trash(
    view: &TenantView<'_>,
    id: MemoryId,
    actor: &str,
    now: Timestamp,
) -> ServiceAnswer<Memory> {
    let Some((memory, _)) = view.deleted(id)? else { return Ok(Err(ServiceRefusal::not_found())) };
    let others = view.vector_size()?;
    let own = view.vector_of(memory.row)?.map(|vector| vector.len());
    if others.is_some() && own.is_some() && others != own {
        // Vectors of another size came in the meantime: this one could be compared with none of them.
        view.forget_vector(memory.row)?;
    }
    view.undelete(memory.row, &memory.said)?;
    let (row, after) = (memory.row, Some(memory.said.to_value()));
    let change = MemoryChange {
        kind: ChangeKind::Restored,
        id,
        row,
        other: None,
        actor,
        now,
        before: None,
        after,
    };
    view.log(&change)?;
    Ok(Ok(memory))
}
