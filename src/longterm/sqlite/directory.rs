//! What is known of people and servers.

use rusqlite::{OptionalExtension, params};
use serde_json::Value;

use super::view::LongtermView;
use crate::error::Result;
use crate::longterm::request::DirectoryKind;

impl LongtermView<'_> {
    /// Returns an entry; one that cannot be read is `null`, which is a known one of which nothing is known.
    pub(crate) fn entry(&self, kind: DirectoryKind, id: &str) -> Result<Option<Value>> {
        let sql = "SELECT entry FROM directory WHERE tenant = ?1 AND kind = ?2 AND id = ?3";
        let mut statement = self.connection.prepare_cached(sql)?;
        let values = params![self.tenant, kind.name(), id];
        let entry: Option<String> = statement.query_row(values, |row| row.get(0)).optional()?;
        Ok(entry.map(|entry| serde_json::from_str(&entry).unwrap_or(Value::Null)))
    }

    /// Returns all entries of a kind, by id.
    pub(crate) fn entries(&self, kind: DirectoryKind) -> Result<Vec<(String, Value)>> {
        let sql = "SELECT id, entry FROM directory WHERE tenant = ?1 AND kind = ?2 ORDER BY id";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map(params![self.tenant, kind.name()], |row| {
            let entry: String = row.get(1)?;
            Ok((row.get(0)?, serde_json::from_str(&entry).unwrap_or(Value::Null)))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    pub(crate) fn set_entry(&self, kind: DirectoryKind, id: &str, entry: &Value) -> Result<()> {
        let sql = "INSERT INTO directory(tenant, kind, id, entry) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT DO UPDATE SET entry = excluded.entry";
        let values = params![self.tenant, kind.name(), id, entry.to_string()];
        self.connection.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    /// Removes an entry; tells whether there was one.
    pub(crate) fn remove_entry(&self, kind: DirectoryKind, id: &str) -> Result<bool> {
        let sql = "DELETE FROM directory WHERE tenant = ?1 AND kind = ?2 AND id = ?3";
        let values = params![self.tenant, kind.name(), id];
        Ok(self.connection.prepare_cached(sql)?.execute(values)? > 0)
    }
}
