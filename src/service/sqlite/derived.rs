//! What was derived from memories: summaries, and the entities that they name.

use std::collections::HashSet;

use rusqlite::{Row, params};

use super::view::TenantView;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::Entity;

/// An entity, with how often memories name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CountedEntity {
    pub(crate) entity: Entity,
    pub(crate) memories: u64,
    pub(crate) first: Timestamp,
    pub(crate) last: Timestamp,
}

impl TenantView<'_> {
    /// Keeps what was derived from a memory, in place of what was before.
    pub(crate) fn keep_derived(
        &self,
        row: i64,
        summary: &str,
        entities: &[Entity],
        now: Timestamp,
    ) -> Result<()> {
        let sql =
            "INSERT OR REPLACE INTO derived(row, tenant, summary, at) VALUES (?1, ?2, ?3, ?4)";
        let values = params![row, self.tenant, summary, now.microseconds()];
        self.connection.prepare_cached(sql)?.execute(values)?;
        self.connection.prepare_cached("DELETE FROM entities WHERE row = ?1")?.execute([row])?;
        let sql = "INSERT OR IGNORE INTO entities(tenant, category, slug, row, name)
            SELECT ?1, ?2, coalesce((SELECT slug FROM entity_merges
              WHERE tenant = ?1 AND category = ?2 AND alias = ?3), ?3), ?4, ?5";
        let mut insert = self.connection.prepare_cached(sql)?;
        for entity in entities {
            insert.execute(params![self.tenant, entity.category, entity.slug, row, entity.name])?;
        }
        Ok(())
    }

    pub(super) fn entities_of(&self, row: i64) -> Result<Vec<Entity>> {
        let sql =
            "SELECT category, name, slug FROM entities WHERE row = ?1 ORDER BY category, slug";
        let mut statement = self.connection.prepare_cached(sql)?;
        let entities = statement.query_map([row], |row| {
            Ok(Entity { category: row.get(0)?, name: row.get(1)?, slug: row.get(2)? })
        })?;
        Ok(entities.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns the memories that name an entity, `category`, `category:slug`; of an empty one all that name any.
    pub(super) fn rows_of_entity(&self, entity: &str) -> Result<HashSet<i64>> {
        let (category, slug) = entity.split_once(':').unwrap_or((entity, ""));
        let sql = "SELECT entities.row FROM entities
            JOIN memories ON memories.row = entities.row AND deleted IS NULL
            WHERE entities.tenant = ?1 AND (?2 = '' OR category = ?2) AND (?3 = '' OR slug = ?3)";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map(params![self.tenant, category, slug], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns the entities that memories name, the most often named first.
    pub(crate) fn counted_entities(
        &self,
        category: Option<&str>,
        limit: usize,
    ) -> Result<Vec<CountedEntity>> {
        let sql = "SELECT category, slug, name, count(*) AS used, min(timestamp), max(timestamp) FROM entities
            JOIN memories ON memories.row = entities.row AND deleted IS NULL
            WHERE entities.tenant = ?1 AND (?2 IS NULL OR category = ?2)
            GROUP BY category, slug ORDER BY used DESC, category, slug LIMIT ?3";
        let mut statement = self.connection.prepare_cached(sql)?;
        let values = params![self.tenant, category, limit];
        let entities = statement.query_map(values, read_counted)?;
        Ok(entities.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns the entities that a slug stands for, at most one of each category; those last that were merged with it.
    pub(crate) fn entities_named(&self, slug: &str) -> Result<Vec<CountedEntity>> {
        let sql = "SELECT category, slug, name, count(*) AS used, min(timestamp), max(timestamp) FROM entities
            JOIN memories ON memories.row = entities.row AND deleted IS NULL
            WHERE entities.tenant = ?1 AND (slug = ?2 OR EXISTS (SELECT 1 FROM entity_merges AS merged
              WHERE merged.tenant = ?1 AND merged.category = entities.category
                AND merged.slug = entities.slug AND merged.alias = ?2))
            GROUP BY category, slug ORDER BY slug = ?2 DESC, used DESC, category";
        let mut statement = self.connection.prepare_cached(sql)?;
        let entities = statement.query_map(params![self.tenant, slug], read_counted)?;
        Ok(entities.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns how many slugs were merged with another.
    pub(crate) fn count_aliases(&self) -> Result<usize> {
        let sql = "SELECT count(*) FROM entity_merges WHERE tenant = ?1 AND alias <> slug";
        Ok(self.connection.prepare_cached(sql)?.query_row([self.tenant], |row| row.get(0))?)
    }

    /// Returns the other slugs under which an entity was found, after they were merged with it.
    pub(crate) fn aliases_of(&self, entity: &Entity) -> Result<Vec<String>> {
        let sql = "SELECT alias FROM entity_merges WHERE tenant = ?1 AND category = ?2 AND slug = ?3 AND alias <> slug
            ORDER BY alias";
        let mut statement = self.connection.prepare_cached(sql)?;
        let values = params![self.tenant, entity.category, entity.slug];
        let aliases = statement.query_map(values, |row| row.get(0))?;
        Ok(aliases.collect::<rusqlite::Result<_>>()?)
    }

    /// Makes one entity of two, now and for what is found later; returns how many memories that concerns.
    pub(crate) fn merge_entities(&self, alias: &Entity, canonical: &Entity) -> Result<usize> {
        let sql = "INSERT OR REPLACE INTO entity_merges(tenant, category, alias, slug) VALUES (?1, ?2, ?3, ?4)";
        let values = params![self.tenant, alias.category, alias.slug, canonical.slug];
        self.connection.execute(sql, values)?;
        let sql =
            "UPDATE entity_merges SET slug = ?4 WHERE tenant = ?1 AND category = ?2 AND slug = ?3";
        self.connection.execute(sql, values)?;
        let sql = "INSERT OR IGNORE INTO entities(tenant, category, slug, row, name)
            SELECT tenant, category, ?4, row, ?5 FROM entities WHERE tenant = ?1 AND category = ?2 AND slug = ?3";
        self.connection.execute(
            sql,
            params![self.tenant, alias.category, alias.slug, canonical.slug, canonical.name],
        )?;
        let sql = "DELETE FROM entities WHERE tenant = ?1 AND category = ?2 AND slug = ?3";
        let moved = params![self.tenant, alias.category, alias.slug];
        Ok(self.connection.execute(sql, moved)?)
    }
}

fn read_counted(row: &Row<'_>) -> rusqlite::Result<CountedEntity> {
    Ok(CountedEntity {
        entity: Entity { category: row.get(0)?, slug: row.get(1)?, name: row.get(2)? },
        memories: row.get(3)?,
        first: Timestamp::from_microseconds(row.get(4)?),
        last: Timestamp::from_microseconds(row.get(5)?),
    })
}
