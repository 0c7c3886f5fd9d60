//! Tenants: each has numbers, memories and a directory of its own.

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, params};

use crate::chain::ChainLink;
use crate::contract::Timestamp;
use crate::error::Result;

/// A tenant, by its number in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LongtermTenant(i64);

impl LongtermTenant {
    /// Finds a tenant by its name.
    pub(crate) fn find(connection: &Connection, name: &str) -> Result<Option<Self>> {
        let sql = "SELECT id FROM tenants WHERE name = ?1";
        Ok(connection.prepare_cached(sql)?.query_row([name], |row| row.get(0)).optional()?)
    }

    /// Returns all tenants.
    pub(crate) fn all(connection: &Connection) -> Result<Vec<Self>> {
        let mut statement = connection.prepare_cached("SELECT id FROM tenants ORDER BY id")?;
        let tenants = statement.query_map([], |row| row.get(0))?;
        Ok(tenants.collect::<rusqlite::Result<_>>()?)
    }

    /// Finds a tenant by its name, or makes it.
    pub(crate) fn find_or_make(
        connection: &Connection,
        name: &str,
        now: Timestamp,
    ) -> Result<Self> {
        let hash = ChainLink::start().hash.to_string();
        connection.execute(
            "INSERT INTO tenants(name, created, log_number, log_hash) VALUES (?1, ?2, 0, ?3) ON CONFLICT DO NOTHING",
            params![name, now.microseconds(), hash],
        )?;
        let sql = "SELECT id FROM tenants WHERE name = ?1";
        Ok(connection.query_row(sql, [name], |row| row.get(0))?)
    }
}

impl ToSql for LongtermTenant {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

impl FromSql for LongtermTenant {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        i64::column_result(value).map(Self)
    }
}
