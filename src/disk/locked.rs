//! The write lock of a store, with its journal: the only value that can write.

use std::time::Duration;

use super::journal::Journal;
use super::lock::{Turn, WriteLock};
use super::owner::OwnedStore;
use crate::error::Result;

/// A store with the write lock.
#[derive(Debug)]
#[must_use = "the lock is released when this value is dropped"]
pub(crate) struct Locked<'a, S> {
    pub(super) store: &'a S,
    /// The command that writes.
    pub(super) verb: &'a str,
    pub(super) journal: Journal,
    pub(super) warnings: Vec<String>,
    pub(super) lock: WriteLock,
}

impl<'a, S: OwnedStore> Locked<'a, S> {
    /// Takes the write lock within `wait`, and finishes the change of a process that died.
    ///
    /// `verb` is the command that writes; `holder` is shown to the processes that wait.
    pub(crate) fn acquire(
        store: &'a S,
        turn: Turn,
        wait: Duration,
        verb: &'a str,
        holder: &str,
    ) -> Result<Self> {
        let lock = WriteLock::acquire(store, turn, wait, holder)?;
        let apart = store.set_foreign_apart(&lock)?;
        let opened = Journal::open(store, lock.taken());
        let (journal, open) = opened.map_err(|error| error.warn(apart.iter().cloned()))?;
        let mut locked = Self { store, verb, journal, warnings: Vec::new(), lock };
        let said = locked.recover(open, turn);
        let said = said.map_err(|error| error.warn(apart.iter().cloned()))?;
        locked.warnings = [apart, said].concat();
        Ok(locked)
    }

    pub(crate) fn store(&self) -> &'a S {
        self.store
    }

    /// Returns the warnings from taking the lock.
    pub(crate) fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }
}
