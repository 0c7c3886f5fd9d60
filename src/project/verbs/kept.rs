//! What one command leaves for the next in a process that stays: the search index, as opening it takes longer than most of
//! what is asked of it.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use crate::disk::Spot;
use crate::project::store::index::Index;

/// Where the commands of a process find what an earlier one left open. It stays open until the next one looks for it, so
/// a database that was deleted meanwhile keeps its place on the disk until then.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    index: Arc<Mutex<Option<Index>>>,
}

/// The index of a command, once it is open; goes back to where the next command finds it.
#[derive(Debug, Default)]
pub(super) struct OpenIndex {
    index: RefCell<Option<Index>>,
    kept: Kept,
}

impl OpenIndex {
    pub(super) fn over(kept: &Kept) -> Self {
        Self { index: RefCell::default(), kept: kept.clone() }
    }

    /// Takes the index, if it is open and the file that a path leads to.
    pub(super) fn take(&self, path: &Spot) -> Option<Index> {
        match self.index.take() {
            Some(index) => Some(index).filter(Index::is_in_place),
            None => self.kept.take().filter(|index| index.is_what_opens(path)),
        }
    }

    /// Leaves the index open.
    pub(super) fn put(&self, index: Index) {
        self.index.replace(Some(index));
    }
}

impl Drop for OpenIndex {
    fn drop(&mut self) {
        // What is in memory alone is out of date before the next command can use it.
        if let Some(index) = self.index.take().filter(Index::is_kept) {
            self.kept.put(index);
        }
    }
}

impl Kept {
    fn take(&self) -> Option<Index> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn put(&self, index: Index) {
        self.index.lock().unwrap_or_else(PoisonError::into_inner).replace(index);
    }
}
