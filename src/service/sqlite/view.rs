//! One tenant's part of the database, as it is at one time.

use rusqlite::Connection;

use super::tenants::Tenant;

/// One tenant's part of the database, in a transaction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TenantView<'c> {
    pub(super) connection: &'c Connection,
    pub(super) tenant: Tenant,
}

impl<'c> TenantView<'c> {
    pub(crate) fn new(connection: &'c Connection, tenant: Tenant) -> Self {
        Self { connection, tenant }
    }

    /// Returns the name of the table of this tenant's words.
    pub(super) fn words(&self) -> String {
        self.tenant.words()
    }
}
