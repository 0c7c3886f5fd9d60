//! When memories were last read, apart from what was said in them.

use rusqlite::params;

use super::view::TenantView;
use crate::contract::Timestamp;
use crate::error::Result;

impl TenantView<'_> {
    /// Notes that memories were read; a later time stays.
    pub(crate) fn note_accesses(&self, rows: &[(i64, Timestamp)]) -> Result<()> {
        let sql = "INSERT INTO accesses(row, at) SELECT row, ?2 FROM memories WHERE row = ?1 AND tenant = ?3
            ON CONFLICT(row) DO UPDATE SET at = max(at, excluded.at)";
        let mut note = self.connection.prepare_cached(sql)?;
        for (row, at) in rows {
            note.execute(params![row, at.microseconds(), self.tenant])?;
        }
        Ok(())
    }

    /// Sets when a memory was last read, also to an earlier time.
    pub(crate) fn set_accessed(&self, row: i64, at: Timestamp) -> Result<()> {
        let sql = "UPDATE memories SET accessed = ?2 WHERE row = ?1 AND tenant = ?3";
        self.connection.execute(sql, params![row, at.microseconds(), self.tenant])?;
        self.connection.execute("DELETE FROM accesses WHERE row = ?1", [row])?;
        Ok(())
    }
}
