//! Writes what was understood of changed files, in few transactions.

use rusqlite::{Connection, Transaction};

use super::{Batch, Change, Refreshed, Run, Step};
use crate::store::index::Index;

/// Writes batches, of which it commits several at once.
pub(super) struct Writing<'r> {
    run: &'r Run<'r>,
    pub(super) index: &'r Index,
    transaction: Option<Transaction<'r>>,
    /// Bytes of the texts that are not committed yet.
    pub(super) bytes: i64,
    /// What counts once it is committed.
    changed: usize,
    removed: usize,
    looked_at: usize,
}

impl<'r> Writing<'r> {
    pub(super) fn new(run: &'r Run<'r>, index: &'r Index) -> Self {
        let (bytes, changed, removed, looked_at) = (0, 0, 0, 0);
        Self { run, index, transaction: None, bytes, changed, removed, looked_at }
    }

    /// Writes what was understood; anew where another process was sooner.
    pub(super) fn write(&mut self, batch: &Batch<Step<'_>>) -> rusqlite::Result<()> {
        self.looked_at += batch.count;
        self.bytes += batch.bytes;
        if batch.each.is_empty() {
            return Ok(());
        }
        let transaction = match self.transaction.take() {
            Some(open) => open,
            None => self.index.begin()?,
        };
        let is_overtaken = version_of(&transaction)? != batch.version;
        for step in &batch.each {
            let is_regretted = match is_overtaken {
                true => self.run.write_anew(&transaction, step.file)?,
                false => self.run.write_step(&transaction, step)?,
            };
            if is_regretted {
                self.index.is_outdated.set(true);
            }
            self.changed += usize::from(matches!(step.change, Change::Store(..)));
            self.removed += usize::from(matches!(step.change, Change::Remove(_)));
        }
        self.transaction = Some(transaction);
        Ok(())
    }

    /// Commits what was written, and counts it.
    pub(super) fn commit(&mut self, refreshed: &mut Refreshed) -> rusqlite::Result<()> {
        self.transaction.take().map_or(Ok(()), Transaction::commit)?;
        refreshed.files_changed += std::mem::take(&mut self.changed);
        refreshed.files_removed += std::mem::take(&mut self.removed);
        refreshed.files_postponed -= std::mem::take(&mut self.looked_at);
        self.bytes = 0;
        Ok(())
    }
}

/// Returns a number that changes when another process writes to the database.
pub(super) fn version_of(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}
