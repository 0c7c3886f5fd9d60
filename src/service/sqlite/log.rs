//! The log of a tenant: a line for each change, chained by hash, without any text of a memory. Former values stand apart,
//! where they can be erased.

use rusqlite::{Row, params};
use serde_json::{Value, json};

use super::tenants::Tenant;
use super::view::{MemoryEvent, TenantView};
use crate::chain::ChainVerdict;
use crate::contract::{ContentHash, Timestamp};
use crate::database::ChainedLog;
use crate::error::Result;
use crate::service::request::{ChangeKind, Entity, MemoryId, RelationType};

/// A change of a memory, to be logged.
#[derive(Debug)]
pub(crate) struct MemoryChange<'a> {
    pub(crate) kind: ChangeKind,
    pub(crate) id: MemoryId,
    pub(crate) row: i64,
    /// The other memory of a relation that the change is about.
    pub(crate) other: Option<i64>,
    pub(crate) actor: &'a str,
    pub(crate) now: Timestamp,
    /// What was said before; none where there was nothing.
    pub(crate) before: Option<Value>,
    /// What is said now.
    pub(crate) after: Option<Value>,
}

/// A merge of two entities, to be logged.
#[derive(Debug)]
pub(crate) struct EntityMerge<'a> {
    pub(crate) alias: &'a Entity,
    pub(crate) canonical: &'a Entity,
    pub(crate) actor: &'a str,
    pub(crate) now: Timestamp,
}

/// A change as the log has it, with the former value as far as it is not erased.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LoggedChange {
    pub(crate) number: u64,
    pub(crate) time: String,
    pub(crate) kind: ChangeKind,
    pub(crate) actor: String,
    pub(crate) before: Option<Value>,
}

/// The changes of a memory, with former values.
const CHANGES: &str = "SELECT line, value FROM log
    LEFT JOIN former ON former.tenant = log.tenant AND former.number = log.number
    WHERE log.tenant = ?1 AND id = ?2";

impl TenantView<'_> {
    /// Writes a change to the log.
    pub(crate) fn log(&self, change: &MemoryChange<'_>) -> Result<()> {
        let hash = |value: &Option<Value>| {
            value.as_ref().map(|value| ContentHash::of(value.to_string().as_bytes()))
        };
        let line = json!({
            "time": change.now, "action": change.kind, "actor": change.actor, "memory": change.id,
            "before": hash(&change.before), "after": hash(&change.after),
        });
        let number = self.chained_log().append(&change.id.to_string(), line)?;
        if let Some(kind) = change.kind.event() {
            let relation = change.after.as_ref().and_then(|after| after["relation"].as_str());
            let relation = relation.and_then(RelationType::parse);
            self.note(MemoryEvent { kind, id: change.id, relation });
        }
        let Some(before) = &change.before else { return Ok(()) };
        let sql =
            "INSERT INTO former(tenant, number, row, other, value) VALUES (?1, ?2, ?3, ?4, ?5)";
        let values = params![self.tenant, number, change.row, change.other, before.to_string()];
        self.connection.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    /// Writes a merge to the log. A name comes from a text, which may be erased: so the line has its hash alone.
    pub(crate) fn log_merge(&self, merge: &EntityMerge<'_>) -> Result<()> {
        let hash = |entity: &Entity| ContentHash::of(entity.tag().as_bytes());
        let (alias, canonical) = (hash(merge.alias), hash(merge.canonical));
        let line = json!({
            "time": merge.now, "action": ChangeKind::Merged, "actor": merge.actor, "entity": alias,
            "before": alias, "after": canonical,
        });
        self.chained_log().append(&alias.to_string(), line).map(drop)
    }

    fn chained_log(&self) -> ChainedLog<'_, Tenant> {
        ChainedLog { connection: self.connection, tenant: self.tenant }
    }

    /// Returns a page of the changes of a memory, oldest first.
    pub(crate) fn history(
        &self,
        id: MemoryId,
        limit: usize,
        offset: usize,
    ) -> Result<Vec<LoggedChange>> {
        let sql = format!("{CHANGES} ORDER BY log.number LIMIT ?3 OFFSET ?4");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let page = params![self.tenant, id.to_string(), limit, offset];
        let changes = statement.query_map(page, read_change)?;
        let changes = changes.collect::<rusqlite::Result<Vec<_>>>()?;
        Ok(changes.into_iter().flatten().collect())
    }

    /// Returns how many changes of a memory there are.
    pub(crate) fn count_changes(&self, id: MemoryId) -> Result<usize> {
        let sql = "SELECT count(*) FROM log WHERE tenant = ?1 AND id = ?2";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row(params![self.tenant, id.to_string()], |row| row.get(0))?)
    }

    /// Returns the last change of a memory of some kind.
    pub(crate) fn last_change(
        &self,
        id: MemoryId,
        is_wanted: impl Fn(&LoggedChange) -> bool,
    ) -> Result<Option<LoggedChange>> {
        self.find_change("log.number > ?3 ORDER BY log.number DESC", (id, 0), is_wanted)
    }

    /// Returns the first change of a memory behind a number, of some kind.
    pub(crate) fn next_change(
        &self,
        behind: (MemoryId, u64),
        is_wanted: impl Fn(&LoggedChange) -> bool,
    ) -> Result<Option<LoggedChange>> {
        self.find_change("log.number > ?3 ORDER BY log.number", behind, is_wanted)
    }

    fn find_change(
        &self,
        condition: &str,
        (id, number): (MemoryId, u64),
        is_wanted: impl Fn(&LoggedChange) -> bool,
    ) -> Result<Option<LoggedChange>> {
        let mut statement =
            self.connection.prepare_cached(&format!("{CHANGES} AND {condition}"))?;
        let changes =
            statement.query_map(params![self.tenant, id.to_string(), number], read_change)?;
        for change in changes {
            if let Some(change) = change?.filter(&is_wanted) {
                return Ok(Some(change));
            }
        }
        Ok(None)
    }

    /// Compares each line of the log with the next.
    pub(crate) fn verify_log(&self) -> Result<ChainVerdict> {
        self.chained_log().verify()
    }
}

/// Reads a change; nothing where the line is none of ours.
fn read_change(row: &Row<'_>) -> rusqlite::Result<Option<LoggedChange>> {
    let (line, before): (String, Option<String>) = (row.get(0)?, row.get(1)?);
    Ok(read_line(&line, before.as_deref()))
}

fn read_line(line: &str, before: Option<&str>) -> Option<LoggedChange> {
    let line: Value = serde_json::from_str(line).ok()?;
    Some(LoggedChange {
        number: line["number"].as_u64()?,
        time: line["time"].as_str()?.to_owned(),
        kind: ChangeKind::parse(line["action"].as_str()?)?,
        actor: line["actor"].as_str()?.to_owned(),
        before: before.and_then(|before| serde_json::from_str(before).ok()),
    })
}
