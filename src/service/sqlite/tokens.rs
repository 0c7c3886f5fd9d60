//! Tokens, of which only hashes are kept: they let a caller in as a tenant.

use rusqlite::{Connection, OptionalExtension, params};

use super::tenants::Tenant;
use crate::contract::{Sha256Digest, Timestamp};
use crate::error::Result;

impl Tenant {
    /// Finds the tenant whose token this is. Hashes are compared, so the time tells nothing about a token.
    pub(crate) fn of_token(connection: &Connection, hash: &Sha256Digest) -> Result<Option<Self>> {
        let sql = "SELECT tenant FROM tokens WHERE hash = ?1 AND revoked IS NULL";
        let mut statement = connection.prepare_cached(sql)?;
        Ok(statement.query_row([&hash[..]], |row| row.get(0)).optional()?)
    }

    pub(crate) fn add_token(
        self,
        connection: &Connection,
        hash: &Sha256Digest,
        now: Timestamp,
    ) -> Result<()> {
        connection.execute(
            "INSERT INTO tokens(hash, tenant, created) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            params![&hash[..], self, now.microseconds()],
        )?;
        Ok(())
    }

    /// Revokes all tokens of the tenant; returns how many were valid.
    pub(crate) fn revoke_tokens(self, connection: &Connection, now: Timestamp) -> Result<usize> {
        let sql = "UPDATE tokens SET revoked = ?2 WHERE tenant = ?1 AND revoked IS NULL";
        Ok(connection.execute(sql, params![self, now.microseconds()])?)
    }

    /// Returns how many tokens of the tenant are valid.
    pub(crate) fn count_tokens(self, connection: &Connection) -> Result<usize> {
        let sql = "SELECT count(*) FROM tokens WHERE tenant = ?1 AND revoked IS NULL";
        Ok(connection.query_row(sql, [self], |row| row.get(0))?)
    }
}
