//! Tags of memories, as filters look them up.

use std::collections::HashSet;

use rusqlite::params;

use super::memories::MemoryOrder;
use super::view::TenantView;
use crate::error::Result;
use crate::service::request::{Memory, SaidMemory};
use crate::service::tags::{canonical, prefixes};

/// Which memories have the wanted tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TagFilter {
    /// As the caller wrote them.
    pub(crate) tags: Vec<String>,
    /// Whether all must be there, and not any of them.
    pub(crate) all: bool,
    /// Whether a whole tag must be equal, and not its beginning.
    pub(crate) exact: bool,
}

impl TenantView<'_> {
    pub(super) fn insert_tags(&self, row: i64, said: &SaidMemory) -> Result<()> {
        let sql = "INSERT INTO tags(tenant, tag, row, whole) VALUES (?1, ?2, ?3, ?4)";
        let mut insert = self.connection.prepare_cached(sql)?;
        let whole: HashSet<String> = said.tags.iter().map(|tag| canonical(tag)).collect();
        for tag in prefixes(said.tags.iter().map(String::as_str)) {
            let is_whole = whole.contains(&tag);
            insert.execute(params![self.tenant, tag, row, is_whole])?;
        }
        Ok(())
    }

    pub(super) fn delete_tags(&self, row: i64) -> Result<()> {
        let sql = "SELECT tags FROM memories WHERE row = ?1";
        let tags: String =
            self.connection.prepare_cached(sql)?.query_row([row], |row| row.get(0))?;
        let tags: Vec<String> = serde_json::from_str(&tags).unwrap_or_default();
        let sql = "DELETE FROM tags WHERE tenant = ?1 AND tag = ?2 AND row = ?3";
        let mut delete = self.connection.prepare_cached(sql)?;
        for tag in prefixes(tags.iter().map(String::as_str)) {
            delete.execute(params![self.tenant, tag, row])?;
        }
        Ok(())
    }

    /// Returns the numbers of the memories that a filter lets through, derived tags included.
    pub(crate) fn tagged_rows(&self, filter: &TagFilter) -> Result<HashSet<i64>> {
        let mut found: Option<HashSet<i64>> = None;
        for tag in filter.tags.iter().map(|tag| canonical(tag)) {
            let rows = self.rows_of_tag(&tag, filter.exact)?;
            found = Some(match found {
                None => rows,
                Some(known) if filter.all => known.intersection(&rows).copied().collect(),
                Some(known) => known.union(&rows).copied().collect(),
            });
        }
        Ok(found.unwrap_or_default())
    }

    fn rows_of_tag(&self, tag: &str, exact: bool) -> Result<HashSet<i64>> {
        let sql = "SELECT row FROM tags WHERE tenant = ?1 AND tag = ?2 AND whole >= ?3";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map(params![self.tenant, tag, exact], |row| row.get(0))?;
        let mut rows = rows.collect::<rusqlite::Result<HashSet<i64>>>()?;
        // A derived tag is `entity:`, a category and a name.
        if let Some(entity) =
            tag.strip_prefix("entity").filter(|rest| rest.is_empty() || rest.starts_with(':'))
        {
            rows.extend(self.rows_of_entity(entity.trim_start_matches(':'))?);
        }
        Ok(rows)
    }

    /// Returns a page of the memories that have any of some whole tags, and whether there are more.
    pub(crate) fn by_tag(
        &self,
        tags: &[String],
        limit: usize,
        offset: usize,
    ) -> Result<(Vec<Memory>, bool)> {
        let sql = format!(
            "SELECT DISTINCT memories.row, memories.importance, memories.timestamp, memories.id
            FROM tags JOIN memories ON memories.row = tags.row
            WHERE tags.tenant = ?1 AND whole AND tag IN (SELECT value FROM json_each(?2))
            ORDER BY {} LIMIT ?3 OFFSET ?4",
            MemoryOrder::Importance.sql()
        );
        let tags: Vec<String> = tags.iter().map(|tag| canonical(tag)).collect();
        let tags = serde_json::json!(tags).to_string();
        let page = params![self.tenant, tags, limit + 1, offset];
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map(page, |row| row.get(0))?;
        let mut rows = rows.collect::<rusqlite::Result<Vec<i64>>>()?;
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        Ok((self.memories(&rows)?, has_more))
    }

    /// Returns each whole tag with how many memories have it, the most used first.
    pub(crate) fn tag_counts(&self, limit: usize) -> Result<Vec<(String, u64)>> {
        let sql = "SELECT tag, count(*) AS used FROM tags WHERE tenant = ?1 AND whole
            GROUP BY tag ORDER BY used DESC, tag LIMIT ?2";
        let mut statement = self.connection.prepare_cached(sql)?;
        let counts = statement
            .query_map(params![self.tenant, limit], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(counts.collect::<rusqlite::Result<_>>()?)
    }
}
