//! Relations between memories: those that were set, and those that the service found.

use std::collections::HashSet;

use rusqlite::{OptionalExtension, Row, params};
use serde_json::{Map, Value};

use super::view::TenantView;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::RelationType;

/// A relation from one memory to another, by their numbers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Relation {
    pub(crate) source: i64,
    pub(crate) kind: RelationType,
    pub(crate) target: i64,
    pub(crate) strength: f64,
    pub(crate) properties: Map<String, Value>,
    pub(crate) updated: Timestamp,
}

/// Which end of a relation a memory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RelationEnd {
    /// The relation goes out from it.
    Source,
    /// The relation leads to it.
    Target,
}

/// How close together in time memories are for one to be `PRECEDED_BY` the other.
const DAYS_BEFORE: i64 = 7;

/// How many memories one is `PRECEDED_BY` at most.
const MOST_BEFORE: usize = 5;

/// How strong a relation is that only the time says.
const STRENGTH_BEFORE: f64 = 0.5;

impl Relation {
    /// Returns the other end of a relation of the memory `row`.
    pub(crate) fn other(&self, row: i64) -> i64 {
        if self.source == row { self.target } else { self.source }
    }
}

impl TenantView<'_> {
    /// Sets a relation; of two memories one of each type.
    pub(crate) fn relate(&self, relation: &Relation) -> Result<()> {
        self.put_relation("relations", relation)
    }

    /// Keeps a relation that was found by machine.
    pub(crate) fn derive_relation(&self, relation: &Relation) -> Result<()> {
        self.put_relation("derived_relations", relation)
    }

    fn put_relation(&self, table: &str, relation: &Relation) -> Result<()> {
        let sql = format!(
            "INSERT OR REPLACE INTO {table}(tenant, source, type, target, strength, properties, updated)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
        );
        self.connection.prepare_cached(&sql)?.execute(params![
            self.tenant,
            relation.source,
            relation.kind.name(),
            relation.target,
            relation.strength,
            Value::Object(relation.properties.clone()).to_string(),
            relation.updated.microseconds(),
        ])?;
        Ok(())
    }

    /// Forgets what machines found about one memory.
    pub(crate) fn delete_derived_relations(&self, row: i64) -> Result<()> {
        let sql = "DELETE FROM derived_relations WHERE source = ?1 OR target = ?1";
        self.connection.prepare_cached(sql)?.execute([row])?;
        Ok(())
    }

    /// Returns the relations of a memory to others that are not deleted, both ways, the strongest first.
    pub(crate) fn relations_of(&self, row: i64, kinds: &[RelationType]) -> Result<Vec<Relation>> {
        let mut found = Vec::new();
        for table in ["relations", "derived_relations"] {
            for end in [RelationEnd::Source, RelationEnd::Target] {
                found.extend(self.relations_in(table, row, end)?);
            }
        }
        if kinds.contains(&RelationType::PrecededBy) {
            found.extend(self.preceded_by(row)?);
        }
        found.retain(|relation| kinds.contains(&relation.kind));
        found.sort_by(|a, b| {
            let strength = b.strength.total_cmp(&a.strength);
            strength.then(b.updated.cmp(&a.updated)).then(a.other(row).cmp(&b.other(row)))
        });
        Ok(found)
    }

    /// Returns the relations that were set from a memory to others that are not deleted.
    pub(crate) fn relations_set_from(&self, row: i64) -> Result<Vec<Relation>> {
        self.relations_in("relations", row, RelationEnd::Source)
    }

    /// Returns the relation of this type that is set from one memory to another.
    pub(crate) fn relation(
        &self,
        source: i64,
        kind: RelationType,
        target: i64,
    ) -> Result<Option<Relation>> {
        let sql = "SELECT source, type, target, strength, properties, updated FROM relations
            WHERE tenant = ?1 AND source = ?2 AND type = ?3 AND target = ?4";
        let mut statement = self.connection.prepare_cached(sql)?;
        let values = params![self.tenant, source, kind.name(), target];
        Ok(statement.query_row(values, read_relation).optional()?.flatten())
    }

    fn relations_in(&self, table: &str, row: i64, end: RelationEnd) -> Result<Vec<Relation>> {
        let (own, other) = match end {
            RelationEnd::Source => ("source", "target"),
            RelationEnd::Target => ("target", "source"),
        };
        let sql = format!(
            "SELECT source, {table}.type, target, strength, properties, {table}.updated
            FROM {table} JOIN memories ON memories.row = {table}.{other} AND memories.deleted IS NULL
            WHERE {table}.{own} = ?1 AND {table}.tenant = ?2"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let relations = statement.query_map(params![row, self.tenant], read_relation)?;
        let relations = relations.collect::<rusqlite::Result<Vec<Option<Relation>>>>()?;
        Ok(relations.into_iter().flatten().collect())
    }

    /// Returns the relations to the memories that came shortly before. They are computed: nothing has to be kept in step.
    pub(crate) fn preceded_by(&self, row: i64) -> Result<Vec<Relation>> {
        let sql = "SELECT before.row, memory.timestamp FROM memories AS memory
            JOIN memories AS before ON before.tenant = memory.tenant AND before.deleted IS NULL
              AND before.timestamp < memory.timestamp AND before.timestamp >= memory.timestamp - ?3
            WHERE memory.row = ?1 AND memory.tenant = ?2
            ORDER BY before.timestamp DESC, before.row DESC LIMIT ?4";
        let span = DAYS_BEFORE * 86_400 * 1_000_000;
        let mut statement = self.connection.prepare_cached(sql)?;
        let values = params![row, self.tenant, span, MOST_BEFORE as i64];
        let relations = statement.query_map(values, |found| {
            Ok(Relation {
                source: row,
                kind: RelationType::PrecededBy,
                target: found.get(0)?,
                strength: STRENGTH_BEFORE,
                properties: Map::from_iter([("count".to_owned(), 1.into())]),
                updated: Timestamp::from_microseconds(found.get(1)?),
            })
        })?;
        Ok(relations.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns the memories that stand for one from now on, the last set first.
    pub(crate) fn successors(&self, row: i64) -> Result<Vec<i64>> {
        let mut relations = self.relations_in("relations", row, RelationEnd::Source)?;
        relations.retain(|relation| relation.kind.supersedes());
        relations.sort_by_key(|relation| std::cmp::Reverse((relation.updated, relation.target)));
        Ok(relations.into_iter().map(|relation| relation.target).collect())
    }

    /// Removes a relation that was set.
    pub(crate) fn unrelate(&self, source: i64, kind: RelationType, target: i64) -> Result<()> {
        let sql =
            "DELETE FROM relations WHERE tenant = ?1 AND source = ?2 AND type = ?3 AND target = ?4";
        let mut statement = self.connection.prepare_cached(sql)?;
        statement.execute(params![self.tenant, source, kind.name(), target])?;
        Ok(())
    }

    /// Returns the relations among some memories, set or found.
    pub(crate) fn relations_among(&self, rows: &HashSet<i64>) -> Result<Vec<Relation>> {
        let mut found = Vec::new();
        for row in rows {
            for table in ["relations", "derived_relations"] {
                let relations = self.relations_in(table, *row, RelationEnd::Source)?;
                found.extend(relations.into_iter().filter(|it| rows.contains(&it.target)));
            }
            let before = self.preceded_by(*row)?.into_iter();
            found.extend(before.filter(|relation| rows.contains(&relation.target)));
        }
        Ok(found)
    }

    /// Returns how many relations there are of each type between memories that are not deleted.
    pub(crate) fn relation_counts(&self) -> Result<Vec<(String, u64)>> {
        let mut counts: Vec<(String, u64)> = Vec::new();
        for table in ["relations", "derived_relations"] {
            let sql = format!(
                "SELECT {table}.type, count(*) FROM {table}
                JOIN memories AS one ON one.row = source AND one.deleted IS NULL
                JOIN memories AS other ON other.row = target AND other.deleted IS NULL
                WHERE {table}.tenant = ?1 GROUP BY {table}.type"
            );
            let mut statement = self.connection.prepare_cached(&sql)?;
            let found = statement.query_map([self.tenant], |row| Ok((row.get(0)?, row.get(1)?)))?;
            counts.extend(found.collect::<rusqlite::Result<Vec<_>>>()?);
        }
        counts.extend(
            self.count_preceded()?.map(|n| (RelationType::PrecededBy.name().to_owned(), n)),
        );
        counts.sort_unstable();
        Ok(counts)
    }

    /// Counts the relations that the times of all memories make.
    fn count_preceded(&self) -> Result<Option<u64>> {
        let sql = "SELECT timestamp FROM memories WHERE tenant = ?1 AND deleted IS NULL ORDER BY timestamp";
        let mut statement = self.connection.prepare_cached(sql)?;
        let times = statement.query_map([self.tenant], |row| row.get(0))?;
        let times = times.collect::<rusqlite::Result<Vec<i64>>>()?;
        let count = count_in_sorted(&times);
        Ok((count > 0).then_some(count))
    }
}

/// Counts the relations that sorted times make. Many may be the same: those are passed over once and not for each of them.
fn count_in_sorted(times: &[i64]) -> u64 {
    let span = DAYS_BEFORE * 86_400 * 1_000_000;
    let (mut count, mut first_equal) = (0, 0);
    for (at, time) in times.iter().enumerate() {
        if times[first_equal] < *time {
            first_equal = at;
        }
        let before = times[..first_equal].iter().rev().take(MOST_BEFORE);
        count += before.take_while(|before| **before >= time - span).count() as u64;
    }
    count
}

/// Reads a relation; nothing where its type is not known.
pub(super) fn read_relation(row: &Row<'_>) -> rusqlite::Result<Option<Relation>> {
    let Some(kind) = RelationType::parse(row.get_ref(1)?.as_str()?) else { return Ok(None) };
    let properties = serde_json::from_str(row.get_ref(4)?.as_str()?).unwrap_or_default();
    Ok(Some(Relation {
        source: row.get(0)?,
        kind,
        target: row.get(2)?,
        strength: row.get(3)?,
        properties,
        updated: Timestamp::from_microseconds(row.get(5)?),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400 * 1_000_000;

    #[test]
    fn a_memory_is_preceded_by_five_at_most_that_are_older_and_of_the_same_week() {
        assert_eq!(count_in_sorted(&[]), 0);
        assert_eq!(count_in_sorted(&[0, 0, 0]), 0);
        assert_eq!(count_in_sorted(&[0, 0, 1, 1]), 4);
        assert_eq!(count_in_sorted(&[0, 1, 2, 3, 4, 5, 6]), 1 + 2 + 3 + 4 + 5 + 5);
        assert_eq!(count_in_sorted(&[0, DAY, 8 * DAY]), 2);
    }

    #[test]
    fn equal_times_are_counted_as_fast_as_others() {
        let times = [vec![0], vec![1; 200_000]].concat();
        let begun = std::time::Instant::now();
        assert_eq!(count_in_sorted(&times), 200_000);
        assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
    }
}
