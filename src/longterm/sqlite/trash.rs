//! What was deleted: it can be restored under its number until it is swept.

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

    /// Takes a memory out of the trash; none where it is not there.
    pub(crate) fn take_from_trash(&self, number: MemoryNumber) -> Result<Option<MemoryRow>> {
        let sql = format!("SELECT {COLUMNS} FROM trash WHERE tenant = ?1 AND number = ?2");
        let values = params![self.tenant, number.get()];
        let found = self.connection.prepare_cached(&sql)?.query_row(values, read_row).optional()?;
        let Some(row) = found else { return Ok(None) };
        let sql = "DELETE FROM trash WHERE tenant = ?1 AND number = ?2";
        self.connection.prepare_cached(sql)?.execute(values)?;
        self.insert(&row)?;
        Ok(Some(row))
    }

    /// Erases what was deleted before a time; returns how many memories that were.
    pub(crate) fn sweep(&self, before: Timestamp) -> Result<usize> {
        let sql = "DELETE FROM trash WHERE tenant = ?1 AND deleted < ?2";
        Ok(self.connection.execute(sql, params![self.tenant, before.microseconds()])?)
    }

    /// Erases all memories of an owner, deleted ones too; returns how many they were.
    pub(crate) fn erase(&self, owner: &MemoryOwner) -> Result<usize> {
        let mut erased = 0;
        for table in ["memories", "trash"] {
            let sql =
                format!("DELETE FROM {table} WHERE tenant = ?1 AND scope = ?2 AND owner = ?3");
            let values = params![self.tenant, owner.scope().name(), owner.id()];
            erased += self.connection.execute(&sql, values)?;
        }
        Ok(erased)
    }
}
