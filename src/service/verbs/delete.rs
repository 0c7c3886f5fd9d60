//! Deletes a memory: to the trash, or for good.

use super::path_id::path_id;
use super::session::{ServiceAnswer, ServiceSession};
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::{ChangeKind, Deleted, Memory, MemoryId, ServiceRefusal};
use crate::service::sqlite::{MemoryChange, TenantView};

/// How a memory is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deletion {
    /// To the trash, from which it can be restored for 30 days.
    Soft,
    /// Text, vectors and history are erased.
    Forget,
}

/// Answers `DELETE /memory/<id>`.
pub fn delete(session: &ServiceSession, id: &str, deletion: Deletion) -> ServiceAnswer<Deleted> {
    let id = match path_id(id) {
        Ok(id) => id,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let (actor, now) = (session.actor.clone(), session.now);
    let deleted = session.write(move |view| {
        let live = view.memory(id)?;
        if let Some(memory) = &live {
            to_trash(view, memory, &actor, now)?;
        }
        let forgotten = match deletion {
            Deletion::Soft => false,
            Deletion::Forget => forget(view, id, &actor, now)?,
        };
        if live.is_none() && !forgotten {
            return Ok(Err(ServiceRefusal::not_found()));
        }
        let message = format!("Memory {id} deleted");
        Ok(Ok(Deleted { status: "success", memory_id: id, message, forgotten }))
    })?;
    if deleted.as_ref().is_ok_and(|deleted| deleted.forgotten) {
        // It is erased already: a log that cannot be emptied now is emptied behind the answers.
        let _ = session.store.erase_traces();
    }
    Ok(deleted)
}

/// Moves a memory to the trash.
pub(super) fn to_trash(
    view: &TenantView<'_>,
    memory: &Memory,
    actor: &str,
    now: Timestamp,
) -> Result<()> {
    view.delete(memory.row, now)?;
    let (id, row) = (memory.said.id, memory.row);
    let before = Some(memory.said.to_value());
    let (kind, other, after) = (ChangeKind::Deleted, None, None);
    view.log(&MemoryChange { kind, id, row, other, actor, now, before, after })
}

/// Erases a memory that is in the trash; tells whether there was one.
fn forget(view: &TenantView<'_>, id: MemoryId, actor: &str, now: Timestamp) -> Result<bool> {
    let Some((memory, _)) = view.deleted(id)? else { return Ok(false) };
    erase(view, (memory.row, id), actor, now)?;
    view.purge_words()?;
    Ok(true)
}

/// Removes a memory for good, and logs it; the caller purges its words.
pub(super) fn erase(
    view: &TenantView<'_>,
    (row, id): (i64, MemoryId),
    actor: &str,
    now: Timestamp,
) -> Result<()> {
    view.remove(row)?;
    let (kind, other, before, after) = (ChangeKind::Forgotten, None, None, None);
    view.log(&MemoryChange { kind, id, row, other, actor, now, before, after })
}
