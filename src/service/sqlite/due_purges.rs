//! Tenants whose index of words is rewritten before the next commit.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;

use super::tenants::Tenant;
use super::view::TenantView;
use crate::error::Result;

/// Tenants of which something is erased in the changes of one commit: to rewrite the index costs as much as it is
/// long, so that it is done once for all of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct DuePurges(Arc<Mutex<HashSet<i64>>>);

impl DuePurges {
    pub(crate) fn add(&self, tenant: Tenant) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(tenant.number());
    }

    /// Rewrites what is due; of a change that was taken back too, which does no harm.
    pub(crate) fn carry_out(&self, connection: &Connection) -> Result<()> {
        let due = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let view = |tenant| TenantView::new(connection, Tenant::numbered(tenant));
        due.into_iter().try_for_each(|tenant| view(tenant).purge_words())
    }
}
