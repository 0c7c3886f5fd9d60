//! Memories: one row each, found by number or by whose they are.

use rusqlite::{OptionalExtension, Row, params};

use super::view::LongtermView;
use crate::contract::Timestamp;
use crate::database::json_column;
use crate::error::{Error, ErrorKind, Result};
use crate::longterm::request::{MemoryNumber, MemoryOwner, MemoryRow, MemoryScope};

/// The columns of a row, in the order in which `read_row` reads them.
pub(super) const COLUMNS: &str =
    "number, scope, owner, lineage, content, tags, taught_by, created, updated, revision";

impl LongtermView<'_> {
    /// Finds a memory by its number, of any owner.
    pub(crate) fn memory(&self, number: MemoryNumber) -> Result<Option<MemoryRow>> {
        let sql = format!("SELECT {COLUMNS} FROM memories WHERE tenant = ?1 AND number = ?2");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row(params![self.tenant, number.get()], read_row).optional()?)
    }

    /// Returns the memories of an owner for a lineage, the newest first.
    pub(crate) fn memories_of(&self, owner: &MemoryOwner, lineage: u64) -> Result<Vec<MemoryRow>> {
        // Without figures about the rows SQLite would read all of the tenant's, by their numbers.
        let sql = format!(
            "SELECT {COLUMNS} FROM memories INDEXED BY memories_of
             WHERE tenant = ?1 AND scope = ?2 AND owner = ?3 AND lineage = ?4 ORDER BY number DESC"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let values = params![self.tenant, owner.scope().name(), owner.id(), lineage];
        let rows = statement.query_map(values, read_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns the memories of an owner for all lineages, in the order of their numbers.
    pub(crate) fn memories_of_owner(&self, owner: &MemoryOwner) -> Result<Vec<MemoryRow>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM memories INDEXED BY memories_of
             WHERE tenant = ?1 AND scope = ?2 AND owner = ?3 ORDER BY number"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let values = params![self.tenant, owner.scope().name(), owner.id()];
        let rows = statement.query_map(values, read_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Counts the memories of an owner for a lineage.
    pub(crate) fn count_of(&self, owner: &MemoryOwner, lineage: u64) -> Result<usize> {
        let sql = "SELECT count(*) FROM memories INDEXED BY memories_of
             WHERE tenant = ?1 AND scope = ?2 AND owner = ?3 AND lineage = ?4";
        let values = params![self.tenant, owner.scope().name(), owner.id(), lineage];
        Ok(self.connection.prepare_cached(sql)?.query_row(values, |row| row.get(0))?)
    }

    /// Returns memories in the order of their numbers, after a number, at most so many.
    pub(crate) fn memories_after(&self, number: u64, most: usize) -> Result<Vec<MemoryRow>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM memories WHERE tenant = ?1 AND number > ?2 ORDER BY number LIMIT ?3"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map(params![self.tenant, number, most], read_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Takes the next number, which is never given again.
    pub(crate) fn next_number(&self) -> Result<MemoryNumber> {
        let sql =
            "UPDATE tenants SET last_memory = last_memory + 1 WHERE id = ?1 RETURNING last_memory";
        let mut statement = self.connection.prepare_cached(sql)?;
        let number: u64 = statement.query_row([self.tenant], |row| row.get(0))?;
        MemoryNumber::new(number).ok_or_else(|| {
            Error::new(ErrorKind::DatabaseFailed, "there is no number left for a memory")
                .hint("use another tenant")
        })
    }

    /// Tells whether a number is that of a memory, or of one that was deleted or erased.
    pub(crate) fn is_used(&self, number: MemoryNumber) -> Result<bool> {
        let sql = "SELECT EXISTS(SELECT 1 FROM memories WHERE tenant = ?1 AND number = ?2)
            OR EXISTS(SELECT 1 FROM trash WHERE tenant = ?1 AND number = ?2)
            OR EXISTS(SELECT 1 FROM erased WHERE tenant = ?1 AND number = ?2)";
        let values = params![self.tenant, number.get()];
        Ok(self.connection.prepare_cached(sql)?.query_row(values, |row| row.get(0))?)
    }

    /// Keeps a number from being given to another memory.
    pub(crate) fn use_up_number(&self, number: MemoryNumber) -> Result<()> {
        let sql = "UPDATE tenants SET last_memory = max(last_memory, ?2) WHERE id = ?1";
        self.connection.prepare_cached(sql)?.execute(params![self.tenant, number.get()])?;
        Ok(())
    }

    /// Adds a row under its number, which no other has.
    pub(crate) fn insert(&self, row: &MemoryRow) -> Result<()> {
        let sql = format!(
            "INSERT INTO memories(tenant, {COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
        );
        self.connection.prepare_cached(&sql)?.execute(params![
            self.tenant,
            row.number.get(),
            row.owner.scope().name(),
            row.owner.id(),
            row.lineage,
            row.content,
            serde_json::json!(row.tags).to_string(),
            row.taught_by,
            row.created.microseconds(),
            row.updated.microseconds(),
            row.revision,
        ])?;
        Ok(())
    }

    /// Gives a memory another content.
    pub(crate) fn set_content(
        &self,
        number: MemoryNumber,
        content: &str,
        now: Timestamp,
    ) -> Result<()> {
        let sql = "UPDATE memories SET content = ?3, updated = ?4, revision = revision + 1
            WHERE tenant = ?1 AND number = ?2";
        let values = params![self.tenant, number.get(), content, now.microseconds()];
        self.connection.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }
}

/// Reads the columns of `COLUMNS`.
pub(super) fn read_row(row: &Row<'_>) -> rusqlite::Result<MemoryRow> {
    let (scope, owner): (String, String) = (row.get(1)?, row.get(2)?);
    let damaged = |column, what: &str| {
        let cause = format!("{what} of a memory cannot be read");
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, cause.into())
    };
    let scope = MemoryScope::parse(&scope).ok_or_else(|| damaged(1, "the scope"))?;
    Ok(MemoryRow {
        number: MemoryNumber::new(row.get(0)?).ok_or_else(|| damaged(0, "the number"))?,
        owner: MemoryOwner::of(scope, owner),
        lineage: row.get(3)?,
        content: row.get(4)?,
        tags: json_column(row, 5)?,
        taught_by: row.get(6)?,
        created: Timestamp::from_microseconds(row.get(7)?),
        updated: Timestamp::from_microseconds(row.get(8)?),
        revision: row.get(9)?,
    })
}
