//! Keeps the search index open between the commands of a long-lived process: opening it is slower than most queries.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use crate::disk::StorePath;
use crate::index::SearchIndex;

/// What commands of one process leave open for the next one. A deleted database keeps its disk space until then.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    index: Arc<Mutex<Option<SearchIndex>>>,
}

/// The index of a command, once it is open; goes back to [`Kept`] on drop.
#[derive(Debug, Default)]
pub(super) struct OpenIndex {
    index: RefCell<Option<SearchIndex>>,
    kept: Kept,
}

impl OpenIndex {
    pub(super) fn over(kept: &Kept) -> Self {
        Self { index: RefCell::default(), kept: kept.clone() }
    }

    /// Takes the index, if it is open and still the file at the path.
    pub(super) fn take(&self, path: &StorePath) -> Option<SearchIndex> {
        match self.index.take() {
            Some(index) => Some(index).filter(SearchIndex::is_in_place),
            None => self.kept.take().filter(|index| index.is_what_opens(path)),
        }
    }

    pub(super) fn put(&self, index: SearchIndex) {
        self.index.replace(Some(index));
    }
}

impl Drop for OpenIndex {
    fn drop(&mut self) {
        // An index in memory is stale before the next command can use it.
        if let Some(index) = self.index.take().filter(SearchIndex::is_saved) {
            self.kept.put(index);
        }
    }
}

impl Kept {
    fn take(&self) -> Option<SearchIndex> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn put(&self, index: SearchIndex) {
        self.index.lock().unwrap_or_else(PoisonError::into_inner).replace(index);
    }
}
