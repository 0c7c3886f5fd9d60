//! The log of a tenant: a line for each change, chained by hash, without any text of a memory. Former values stand apart,
//! where they can be erased.

use rusqlite::params;
use serde_json::{Value, json};

use super::view::TenantView;
use crate::chain::{ChainLink, ChainVerdict, Later, verify};
use crate::contract::{ContentHash, Timestamp};
use crate::error::{Error, ErrorKind, Result};
use crate::service::request::{ChangeKind, MemoryId};

/// A change of a memory, to be logged.
#[derive(Debug)]
pub(crate) struct MemoryChange<'a> {
    pub(crate) kind: ChangeKind,
    pub(crate) id: MemoryId,
    pub(crate) row: i64,
    pub(crate) actor: &'a str,
    pub(crate) now: Timestamp,
    /// What was said before; none where there was nothing.
    pub(crate) before: Option<Value>,
    /// What is said now.
    pub(crate) after: Option<Value>,
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

impl TenantView<'_> {
    /// Writes a change to the log.
    pub(crate) fn log(&self, change: &MemoryChange<'_>) -> Result<()> {
        let end = self.end_of_log()?;
        let hash = |value: &Option<Value>| {
            value.as_ref().map(|value| ContentHash::of(value.to_string().as_bytes()))
        };
        let number = end.number + 1;
        let line = json!({
            "number": number, "prev": end.hash, "time": change.now, "action": change.kind,
            "actor": change.actor, "memory": change.id,
            "before": hash(&change.before), "after": hash(&change.after),
        })
        .to_string();
        let sql = "INSERT INTO log(tenant, number, id, line) VALUES (?1, ?2, ?3, ?4)";
        let values = params![self.tenant, number, change.id.to_string(), line];
        self.connection.prepare_cached(sql)?.execute(values)?;
        let sql = "UPDATE tenants SET log_number = ?2, log_hash = ?3 WHERE id = ?1";
        let hash = ContentHash::of(line.as_bytes()).to_string();
        self.connection.prepare_cached(sql)?.execute(params![self.tenant, number, hash])?;
        let Some(before) = &change.before else { return Ok(()) };
        let sql = "INSERT INTO former(tenant, number, row, value) VALUES (?1, ?2, ?3, ?4)";
        let values = params![self.tenant, number, change.row, before.to_string()];
        self.connection.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    fn end_of_log(&self) -> Result<ChainLink> {
        let sql = "SELECT log_number, log_hash FROM tenants WHERE id = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let (number, hash): (u64, String) =
            statement.query_row([self.tenant], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let hash = ContentHash::parse(&hash).ok_or_else(|| {
            let message = "the end of the log of a tenant is damaged";
            Error::new(ErrorKind::StoreDamaged, message).hint("restore the database from a backup")
        })?;
        Ok(ChainLink { number, hash })
    }

    /// Returns the changes of a memory, oldest first.
    pub(crate) fn history(&self, id: MemoryId) -> Result<Vec<LoggedChange>> {
        let sql = "SELECT line, value FROM log
            LEFT JOIN former ON former.tenant = log.tenant AND former.number = log.number
            WHERE log.tenant = ?1 AND id = ?2 ORDER BY log.number";
        let mut statement = self.connection.prepare_cached(sql)?;
        let lines = statement.query_map(params![self.tenant, id.to_string()], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?))
        })?;
        let lines = lines.collect::<rusqlite::Result<Vec<_>>>()?;
        Ok(lines.iter().filter_map(|(line, before)| read_line(line, before.as_deref())).collect())
    }

    /// Compares each line of the log with the next.
    pub(crate) fn verify_log(&self) -> Result<ChainVerdict> {
        let sql = "SELECT line FROM log WHERE tenant = ?1 ORDER BY number";
        let mut statement = self.connection.prepare_cached(sql)?;
        let lines = statement.query_map([self.tenant], |row| row.get::<_, String>(0))?;
        let mut log = String::new();
        for line in lines {
            log += &line?;
            log.push('\n');
        }
        Ok(verify(log.as_bytes(), Some(&self.end_of_log()?), Later::Foreign, &|_| true))
    }
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
