//! Tells what happens to those who listen at a door, whichever door it came through.

use std::fmt;
use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use super::tenant_key::TenantKey;
use crate::contract::Timestamp;
use crate::service::request::{EventKind, MemoryId};
use crate::service::sqlite::MemoryEvent;

/// What happened to the memories of a tenant.
#[derive(Debug, Clone, PartialEq)]
pub struct ServiceEvent {
    /// Whose memories.
    pub tenant: TenantKey,
    /// What happened.
    pub kind: EventKind,
    /// When.
    pub time: Timestamp,
    /// Which memories, and how many; their texts are no part of it.
    pub data: Map<String, Value>,
}

/// Is told all events of a store.
pub type EventListener = Box<dyn Fn(&ServiceEvent) + Send + Sync>;

/// The listener of a store, where there is one.
#[derive(Default)]
pub(super) struct StoreListener(OnceLock<EventListener>);

impl fmt::Debug for StoreListener {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("StoreListener").field(&self.0.get().is_some()).finish()
    }
}

impl StoreListener {
    /// Sets the listener; the first one stays.
    pub(super) fn set(&self, listener: EventListener) {
        let _ = self.0.set(listener);
    }

    pub(super) fn tell(&self, event: &ServiceEvent) {
        if let Some(listener) = self.0.get() {
            listener(event);
        }
    }
}

/// Makes events of what happened to memories: of the same kind in a row one.
pub(super) fn events_of(
    tenant: TenantKey,
    happened: &[MemoryEvent],
    time: Timestamp,
) -> Vec<ServiceEvent> {
    let runs = happened.chunk_by(|one, next| one.kind == next.kind);
    let event = |run: &[MemoryEvent]| {
        let mut ids: Vec<MemoryId> = run.iter().map(|event| event.id).collect();
        ids.dedup();
        let mut data = match ids.as_slice() {
            [id] => Map::from_iter([("memory_id".to_owned(), json!(id))]),
            ids => Map::from_iter([
                ("memory_ids".to_owned(), json!(ids)),
                ("count".to_owned(), json!(ids.len())),
            ]),
        };
        if let [MemoryEvent { relation: Some(relation), .. }] = run {
            data.insert("relation_type".to_owned(), json!(relation));
        }
        run.first().map(|first| ServiceEvent { tenant, kind: first.kind, time, data })
    };
    runs.filter_map(event).collect()
}
