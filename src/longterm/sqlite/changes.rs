//! What each change has: a raised generation, and a line in the log, which is told as an event. Neither has any text of a
//! memory.

use rusqlite::{OptionalExtension, params};
use serde_json::{Value, json};

use super::tenants::LongtermTenant;
use super::view::LongtermView;
use crate::chain::ChainVerdict;
use crate::contract::{ContentHash, Timestamp};
use crate::database::{ChainedLog, json_column};
use crate::error::Result;
use crate::longterm::request::RaisedGeneration;

/// A change, as the log and the event tell it.
#[derive(Debug)]
pub(crate) struct ChangeNote<'a> {
    /// `memory_updated` and the like.
    pub(crate) event: &'a str,
    /// The number of the memory, or what else it is about.
    pub(crate) id: String,
    /// Who did it: `model`, `owner`, the name of an operator.
    pub(crate) actor: &'a str,
    pub(crate) now: Timestamp,
    /// The keys of the generations that it raises.
    pub(crate) keys: Vec<String>,
    pub(crate) before: Option<&'a str>,
    pub(crate) after: Option<&'a str>,
}

/// What is told of a change that was written.
#[derive(Debug, Clone)]
pub(crate) struct NotedChange {
    /// The generations that were raised.
    pub(crate) raised: Vec<RaisedGeneration>,
    /// The event.
    pub(crate) event: Value,
}

impl LongtermView<'_> {
    /// Raises the generations of a change, and writes its line.
    pub(crate) fn note(&self, change: &ChangeNote<'_>) -> Result<NotedChange> {
        let hash = |text: Option<&str>| text.map(|text| ContentHash::of(text.as_bytes()));
        let line = json!({
            "time": change.now, "action": change.event, "actor": change.actor, "about": change.id,
            "keys": change.keys, "before": hash(change.before), "after": hash(change.after),
        });
        let number = self.chain().append(&change.id, line.clone())?;
        let raised = change.keys.iter().map(|key| self.raise(key)).collect::<Result<_>>()?;
        Ok(NotedChange { raised, event: event_of(number, &line) })
    }

    fn raise(&self, key: &str) -> Result<RaisedGeneration> {
        let sql = "INSERT INTO generations(tenant, key, generation) VALUES (?1, ?2, 1)
            ON CONFLICT DO UPDATE SET generation = generation + 1 RETURNING generation";
        let mut statement = self.connection.prepare_cached(sql)?;
        let generation = statement.query_row(params![self.tenant, key], |row| row.get(0))?;
        Ok(RaisedGeneration { key: key.to_owned(), generation })
    }

    /// Returns the generation of a key; 0 where nothing of it was ever changed.
    pub(crate) fn generation(&self, key: &str) -> Result<u64> {
        let sql = "SELECT generation FROM generations WHERE tenant = ?1 AND key = ?2";
        let mut statement = self.connection.prepare_cached(sql)?;
        let found = statement.query_row(params![self.tenant, key], |row| row.get(0)).optional()?;
        Ok(found.unwrap_or(0))
    }

    /// Returns all generations, by key.
    pub(crate) fn generations(&self) -> Result<Vec<(String, u64)>> {
        let sql = "SELECT key, generation FROM generations WHERE tenant = ?1 ORDER BY key";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([self.tenant], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns the numbers and events of the lines after a number, oldest first, at most so many.
    pub(crate) fn events_after(&self, number: u64, most: usize) -> Result<Vec<(u64, Value)>> {
        let sql = "SELECT number, line FROM log WHERE tenant = ?1 AND number > ?2 ORDER BY number LIMIT ?3";
        let mut statement = self.connection.prepare_cached(sql)?;
        // A number that no line can have has nothing after it.
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        let rows = statement.query_map(params![self.tenant, number, most], |row| {
            let number = row.get(0)?;
            Ok((number, event_of(number, &json_column(row, 1)?)))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns the lines of the log, oldest first.
    pub(crate) fn log_lines(&self) -> Result<Vec<Value>> {
        let sql = "SELECT line FROM log WHERE tenant = ?1 ORDER BY number";
        let mut statement = self.connection.prepare_cached(sql)?;
        let lines = statement.query_map([self.tenant], |row| json_column(row, 0))?;
        Ok(lines.collect::<rusqlite::Result<_>>()?)
    }

    /// Compares each line of the log with the next.
    pub(crate) fn verify_log(&self) -> Result<ChainVerdict> {
        self.chain().verify()
    }

    fn chain(&self) -> ChainedLog<'_, LongtermTenant> {
        ChainedLog { connection: self.connection, tenant: self.tenant }
    }
}

/// Returns what a line of the log tells those who watch.
fn event_of(number: u64, line: &Value) -> Value {
    let hash = if line["after"].is_null() { &line["before"] } else { &line["after"] };
    json!({
        "seq": number, "time": line["time"], "event": line["action"], "keys": line["keys"],
        "about": line["about"], "hash": hash,
    })
}
