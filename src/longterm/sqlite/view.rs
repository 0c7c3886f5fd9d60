//! One tenant's part of the database, as it is at one time.

use rusqlite::Connection;

use super::tenants::LongtermTenant;

/// One tenant's part of the database, in a transaction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LongtermView<'c> {
    pub(super) connection: &'c Connection,
    pub(super) tenant: LongtermTenant,
}

impl<'c> LongtermView<'c> {
    pub(crate) fn new(connection: &'c Connection, tenant: LongtermTenant) -> Self {
        Self { connection, tenant }
    }
}
