//! Tells what was done with a memory.

use serde_json::Value;

use super::former_relation::FormerRelation;
use super::path_id::path_id;
use super::session::{ServiceAnswer, ServiceSession};
use crate::error::Result;
use crate::service::request::{History, HistoryEntry, MemoryId, QueryParameters, ServiceRefusal};
use crate::service::sqlite::{LoggedChange, TenantView};

/// Answers `GET /memory/<id>/history`, of a deleted memory too.
pub fn history(
    session: &ServiceSession,
    id: &str,
    query: &QueryParameters,
) -> ServiceAnswer<History> {
    let limit = query.whole("limit", 50, 1..=200);
    page(session, id, limit, query.whole("offset", 0, 0..=usize::MAX))
}

/// Returns all changes of a memory on one page.
pub fn whole_history(session: &ServiceSession, id: &str) -> ServiceAnswer<History> {
    let whole = page(session, id, i64::MAX as usize, 0)?;
    Ok(whole.map(|history| History { limit: history.total, ..history }))
}

fn page(session: &ServiceSession, id: &str, limit: usize, offset: usize) -> ServiceAnswer<History> {
    let id = match path_id(id) {
        Ok(id) => id,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let (changes, total, left) = session.read(|view| {
        let changes = view.history(id, limit, offset)?;
        let last = changes.last().map(|last| last.number);
        let left = last.map(|last| value_behind(view, id, last)).transpose()?.flatten();
        Ok((changes, view.count_changes(id)?, left))
    })?;
    if total == 0 {
        return Ok(Err(ServiceRefusal::not_found()));
    }
    let count = changes.len();
    Ok(Ok(History {
        status: "success",
        memory_id: id,
        count,
        total,
        limit,
        offset,
        has_more: count > 0 && offset + count < total,
        history: entries(changes, left),
    }))
}

/// Returns what a memory said behind a change: what the next one found, or what it says now.
fn value_behind(view: &TenantView<'_>, id: MemoryId, number: u64) -> Result<Option<Value>> {
    match view.next_change((id, number), changes_memory)? {
        Some(next) => Ok(next.before),
        None => Ok(view.memory(id)?.map(|memory| memory.said.to_value())),
    }
}

/// Pairs each former value with the change that made it: what one change found, the one before left. `left` is what the
/// last of them left.
fn entries(changes: Vec<LoggedChange>, left: Option<Value>) -> Vec<HistoryEntry> {
    let (mut after, mut entries) = (left, Vec::with_capacity(changes.len()));
    for change in changes.into_iter().rev() {
        let is_of_memory = changes_memory(&change);
        let (before, left) = match is_of_memory {
            true => (change.before.clone(), after.take()),
            false => (None, None),
        };
        if is_of_memory {
            after = change.before;
        }
        entries.push(HistoryEntry {
            seq: change.number,
            time: change.time,
            action: change.kind.name(),
            actor: change.actor,
            before,
            after: left,
        });
    }
    entries.reverse();
    entries
}

/// Tells whether a change is one of the text or the fields; an undo may be one of a relation.
fn changes_memory(change: &LoggedChange) -> bool {
    change.kind.changes_memory() && !change.before.as_ref().is_some_and(FormerRelation::is_one)
}
