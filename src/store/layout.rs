//! Every name under `.agent-memory/`, once.

use std::path::{Path, PathBuf};

use super::files;
use crate::contract::ProposalId;
use crate::error::{Error, ErrorKind, Result};

/// The name of a store inside its repository.
const STORE: &str = ".agent-memory";

/// Where things are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    store: PathBuf,
    repository: PathBuf,
}

impl Layout {
    /// Returns the layout of a store that is not there yet, in a repository.
    pub fn new_in(repository: &Path) -> Self {
        Self { store: repository.join(STORE), repository: repository.to_path_buf() }
    }

    /// Finds the store that a folder belongs to, by walking up.
    pub fn discover(from: &Path) -> Result<Self> {
        // A repository inside another one, or below a store of somebody else's, has its own memory.
        let mut inside = true;
        let mut folders = from.ancestors().take_while(|folder| {
            let here = inside;
            inside = !folder.join(".git").exists();
            here
        });
        folders.find(|folder| folder.join(STORE).is_dir()).map(Self::new_in).ok_or_else(|| {
            Error::new(ErrorKind::StoreNotFound, "there is no `.agent-memory` here or above, from")
                .at(from)
                .hint("run `agent-memory init` at the root of the repository")
        })
    }

    /// Takes a folder that the caller named: a repository with a store, or a store itself.
    pub fn at(root: &Path) -> Result<Self> {
        if root.join(STORE).is_dir() {
            return Ok(Self::new_in(root));
        }
        let itself = root.join("config.toml").is_file() && root.join("schemas").is_dir();
        if !itself {
            return Err(Error::new(ErrorKind::StoreNotFound, "there is no store in")
                .at(root)
                .hint("give the root of a repository that has `.agent-memory`, or run `agent-memory init` there"));
        }
        let absolute = std::path::absolute(root).map_err(|e| Error::io("resolve", root, e))?;
        let repository = absolute.parent().unwrap_or(&absolute).to_path_buf();
        Ok(Self { store: root.to_path_buf(), repository })
    }

    /// Returns the folder of the store.
    pub fn store(&self) -> &Path {
        &self.store
    }

    /// Returns the folder that cited files are relative to.
    pub fn repository(&self) -> &Path {
        &self.repository
    }

    /// Returns where a path relative to the store is.
    pub fn inside(&self, relative: &str) -> PathBuf {
        self.store.join(relative)
    }

    /// Returns where the policy is.
    pub fn config(&self) -> PathBuf {
        self.store.join("config.toml")
    }

    /// Returns where the category schemas are.
    pub fn schemas(&self) -> PathBuf {
        self.store.join("schemas")
    }

    /// Returns where the fingerprints of refused texts are.
    pub fn rejections(&self) -> PathBuf {
        self.store.join("rejections")
    }

    /// Returns where proposals wait.
    pub fn staging(&self) -> PathBuf {
        self.store.join("staging")
    }

    /// Returns where everything is that belongs to this machine alone.
    pub fn state(&self) -> PathBuf {
        self.store.join("state")
    }

    /// Returns where the write lock is.
    pub fn lock(&self) -> PathBuf {
        self.state().join("lock")
    }

    /// Returns what is held by the process that gets the write lock next.
    pub fn turn(&self) -> PathBuf {
        self.state().join("turn")
    }

    /// Returns where changes are recorded before they become visible.
    pub fn journal(&self) -> PathBuf {
        self.state().join("journal")
    }

    /// Returns where the search index is.
    pub fn index(&self) -> PathBuf {
        self.state().join("index.sqlite")
    }

    /// Returns where the log of decisions is.
    pub fn log(&self) -> PathBuf {
        self.state().join(LOG)
    }

    /// Returns where it is kept which line of the log is the last.
    pub fn log_end(&self) -> PathBuf {
        self.state().join("log.end")
    }

    /// Returns a path, or the first of `<path>.2`, `<path>.3` and so on, where nothing is yet.
    pub(super) fn free(&self, path: String) -> String {
        let others = (2_u32..).map(|number| format!("{path}.{number}"));
        let mut names = std::iter::once(path.clone()).chain(others);
        let is_free = |name: &String| !files::exists(&self.inside(name));
        names.find(is_free).expect("a folder has fewer entries than there are numbers")
    }

    /// Returns where everything lies that was taken out of the way.
    pub fn trash(&self) -> PathBuf {
        self.state().join("trash")
    }

    /// Returns where new bytes lie before they are renamed into place.
    pub fn temporary(&self) -> PathBuf {
        self.state().join("tmp")
    }
}

/// The log inside `state/`.
const LOG: &str = "log.jsonl";

/// Returns the log, relative to the store.
pub(super) fn log_path() -> String {
    format!("state/{LOG}")
}

/// Returns the file that says how to take changes back, relative to the store.
pub(super) fn undo_path() -> String {
    "state/undo.jsonl".to_owned()
}

/// Returns where a file lies that a change had made and that went when the change was taken back.
pub(super) fn undone_path(id: &ProposalId, path: &str) -> String {
    format!("state/trash/undone-{id}/{path}")
}

/// Returns where the fingerprints of a rejection lie that was lifted.
pub(super) fn lifted_path(id: &ProposalId) -> String {
    format!("state/trash/lifted-{id}.toml")
}

/// Returns the folder of a proposal that waits, relative to the store.
pub(super) fn staged_path(id: &ProposalId) -> String {
    format!("staging/{id}")
}

/// Returns the folder of a proposal that was decided, relative to the store.
pub(super) fn trash_path(id: &ProposalId) -> String {
    format!("state/trash/{id}")
}

/// Returns the file that remembers a rejection, relative to the store.
pub(super) fn rejection_path(id: &ProposalId) -> String {
    format!("rejections/{id}.toml")
}
