//! Tenants: each has memories of its own, which no other sees, changes or counts.

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, params};

use super::tables::table_of_words;
use crate::chain::ChainLink;
use crate::contract::Timestamp;
use crate::error::Result;

/// A tenant, by its number in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tenant(i64);

impl Tenant {
    pub(crate) fn number(self) -> i64 {
        self.0
    }

    /// Returns the name of the table of its words.
    pub(super) fn words(self) -> String {
        format!("words_{}", self.0)
    }

    /// Returns the tenant with a number that `number` returned.
    pub(crate) fn numbered(number: i64) -> Self {
        Self(number)
    }

    /// Finds a tenant by its name.
    pub(crate) fn find(connection: &Connection, name: &str) -> Result<Option<Self>> {
        let sql = "SELECT id FROM tenants WHERE name = ?1";
        let found =
            connection.prepare_cached(sql)?.query_row([name], |row| row.get(0)).optional()?;
        Ok(found)
    }

    /// Finds a tenant by its name, or makes it with a table for its words.
    pub(crate) fn find_or_make(
        connection: &Connection,
        name: &str,
        now: Timestamp,
    ) -> Result<Self> {
        if let Some(found) = Self::find(connection, name)? {
            return Ok(found);
        }
        let start = ChainLink::start();
        let hash = start.hash.to_string();
        connection.execute(
            "INSERT INTO tenants(name, created, log_number, log_hash) VALUES (?1, ?2, 0, ?3)",
            params![name, now.microseconds(), hash],
        )?;
        let tenant = Self(connection.last_insert_rowid());
        connection.execute_batch(&table_of_words(&tenant.words()))?;
        Ok(tenant)
    }

    /// Returns the name of the tenant.
    pub(crate) fn name(self, connection: &Connection) -> Result<String> {
        let sql = "SELECT name FROM tenants WHERE id = ?1";
        Ok(connection.prepare_cached(sql)?.query_row([self], |row| row.get(0))?)
    }

    /// Returns all tenants with their names, in the order of these.
    pub(crate) fn all(connection: &Connection) -> Result<Vec<(String, Self)>> {
        let sql = "SELECT name, id FROM tenants ORDER BY name";
        let mut statement = connection.prepare_cached(sql)?;
        let tenants = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(tenants.collect::<rusqlite::Result<_>>()?)
    }
}

impl ToSql for Tenant {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

impl FromSql for Tenant {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        i64::column_result(value).map(Self)
    }
}
