//! Reads beside the writer, each reader in one view of the database.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::connection::open;
use crate::error::Result;

/// Connections that stay open; more are opened while more are needed.
const KEPT: usize = 8;

#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, idle: Mutex::default() }
    }

    /// Reads in one view, whatever is written in the meantime.
    pub(super) fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = idle.map_or_else(|| open(&self.path), Ok)?;
        let view = Transaction::new_unchecked(&connection, TransactionBehavior::Deferred)?;
        let answer = read(&view);
        view.finish()?;
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(connection);
        }
        answer
    }
}
