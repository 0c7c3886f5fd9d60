//! Tells what was done with a memory.

use serde_json::Value;

use super::path_id::path_id;
use super::session::{ServiceAnswer, ServiceSession};
use crate::service::request::{ChangeKind, History, HistoryEntry, ServiceRefusal};
use crate::service::sqlite::LoggedChange;

/// Answers `GET /memory/<id>/history`, of a deleted memory too.
pub fn history(session: &ServiceSession, id: &str) -> ServiceAnswer<History> {
    let id = match path_id(id) {
        Ok(id) => id,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let (changes, current) = session.read(|view| {
        let current = view.memory(id)?.map(|memory| memory.said.to_value());
        Ok((view.history(id)?, current))
    })?;
    if changes.is_empty() {
        return Ok(Err(ServiceRefusal::not_found()));
    }
    Ok(Ok(History { status: "success", memory_id: id, history: entries(changes, current) }))
}

/// Pairs each former value with the change that made it: what one change found, the one before left.
fn entries(changes: Vec<LoggedChange>, current: Option<Value>) -> Vec<HistoryEntry> {
    let (mut after, mut entries) = (current, Vec::with_capacity(changes.len()));
    for change in changes.into_iter().rev() {
        let changes_text = !matches!(change.kind, ChangeKind::Related | ChangeKind::Forgotten);
        let (before, left) = match changes_text {
            true => (change.before.clone(), after.take()),
            false => (None, None),
        };
        if changes_text {
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
