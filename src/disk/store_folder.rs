//! A store: a folder held open, with a `state/` in it that belongs to this machine alone.

use std::path::{Path, PathBuf};

use super::files;
use super::folder::{Folder, StorePath};
use super::key::Key;
use super::trash::numbered;

/// The folder of a store, and the names that the disk uses in its `state/`.
#[derive(Debug, Clone)]
pub(crate) struct StoreFolder {
    folder: Folder,
    journal_key: Key,
    own_folder: Option<PathBuf>,
}

impl StoreFolder {
    /// `own_folder` is outside of the store, and no commit can fill it; `None` if there is no such folder.
    pub(crate) fn new(folder: Folder, journal_key: Key, own_folder: Option<PathBuf>) -> Self {
        Self { folder, journal_key, own_folder }
    }

    pub(crate) fn store(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Returns the path of the store without links.
    pub(crate) fn real_path(&self) -> PathBuf {
        self.folder.real_path().unwrap_or_else(|_| self.store().to_path_buf())
    }

    /// Returns the key that signs the journal.
    pub(crate) fn journal_key(&self) -> &Key {
        &self.journal_key
    }

    pub(super) fn own_folder(&self) -> Option<&Path> {
        self.own_folder.as_deref()
    }

    pub(crate) fn inside(&self, relative: &str) -> StorePath {
        self.folder.inside(relative)
    }

    /// Everything that belongs to this machine alone.
    pub(crate) fn state(&self) -> StorePath {
        self.inside("state")
    }

    pub(crate) fn lock(&self) -> StorePath {
        self.state().join("lock")
    }

    /// Locked by the process that is next for the write lock.
    pub(crate) fn turn(&self) -> StorePath {
        self.state().join("turn")
    }

    pub(crate) fn journal(&self) -> StorePath {
        self.state().join("journal")
    }

    /// Returns a path, or the first of `<path>.2`, `<path>.3` and so on that is free.
    pub(crate) fn free(&self, path: String) -> String {
        let is_free = |name: &String| !files::exists(&self.inside(name));
        let mut names = numbered(path);
        names.find(is_free).expect("a folder has fewer entries than there are numbers")
    }

    /// Returns everything at a path and its numbered successors.
    pub(crate) fn taken(&self, path: String) -> impl Iterator<Item = StorePath> {
        numbered(path).map(|name| self.inside(&name)).take_while(files::exists)
    }

    pub(crate) fn trash(&self) -> StorePath {
        self.state().join("trash")
    }

    /// One line for each decision.
    pub(crate) fn log(&self) -> StorePath {
        self.inside(LOG)
    }

    /// Holds the link of the last line of the log.
    pub(crate) fn log_end(&self) -> StorePath {
        self.state().join("log.end")
    }

    /// How to take back changes.
    pub(crate) fn undo(&self) -> StorePath {
        self.inside(UNDO)
    }

    /// The folder of temp files.
    pub(crate) fn temporary(&self) -> StorePath {
        self.state().join("tmp")
    }

    /// The temp file of a step, with a name by which recovery finds the step.
    pub(crate) fn temp_file(&self, record: u64, step: usize) -> StorePath {
        self.temporary().join(format!("{record}.{step}"))
    }
}

pub(crate) const LOG: &str = "state/log.jsonl";

pub(crate) const UNDO: &str = "state/undo.jsonl";

/// Where a file with this hash goes that was saved while a change to it was written.
pub(super) fn edited_path(hash: &str, path: &str) -> String {
    format!("state/trash/edited-{}/{path}", &hash[..12])
}
