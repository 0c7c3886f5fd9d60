//! What was deleted: it can be restored under its number until it is swept.

use rusqlite::types::ToSql;
use rusqlite::{OptionalExtension, params};

use super::memories::{COLUMNS, read_row};
use super::view::LongtermView;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::longterm::request::{MemoryNumber, MemoryOwner, MemoryRow};

impl LongtermView<'_> {
    /// Moves a memory to the trash.
    pub(crate) fn move_to_trash(&self, number: MemoryNumber, now: Timestamp) -> Result<()> {
        let sql = format!(
            "INSERT INTO trash(tenant, {COLUMNS}, deleted)
             SELECT tenant, {COLUMNS}, ?3 FROM memories WHERE tenant = ?1 AND number = ?2"
        );
        let values = params![self.tenant, number.get(), now.microseconds()];
        self.connection.prepare_cached(&sql)?.execute(values)?;
        let sql = "DELETE FROM memories WHERE tenant = ?1 AND number = ?2";
        self.connection.prepare_cached(sql)?.execute(params![self.tenant, number.get()])?;
        Ok(())
    }

    /// Finds a deleted memory by its number.
    pub(crate) fn in_trash(&self, number: MemoryNumber) -> Result<Option<MemoryRow>> {
        let sql = format!("SELECT {COLUMNS} FROM trash WHERE tenant = ?1 AND number = ?2");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row(params![self.tenant, number.get()], read_row).optional()?)
    }

    /// Puts a deleted memory back where it was.
    pub(crate) fn take_from_trash(&self, row: &MemoryRow) -> Result<()> {
        let sql = "DELETE FROM trash WHERE tenant = ?1 AND number = ?2";
        self.connection.prepare_cached(sql)?.execute(params![self.tenant, row.number.get()])?;
        self.insert(row)
    }

    /// Erases what was deleted before a time; returns how many memories that were.
    pub(crate) fn sweep(&self, before: Timestamp) -> Result<usize> {
        let values = params![self.tenant, before.microseconds()];
        self.erase_where("trash", "deleted < ?2", values)
    }

    /// Tells whether something was deleted before a time.
    pub(crate) fn has_older_trash(&self, before: Timestamp) -> Result<bool> {
        let sql = "SELECT EXISTS(SELECT 1 FROM trash WHERE tenant = ?1 AND deleted < ?2)";
        let values = params![self.tenant, before.microseconds()];
        Ok(self.connection.prepare_cached(sql)?.query_row(values, |row| row.get(0))?)
    }

    /// Erases all memories of an owner, deleted ones too; returns how many they were.
    pub(crate) fn erase(&self, owner: &MemoryOwner) -> Result<usize> {
        let values = params![self.tenant, owner.scope().name(), owner.id()];
        let is_owned = "scope = ?2 AND owner = ?3";
        let kept = self.erase_where("memories", is_owned, values)?;
        Ok(kept + self.erase_where("trash", is_owned, values)?)
    }

    /// Erases rows, and keeps that their numbers were used.
    fn erase_where(&self, table: &str, which: &str, values: &[&dyn ToSql]) -> Result<usize> {
        let sql = format!(
            "INSERT OR IGNORE INTO erased(tenant, number)
             SELECT tenant, number FROM {table} WHERE tenant = ?1 AND {which}"
        );
        self.connection.execute(&sql, values)?;
        let sql = format!("DELETE FROM {table} WHERE tenant = ?1 AND {which}");
        Ok(self.connection.execute(&sql, values)?)
    }
}
