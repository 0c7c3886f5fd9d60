//! Memories as rows: what was said, with what was derived beside it.

use std::collections::HashSet;

use rusqlite::types::Value as SqlValue;
use rusqlite::{OptionalExtension, Row, ToSql, params, params_from_iter};
use serde_json::Value;

use super::view::TenantView;
use crate::contract::{ContentHash, Timestamp};
use crate::error::Result;
use crate::service::request::{DerivedMemory, Memory, MemoryId, SaidMemory};
use crate::service::tags::canonical;

/// The order of a list of memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MemoryOrder {
    /// The most important first, of equals the newest.
    Importance,
    /// The newest first.
    Newest,
    /// The oldest first.
    Oldest,
    /// The last changed first.
    LastUpdated,
    /// The longest unchanged first.
    FirstUpdated,
}

impl MemoryOrder {
    pub(super) fn sql(self) -> &'static str {
        match self {
            Self::Importance => "memories.importance DESC, memories.timestamp DESC, memories.id",
            Self::Newest => "memories.timestamp DESC, memories.row DESC",
            Self::Oldest => "memories.timestamp, memories.row",
            Self::LastUpdated => "memories.updated DESC, memories.row DESC",
            Self::FirstUpdated => "memories.updated, memories.row",
        }
    }
}

/// The columns that `read_memory` reads, and where they come from.
const COLUMNS: &str =
    "memories.row, memories.id, content, type, confidence, importance, tags, metadata, timestamp,
    updated, valid, invalid, max(accessed, coalesce(accesses.at, accessed)), summary, derived.at,
    (SELECT count(*) FROM relations JOIN memories AS other ON other.row = target AND other.deleted IS NULL
        WHERE source = memories.row) +
      (SELECT count(*) FROM relations JOIN memories AS other ON other.row = source AND other.deleted IS NULL
        WHERE target = memories.row)
  FROM memories LEFT JOIN accesses ON accesses.row = memories.row
    LEFT JOIN derived ON derived.row = memories.row";

impl TenantView<'_> {
    /// Finds a memory that is not deleted.
    pub(crate) fn memory(&self, id: MemoryId) -> Result<Option<Memory>> {
        let Some(row) = self.live_row(id)? else { return Ok(None) };
        Ok(self.memories(&[row])?.pop())
    }

    /// Finds the number of a memory that is not deleted.
    pub(crate) fn live_row(&self, id: MemoryId) -> Result<Option<i64>> {
        let sql = "SELECT row FROM memories WHERE tenant = ?1 AND id = ?2 AND deleted IS NULL";
        let mut statement = self.connection.prepare_cached(sql)?;
        let found = statement.query_row(params![self.tenant, id.to_string()], |row| row.get(0));
        Ok(found.optional()?)
    }

    /// Finds a deleted memory, and when it was deleted.
    pub(crate) fn deleted(&self, id: MemoryId) -> Result<Option<(Memory, Timestamp)>> {
        let sql = "SELECT row, deleted FROM memories WHERE tenant = ?1 AND id = ?2 AND deleted IS NOT NULL";
        let mut statement = self.connection.prepare_cached(sql)?;
        let found = statement.query_row(params![self.tenant, id.to_string()], |row| {
            Ok((row.get::<_, i64>(0)?, Timestamp::from_microseconds(row.get(1)?)))
        });
        let Some((row, at)) = found.optional()? else { return Ok(None) };
        Ok(self.memories(&[row])?.pop().map(|memory| (memory, at)))
    }

    /// Returns a page of the deleted memories, the last deleted first, and how many there are.
    pub(crate) fn trash(
        &self,
        limit: usize,
        offset: usize,
    ) -> Result<(Vec<(Memory, Timestamp)>, usize)> {
        let sql = "SELECT row, deleted FROM memories WHERE tenant = ?1 AND deleted IS NOT NULL
            ORDER BY deleted DESC, row DESC LIMIT ?2 OFFSET ?3";
        let mut statement = self.connection.prepare_cached(sql)?;
        let page = params![self.tenant, limit, offset];
        let rows = statement.query_map(page, |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)))?;
        let rows = rows.collect::<rusqlite::Result<Vec<(i64, i64)>>>()?;
        let numbers: Vec<i64> = rows.iter().map(|(row, _)| *row).collect();
        let times = rows.iter().map(|(_, at)| Timestamp::from_microseconds(*at));
        let sql = "SELECT count(*) FROM memories WHERE tenant = ?1 AND deleted IS NOT NULL";
        let count =
            self.connection.prepare_cached(sql)?.query_row([self.tenant], |row| row.get(0))?;
        Ok((self.memories(&numbers)?.into_iter().zip(times).collect(), count))
    }

    /// Reads memories by their numbers, in the order of these; those that are gone are left out.
    pub(crate) fn memories(&self, rows: &[i64]) -> Result<Vec<Memory>> {
        let sql = format!("SELECT {COLUMNS} WHERE memories.row = ?1 AND memories.tenant = ?2");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut found = Vec::with_capacity(rows.len());
        for row in rows {
            let memory = statement.query_row(params![row, self.tenant], read_memory).optional()?;
            let Some(mut memory) = memory else { continue };
            if let Some(derived) = &mut memory.derived {
                derived.entities = self.entities_of(*row)?;
            }
            found.push(memory);
        }
        Ok(found)
    }

    /// Returns the numbers of memories in an order, as far as a condition on `memories` holds.
    pub(super) fn rows_where(
        &self,
        condition: &str,
        values: Vec<SqlValue>,
        order: MemoryOrder,
        limit: usize,
    ) -> Result<Vec<i64>> {
        let sql = format!(
            "SELECT memories.row FROM memories WHERE memories.tenant = ? AND deleted IS NULL {condition}
            ORDER BY {} LIMIT {limit}",
            order.sql()
        );
        let tenant = SqlValue::Integer(self.tenant.number());
        let values = std::iter::once(tenant).chain(values);
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map(params_from_iter(values), |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns the numbers of all memories, the oldest first.
    pub(crate) fn all_rows(&self) -> Result<Vec<i64>> {
        self.rows_where("", Vec::new(), MemoryOrder::Oldest, i64::MAX as usize)
    }

    /// Returns the numbers of the first `limit` memories in an order; of all, or of some.
    pub(crate) fn first_rows_among(
        &self,
        among: Option<&HashSet<i64>>,
        order: MemoryOrder,
        limit: usize,
    ) -> Result<Vec<i64>> {
        let Some(among) = among else { return self.rows_where("", Vec::new(), order, limit) };
        let list: Vec<String> = among.iter().map(i64::to_string).collect();
        let condition = "AND memories.row IN (SELECT value FROM json_each(?))";
        self.rows_where(condition, vec![format!("[{}]", list.join(",")).into()], order, limit)
    }

    /// Returns the numbers of the memories that were made in a stretch of time; both ends belong to it.
    pub(crate) fn rows_between(
        &self,
        start: Option<Timestamp>,
        end: Option<Timestamp>,
    ) -> Result<HashSet<i64>> {
        let sql = "SELECT row FROM memories WHERE tenant = ?1 AND deleted IS NULL AND timestamp BETWEEN ?2 AND ?3";
        let mut statement = self.connection.prepare_cached(sql)?;
        let first = start.map_or(i64::MIN, Timestamp::microseconds);
        let last = end.map_or(i64::MAX, Timestamp::microseconds);
        let rows = statement.query_map(params![self.tenant, first, last], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns how many memories there are. The number is kept: to count them takes longer than to find one.
    pub(crate) fn count(&self) -> Result<usize> {
        let sql = "SELECT memories FROM tenants WHERE id = ?1";
        Ok(self.connection.prepare_cached(sql)?.query_row([self.tenant], |row| row.get(0))?)
    }

    fn add_to_count(&self, change: i64) -> Result<()> {
        let sql = "UPDATE tenants SET memories = memories + ?2 WHERE id = ?1";
        self.connection.prepare_cached(sql)?.execute(params![self.tenant, change])?;
        Ok(())
    }

    /// Tells whether a memory has this id, a deleted one included; with its content.
    pub(crate) fn content_of(&self, id: MemoryId) -> Result<Option<String>> {
        let sql = "SELECT content FROM memories WHERE tenant = ?1 AND id = ?2";
        let mut statement = self.connection.prepare_cached(sql)?;
        let found = statement.query_row(params![self.tenant, id.to_string()], |row| row.get(0));
        Ok(found.optional()?)
    }

    /// Adds a memory, with its tags and words; returns its number.
    pub(crate) fn insert(&self, said: &SaidMemory, accessed: Timestamp) -> Result<i64> {
        let sql = "INSERT INTO memories(tenant, id, content, type, confidence, importance, tags, metadata, timestamp,
              updated, valid, invalid, conversation, accessed)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";
        self.put(sql, said, accessed.microseconds())?;
        let row = self.connection.last_insert_rowid();
        self.add_to_count(1)?;
        self.index(row, said)?;
        Ok(row)
    }

    /// Replaces what was said in a memory that is not deleted.
    pub(crate) fn replace(&self, row: i64, said: &SaidMemory) -> Result<()> {
        self.unindex(row)?;
        let sql = "UPDATE memories SET content = ?3, type = ?4, confidence = ?5, importance = ?6, tags = ?7,
              metadata = ?8, timestamp = ?9, updated = ?10, valid = ?11, invalid = ?12, conversation = ?13
            WHERE tenant = ?1 AND id = ?2 AND row = ?14";
        self.put(sql, said, row)?;
        self.index(row, said)
    }

    fn put(&self, sql: &str, said: &SaidMemory, last: i64) -> Result<()> {
        let micros = |time: Option<Timestamp>| time.map(Timestamp::microseconds);
        let values: [&dyn ToSql; 14] = [
            &self.tenant,
            &said.id.to_string(),
            &said.content,
            &said.kind,
            &said.confidence,
            &said.importance,
            &serde_json::json!(said.tags).to_string(),
            &Value::Object(said.metadata.clone()).to_string(),
            &said.timestamp.microseconds(),
            &said.updated_at.microseconds(),
            &micros(said.t_valid),
            &micros(said.t_invalid),
            &conversation(said),
            &last,
        ];
        self.connection.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    /// Marks a memory as deleted: from now on only the trash has it.
    pub(crate) fn delete(&self, row: i64, now: Timestamp) -> Result<()> {
        self.unindex(row)?;
        self.add_to_count(-1)?;
        let sql = "UPDATE memories SET deleted = ?2 WHERE row = ?1";
        self.connection.prepare_cached(sql)?.execute(params![row, now.microseconds()])?;
        Ok(())
    }

    /// Takes a memory out of the trash.
    pub(crate) fn undelete(&self, row: i64, said: &SaidMemory) -> Result<()> {
        self.connection.execute("UPDATE memories SET deleted = NULL WHERE row = ?1", [row])?;
        self.add_to_count(1)?;
        self.index(row, said)
    }

    /// Removes a memory and all that hangs on it, for good. It must be deleted.
    pub(crate) fn remove(&self, row: i64) -> Result<()> {
        for table in ["vectors", "accesses", "former", "derived", "entities", "jobs", "memories"] {
            let sql = format!("DELETE FROM {table} WHERE row = ?1");
            self.connection.prepare_cached(&sql)?.execute([row])?;
        }
        // What was said about a relation to it is in the former values of the other memory.
        self.connection.prepare_cached("DELETE FROM former WHERE other = ?1")?.execute([row])?;
        for table in ["relations", "derived_relations"] {
            let sql = format!("DELETE FROM {table} WHERE source = ?1 OR target = ?1");
            self.connection.prepare_cached(&sql)?.execute([row])?;
        }
        Ok(())
    }

    /// Finds a memory by its id, also in the trash.
    pub(crate) fn row_of(&self, id: MemoryId) -> Result<Option<i64>> {
        let sql = "SELECT row FROM memories WHERE tenant = ?1 AND id = ?2";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement
            .query_row(params![self.tenant, id.to_string()], |row| row.get(0))
            .optional()?)
    }

    /// Returns the numbers of the memories that were deleted before a time.
    pub(crate) fn deleted_before(&self, time: Timestamp) -> Result<Vec<i64>> {
        let sql = "SELECT row FROM memories WHERE tenant = ?1 AND deleted < ?2";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows =
            statement.query_map(params![self.tenant, time.microseconds()], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Makes a memory findable by its words and tags.
    fn index(&self, row: i64, said: &SaidMemory) -> Result<()> {
        self.insert_words(row, said)?;
        self.insert_tags(row, said)
    }

    fn unindex(&self, row: i64) -> Result<()> {
        self.delete_words(row)?;
        self.delete_tags(row)
    }
}

/// Returns what the memories of one conversation have in common: their session, or the tags of what speakers said. Tags alone
/// make no conversation, as the facts about one project share them too, and what stands beside a fact says nothing of it.
fn conversation(said: &SaidMemory) -> Option<i64> {
    let session = ["session_id", "session", "conversation_id"];
    let session = session.iter().find_map(|key| said.metadata.get(*key)?.as_str());
    let key = match session {
        Some(session) => format!("session {session}"),
        None if !is_spoken(&said.content) || said.tags.is_empty() => return None,
        None => {
            let mut tags: Vec<String> = said.tags.iter().map(|tag| canonical(tag)).collect();
            tags.sort_unstable();
            format!("tags {}", tags.join("\n"))
        }
    };
    ContentHash::digest(key.as_bytes()).first_chunk().copied().map(i64::from_be_bytes)
}

/// Tells whether a text begins with who says it: `Ada: …`.
fn is_spoken(content: &str) -> bool {
    const LONGEST: usize = 40;
    let speaker = content.split_once(": ").map(|(speaker, _)| speaker);
    speaker.is_some_and(|speaker| {
        let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '.' | '@');
        (1..=LONGEST).contains(&speaker.len()) && speaker.chars().all(is_of_name)
    })
}

fn read_memory(row: &Row<'_>) -> rusqlite::Result<Memory> {
    let time = |column: usize| row.get(column).map(Timestamp::from_microseconds);
    let optional = |column: usize| {
        let read: rusqlite::Result<Option<i64>> = row.get(column);
        read.map(|time| time.map(Timestamp::from_microseconds))
    };
    let parsed = |column: usize| -> rusqlite::Result<Value> {
        // Only what `put` wrote is read.
        Ok(serde_json::from_str(row.get_ref(column)?.as_str()?).unwrap_or_default())
    };
    let id: String = row.get(1)?;
    let tags = parsed(6)?.as_array().cloned().unwrap_or_default();
    let said = SaidMemory {
        id: MemoryId::parse(&id).ok_or(rusqlite::Error::InvalidQuery)?,
        content: row.get(2)?,
        kind: row.get(3)?,
        confidence: row.get(4)?,
        importance: row.get(5)?,
        tags: tags.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        metadata: parsed(7)?.as_object().cloned().unwrap_or_default(),
        timestamp: time(8)?,
        updated_at: time(9)?,
        t_valid: optional(10)?,
        t_invalid: optional(11)?,
    };
    let summary: Option<String> = row.get(13)?;
    let made = |(summary, at)| DerivedMemory { summary, entities: Vec::new(), at };
    let derived = summary.zip(optional(14)?).map(made);
    Ok(Memory { row: row.get(0)?, said, last_accessed: time(12)?, derived, edges: row.get(15)? })
}
