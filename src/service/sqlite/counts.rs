//! Which memories there are, and how many of each type.

use std::collections::{HashMap, HashSet};

use rusqlite::params;

use super::view::TenantView;
use crate::error::Result;
use crate::service::request::MemoryId;

impl TenantView<'_> {
    /// Returns each type with how many memories have it.
    pub(crate) fn type_counts(&self) -> Result<Vec<(String, u64)>> {
        let sql = "SELECT type, count(*) FROM memories WHERE tenant = ?1 AND deleted IS NULL
            GROUP BY type ORDER BY type";
        let mut statement = self.connection.prepare_cached(sql)?;
        let counts = statement.query_map([self.tenant], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(counts.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns the numbers of the memories that have none of some types.
    pub(crate) fn rows_of_other_types(&self, types: &[String]) -> Result<HashSet<i64>> {
        let sql = "SELECT row FROM memories WHERE tenant = ?1 AND deleted IS NULL
            AND type NOT IN (SELECT value FROM json_each(?2))";
        let mut statement = self.connection.prepare_cached(sql)?;
        let types = serde_json::json!(types).to_string();
        let rows = statement.query_map(params![self.tenant, types], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns the ids of memories by their numbers.
    pub(crate) fn ids_of(&self, rows: &[i64]) -> Result<HashMap<i64, MemoryId>> {
        let sql = "SELECT id FROM memories WHERE row = ?1 AND tenant = ?2";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut ids = HashMap::with_capacity(rows.len());
        for row in rows {
            let id: String = statement.query_row(params![row, self.tenant], |row| row.get(0))?;
            ids.extend(MemoryId::parse(&id).map(|id| (*row, id)));
        }
        Ok(ids)
    }
}
