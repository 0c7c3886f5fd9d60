//! Which memories and relations make up a graph, a group or a pair.

use rusqlite::params;
use rusqlite::types::Value as SqlValue;

use super::memories::MemoryOrder;
use super::relations::{Relation, read_relation};
use super::view::TenantView;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::{RelationType, SnapshotRequest};

/// Memories behind one that are read. More than five may follow it, where several have the same time.
const AFTER: usize = 20;

impl TenantView<'_> {
    /// Returns the memories that a snapshot shows, the most important first.
    pub(crate) fn rows_of_snapshot(&self, request: &SnapshotRequest) -> Result<Vec<i64>> {
        let condition = "AND importance >= ? AND timestamp >= ?
            AND (? = '[]' OR type IN (SELECT value FROM json_each(?)))";
        let types = serde_json::json!(request.types).to_string();
        let since = request.since.map_or(i64::MIN, Timestamp::microseconds);
        let values: Vec<SqlValue> =
            vec![request.min_importance.into(), since.into(), types.clone().into(), types.into()];
        let limit = request.limit.unwrap_or(i64::MAX as usize);
        self.rows_where(condition, values, MemoryOrder::Importance, limit)
    }

    /// Returns the relations from memories that came shortly after one.
    pub(crate) fn followed_by(&self, row: i64) -> Result<Vec<Relation>> {
        let sql = "SELECT after.row FROM memories AS memory
            JOIN memories AS after ON after.tenant = memory.tenant AND after.deleted IS NULL
              AND after.timestamp > memory.timestamp
            WHERE memory.row = ?1 AND memory.tenant = ?2
            ORDER BY after.timestamp, after.row LIMIT ?3";
        let mut statement = self.connection.prepare_cached(sql)?;
        let after = statement.query_map(params![row, self.tenant, AFTER], |row| row.get(0))?;
        let mut found = Vec::new();
        for after in after.collect::<rusqlite::Result<Vec<i64>>>()? {
            found.extend(self.preceded_by(after)?.into_iter().filter(|it| it.target == row));
        }
        Ok(found)
    }

    /// Returns the strongest relations of a type that people and agents set.
    pub(crate) fn strongest(&self, kind: RelationType, limit: usize) -> Result<Vec<Relation>> {
        let sql = "SELECT source, relations.type, target, strength, properties, relations.updated
            FROM relations JOIN memories AS one ON one.row = source AND one.deleted IS NULL
            JOIN memories AS other ON other.row = target AND other.deleted IS NULL
            WHERE relations.tenant = ?1 AND relations.type = ?2
            ORDER BY strength DESC, relations.updated DESC, source, target LIMIT ?3";
        let mut statement = self.connection.prepare_cached(sql)?;
        let values = params![self.tenant, kind.name(), limit];
        let relations = statement.query_map(values, read_relation)?;
        let relations = relations.collect::<rusqlite::Result<Vec<Option<Relation>>>>()?;
        Ok(relations.into_iter().flatten().collect())
    }

    /// Returns the most important memories of a type that are surer of it than a number.
    pub(crate) fn rows_surer_than(&self, kind: &str, least: f64, limit: usize) -> Result<Vec<i64>> {
        let values: Vec<SqlValue> = vec![kind.to_owned().into(), least.into()];
        self.rows_where("AND type = ? AND confidence > ?", values, MemoryOrder::Importance, limit)
    }

    /// Returns the pairs of memories that relations of some types join.
    pub(crate) fn related_pairs(&self, kinds: &[RelationType]) -> Result<Vec<(i64, i64)>> {
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        let names = serde_json::json!(names).to_string();
        let sql = "SELECT source, target FROM
              (SELECT * FROM relations UNION ALL SELECT * FROM derived_relations) AS found
            JOIN memories AS one ON one.row = source AND one.deleted IS NULL
            JOIN memories AS other ON other.row = target AND other.deleted IS NULL
            WHERE found.tenant = ?1 AND found.type IN (SELECT value FROM json_each(?2))";
        let mut statement = self.connection.prepare_cached(sql)?;
        let pairs = statement
            .query_map(params![self.tenant, names], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(pairs.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns each memory with each entity that it names.
    pub(crate) fn named_rows(&self) -> Result<Vec<(i64, String)>> {
        let sql = "SELECT entities.row, category || ':' || slug FROM entities
            JOIN memories ON memories.row = entities.row AND deleted IS NULL
            WHERE entities.tenant = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let named = statement.query_map([self.tenant], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(named.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns the newest memories that have a vector.
    pub(crate) fn rows_with_vector(&self, limit: usize) -> Result<Vec<i64>> {
        let condition = "AND EXISTS (SELECT 1 FROM vectors WHERE vectors.row = memories.row)";
        self.rows_where(condition, Vec::new(), MemoryOrder::Newest, limit)
    }

    /// Returns the ids of the newest memories that have no vector.
    pub(crate) fn ids_without_vector(&self, limit: usize) -> Result<Vec<String>> {
        let sql = "SELECT id FROM memories WHERE tenant = ?1 AND deleted IS NULL
              AND NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.row = memories.row)
            ORDER BY timestamp DESC, row DESC LIMIT ?2";
        let mut statement = self.connection.prepare_cached(sql)?;
        let ids = statement.query_map(params![self.tenant, limit], |row| row.get(0))?;
        Ok(ids.collect::<rusqlite::Result<_>>()?)
    }
}
