//! What each change has: a raised generation, an event, and a line in the log. None of them has any text of a memory.

use rusqlite::{OptionalExtension, params};
use serde_json::{Value, json};

use super::tenants::LongtermTenant;
use super::view::LongtermView;
use crate::chain::ChainVerdict;
use crate::contract::{ContentHash, Timestamp};
use crate::database::ChainedLog;
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
#[derive(Debug)]
pub(crate) struct NotedChange {
    /// The generations that were raised.
    pub(crate) raised: Vec<RaisedGeneration>,
    /// The event as it is stored.
    pub(crate) event: Value,
}

/// An event as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StoredEvent {
    pub(crate) number: u64,
    pub(crate) event: Value,
}

impl LongtermView<'_> {
    /// Raises the generations of a change, and writes its event and its line.
    pub(crate) fn note(&self, change: &ChangeNote<'_>) -> Result<NotedChange> {
        let hash = |text: Option<&str>| text.map(|text| ContentHash::of(text.as_bytes()));
        let (before, after) = (hash(change.before), hash(change.after));
        let line = json!({
            "time": change.now, "action": change.event, "actor": change.actor, "about": change.id,
            "before": before, "after": after,
        });
        let line = line.as_object().cloned().unwrap_or_default();
        self.chain().append(&change.id, line)?;
        let sql =
            "UPDATE tenants SET last_event = last_event + 1 WHERE id = ?1 RETURNING last_event";
        let number: u64 =
            self.connection.prepare_cached(sql)?.query_row([self.tenant], |row| row.get(0))?;
        let event = json!({
            "seq": number, "time": change.now, "event": change.event, "keys": change.keys,
            "about": change.id, "hash": after.or(before),
        });
        let sql = "INSERT INTO events(tenant, number, event) VALUES (?1, ?2, ?3)";
        let values = params![self.tenant, number, event.to_string()];
        self.connection.prepare_cached(sql)?.execute(values)?;
        let raised = change.keys.iter().map(|key| self.raise(key)).collect::<Result<_>>()?;
        Ok(NotedChange { raised, event })
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

    /// Returns the events behind a number, oldest first, at most so many.
    pub(crate) fn events_behind(&self, number: u64, most: usize) -> Result<Vec<StoredEvent>> {
        let sql = "SELECT number, event FROM events WHERE tenant = ?1 AND number > ?2 ORDER BY number LIMIT ?3";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map(params![self.tenant, number, most], |row| {
            let event: String = row.get(1)?;
            let event = serde_json::from_str(&event).unwrap_or(Value::Null);
            Ok(StoredEvent { number: row.get(0)?, event })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns the lines of the log, oldest first.
    pub(crate) fn log_lines(&self) -> Result<Vec<Value>> {
        let sql = "SELECT line FROM log WHERE tenant = ?1 ORDER BY number";
        let mut statement = self.connection.prepare_cached(sql)?;
        let lines = statement.query_map([self.tenant], |row| row.get::<_, String>(0))?;
        let lines = lines.collect::<rusqlite::Result<Vec<_>>>()?;
        Ok(lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }

    /// Compares each line of the log with the next.
    pub(crate) fn verify_log(&self) -> Result<ChainVerdict> {
        self.chain().verify()
    }

    fn chain(&self) -> ChainedLog<'_, LongtermTenant> {
        ChainedLog { connection: self.connection, tenant: self.tenant }
    }
}
