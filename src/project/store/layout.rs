//! Every name under `.agent-memory/`, once.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use super::impostor::refuse_impostor;
use super::key::{find_key, work_tree_key};
use crate::disk::folder::{Folder, StorePath};
use crate::disk::key::Key;
use crate::disk::{SignedLog, StoreFolder, UndoList, outside};
use crate::error::{Error, ErrorKind, Result};
use crate::git::{Git, GitTime};
use crate::project::request::{ProposalId, path_in_store};

/// The name of the folder that is a store.
pub(crate) const STORE: &str = ".agent-memory";

/// The paths of a store, with its git and its keys.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    files: StoreFolder,
    repository: PathBuf,
    git: Git,
    key: Key,
}

impl Deref for Layout {
    type Target = StoreFolder;

    fn deref(&self) -> &StoreFolder {
        &self.files
    }
}

impl Layout {
    /// Opens the folder of a store that is to be made; makes the folder if there is none.
    pub(crate) fn make_in(repository: &Path, time: &GitTime) -> Result<Self> {
        if let Some(layout) = Self::found_in(repository, time)? {
            return Ok(layout);
        }
        let store = repository.join(STORE);
        outside::make_folder(&store)?;
        let made = Self::found_in(repository, time)?;
        made.ok_or_else(|| Error::new(ErrorKind::StoreNotFound, "it is gone again:").at(&store))
    }

    #[cfg(test)]
    pub(super) fn new_in(folder: &Path) -> Self {
        Self::make_in(folder, &GitTime::default()).expect("a store")
    }

    /// Opens the folder of a store in a repository; it may be empty, or another tool's.
    pub(crate) fn found_in(repository: &Path, time: &GitTime) -> Result<Option<Self>> {
        Self::of_folder(&repository.join(STORE), time)
    }

    /// Does the same by the path of the folder.
    pub(super) fn of_folder(store: &Path, time: &GitTime) -> Result<Option<Self>> {
        let repository = store.parent().unwrap_or(store).to_path_buf();
        let folder = Folder::open(store)?;
        folder.map(|folder| Self::over(folder, repository, time)).transpose()
    }

    pub(super) fn over(folder: Folder, repository: PathBuf, time: &GitTime) -> Result<Self> {
        refuse_impostor(&folder)?;
        let git = Git::above(folder.path(), time)?;
        let key = find_key(&folder, &git)?;
        let own = git.folder().map(|folder| folder.own.join("agent-memory"));
        let files = StoreFolder::new(folder, work_tree_key(&key, &git)?, own);
        Ok(Self { files, repository, git, key })
    }

    pub(crate) fn git(&self) -> &Git {
        &self.git
    }

    /// Returns the path from the folder that holds `.git` to the store, with `/` at its end; `None` without git.
    pub(crate) fn prefix(&self) -> Option<&str> {
        self.git.is_there().then(|| self.git.prefix())
    }

    pub(crate) fn git_time(&self) -> &GitTime {
        self.git.time()
    }

    /// Returns the key that signs `state/`.
    pub(crate) fn key(&self) -> &Key {
        &self.key
    }

    pub(crate) fn signed_log(&self) -> SignedLog<'_> {
        SignedLog::new(&self.files, &self.key)
    }

    pub(crate) fn undo_list(&self) -> UndoList<'_> {
        UndoList::new(&self.files, &self.key)
    }

    /// Cited files are relative to it.
    pub(crate) fn repository(&self) -> &Path {
        &self.repository
    }

    /// Returns a path that a person named, from their folder or from the store, relative to the store; empty for the
    /// whole store.
    pub(crate) fn named(&self, standing: &Path, name: &str) -> String {
        let plain = name.strip_prefix("./").unwrap_or(name);
        let in_store = path_in_store(plain).trim_end_matches('/');
        let is_there = |path: &str| self.inside(path).exists();
        match self.relative(&standing.join(name)) {
            // A person inside the store may still copy a path from the output of `search`.
            Some(from_here) if is_there(&from_here) || !is_there(in_store) => from_here,
            Some(_) | None => in_store.to_owned(),
        }
    }

    /// Returns a path relative to the store, empty for the whole store; `None` if it is outside. The file may be
    /// missing.
    fn relative(&self, path: &Path) -> Option<String> {
        let store = outside::real_path(self.store())?;
        let gone = || Some(outside::real_path(path.parent()?)?.join(path.file_name()?));
        let real = outside::real_path(path).or_else(gone)?;
        if store.starts_with(&real) {
            return Some(String::new());
        }
        Some(real.strip_prefix(&store).ok()?.to_str()?.replace('\\', "/"))
    }

    pub(crate) fn config(&self) -> StorePath {
        self.inside("config.toml")
    }

    pub(crate) fn schemas(&self) -> StorePath {
        self.inside("schemas")
    }

    /// The fingerprints of rejected texts.
    pub(crate) fn rejections(&self) -> StorePath {
        self.inside("rejections")
    }

    pub(crate) fn staging(&self) -> StorePath {
        self.inside("staging")
    }

    /// The decisions about proposals of a queue that is kept in git.
    pub(crate) fn decided(&self) -> StorePath {
        self.inside(DECIDED)
    }

    pub(crate) fn index(&self) -> StorePath {
        self.state().join("index.sqlite")
    }

    /// How far a person has looked at what was applied without review.
    pub(crate) fn looked(&self) -> StorePath {
        self.state().join("looked")
    }

    /// The last failure of a hook or server.
    pub(crate) fn last_error(&self) -> StorePath {
        self.state().join("last-error")
    }

    /// Which sessions were reminded.
    pub(crate) fn reminded(&self) -> StorePath {
        self.state().join("reminded")
    }
}

/// Where a file goes that a change had made and `undo` removes.
pub(super) fn undone_path(id: &ProposalId, path: &str) -> String {
    format!("state/trash/undone-{id}/{path}")
}

/// Where a rejection goes once it is lifted.
pub(super) fn lifted_path(name: &str) -> String {
    format!("state/trash/lifted-{name}")
}

pub(super) fn staged_path(id: &ProposalId) -> String {
    format!("staging/{id}")
}

/// The request of a pending proposal.
pub(super) fn question_path(id: &ProposalId) -> String {
    format!("{}/proposal.json", staged_path(id))
}

/// What a proposal shows, where the queue is kept in git.
pub(super) fn shown_path(id: &ProposalId) -> String {
    format!("state/shown/{id}")
}

pub(super) fn trash_path(id: &ProposalId) -> String {
    format!("state/trash/{id}")
}

/// A part of what a proposal shows, once a newer one is known.
pub(super) fn former_path(id: &ProposalId, kind: &str) -> String {
    format!("state/trash/shown-{id}/{kind}")
}

/// What was at the path of a proposal that is pending again.
pub(super) fn displaced_path(id: &ProposalId) -> String {
    format!("state/trash/displaced-{id}")
}

pub(super) const DECIDED: &str = "decided";

/// Tells other branches what was decided.
pub(crate) fn decided_path(id: &ProposalId, decision: &str) -> String {
    in_decided(&format!("{id}.{decision}"))
}

/// A file of the folder of decisions.
pub(super) fn in_decided(name: &str) -> String {
    format!("{DECIDED}/{name}")
}

/// Keeps the folder of decisions in git.
pub(crate) fn steady_path() -> String {
    in_decided(".keep")
}

/// A proposal that git kept in the queue, after its decision.
pub(super) fn kept_path(id: &ProposalId) -> String {
    in_decided(&format!("{id}.json"))
}

/// The mark of a decision, once the proposal is pending again.
pub(super) fn reopened_path(name: &str) -> String {
    format!("state/trash/reopened-{name}")
}

pub(super) fn rejection_path(id: &ProposalId) -> String {
    rejection_name(&format!("{id}.toml"))
}

pub(super) fn rejection_name(name: &str) -> String {
    format!("rejections/{name}")
}
