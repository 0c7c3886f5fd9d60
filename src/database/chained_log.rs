//! A log in a database: a line for each change, chained by hash.
//!
//! The tables are those of the system: `tenants(id, log_number, log_hash)` and `log(tenant, number, id, line)`.

use rusqlite::types::ToSql;
use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::chain::{ChainLink, ChainVerdict, Later, verify};
use crate::contract::ContentHash;
use crate::error::{Error, ErrorKind, Result};

/// The log of one tenant.
#[derive(Debug)]
pub(crate) struct ChainedLog<'c, T> {
    pub(crate) connection: &'c Connection,
    /// The number of the tenant.
    pub(crate) tenant: T,
}

impl<T: ToSql> ChainedLog<'_, T> {
    /// Adds a line, which is an object, about what has an id; returns its number, which begins at 1 and has no gap.
    pub(crate) fn append(&self, id: &str, mut line: Value) -> Result<u64> {
        let end = self.end()?;
        let number = end.number + 1;
        line["number"] = json!(number);
        line["prev"] = json!(end.hash);
        let line = line.to_string();
        let sql = "INSERT INTO log(tenant, number, id, line) VALUES (?1, ?2, ?3, ?4)";
        self.connection.prepare_cached(sql)?.execute(params![self.tenant, number, id, line])?;
        let sql = "UPDATE tenants SET log_number = ?2, log_hash = ?3 WHERE id = ?1";
        let hash = ContentHash::of(line.as_bytes()).to_string();
        self.connection.prepare_cached(sql)?.execute(params![self.tenant, number, hash])?;
        Ok(number)
    }

    fn end(&self) -> Result<ChainLink> {
        let sql = "SELECT log_number, log_hash FROM tenants WHERE id = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let (number, hash): (u64, String) =
            statement.query_row([&self.tenant], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let hash = ContentHash::parse(&hash).ok_or_else(|| {
            let message = "the end of the log of a tenant is damaged";
            Error::new(ErrorKind::StoreDamaged, message).hint("restore the database from a backup")
        })?;
        Ok(ChainLink { number, hash })
    }

    /// Compares each line of the log with the next.
    pub(crate) fn verify(&self) -> Result<ChainVerdict> {
        let sql = "SELECT line FROM log WHERE tenant = ?1 ORDER BY number";
        let mut statement = self.connection.prepare_cached(sql)?;
        let lines = statement.query_map([&self.tenant], |row| row.get::<_, String>(0))?;
        let mut log = String::new();
        for line in lines {
            log += &line?;
            log.push('\n');
        }
        Ok(verify(log.as_bytes(), Some(&self.end()?), Later::Foreign, &|_| true))
    }
}
