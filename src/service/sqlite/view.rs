//! One tenant's part of the database, as it is at one time.

use std::cell::RefCell;

use rusqlite::Connection;

use super::tenants::Tenant;
use crate::service::request::{EventKind, MemoryId, RelationType};

/// One tenant's part of the database, in a transaction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TenantView<'c> {
    pub(super) connection: &'c Connection,
    pub(super) tenant: Tenant,
    changes: Option<&'c ViewChanges>,
}

/// What happened to a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MemoryEvent {
    pub(crate) kind: EventKind,
    pub(crate) id: MemoryId,
    /// How it was related to another.
    pub(crate) relation: Option<RelationType>,
}

/// The changes that were made through a view, in their order.
#[derive(Debug, Default)]
pub(crate) struct ViewChanges(RefCell<Vec<MemoryEvent>>);

impl ViewChanges {
    pub(crate) fn into_events(self) -> Vec<MemoryEvent> {
        self.0.into_inner()
    }
}

impl<'c> TenantView<'c> {
    pub(crate) fn new(connection: &'c Connection, tenant: Tenant) -> Self {
        Self { connection, tenant, changes: None }
    }

    /// Makes a view that notes the changes that are logged.
    pub(crate) fn noting(
        connection: &'c Connection,
        tenant: Tenant,
        changes: &'c ViewChanges,
    ) -> Self {
        Self { connection, tenant, changes: Some(changes) }
    }

    pub(super) fn note(&self, event: MemoryEvent) {
        if let Some(ViewChanges(changes)) = self.changes {
            changes.borrow_mut().push(event);
        }
    }

    /// Returns the name of the table of this tenant's words.
    pub(super) fn words(&self) -> String {
        self.tenant.words()
    }
}
