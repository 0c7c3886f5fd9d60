//! Where and when a command runs.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::kept::Kept;
use crate::contract::{Moment, Zone};
use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::git::GitTime;
use crate::project::store::{Layout, Repository, nearest_root};
use crate::secrets::shown_name;

/// Where and when a command runs.
#[derive(Debug, Clone)]
pub struct Session {
    /// The working directory.
    pub folder: PathBuf,
    /// The root that the caller named, instead of searching for it.
    pub root: Option<PathBuf>,
    /// The project that the client of an agent names, for a working directory without a store.
    pub client_project: Option<PathBuf>,
    /// Whether the caller is told of the root: an agent did not name it.
    pub tells_root: bool,
    /// The time of the command.
    pub now: Moment,
    /// The time zone of the person, in which days begin.
    pub zone: Zone,
    /// The lock timeout.
    pub lock_wait: Duration,
    /// The time limit of git in this command.
    pub git_time: GitTime,
    /// What earlier commands of the process left open.
    pub kept: Kept,
    /// What the command has to tell besides its answer.
    pub warnings: Warnings,
}

/// Warnings about the store, in the order in which they arose.
#[derive(Debug, Clone, Default)]
pub struct Warnings {
    all: RefCell<Vec<String>>,
    told: Cell<usize>,
}

impl Warnings {
    pub(super) fn of(said: Vec<String>) -> Self {
        Self { all: RefCell::new(said), told: Cell::default() }
    }

    pub(super) fn add(&self, said: Vec<String>) {
        self.all.borrow_mut().extend(said);
    }

    pub(super) fn all(&self) -> Vec<String> {
        self.all.borrow().clone()
    }

    /// Each warning is told once: by the door that opened the store, or in the answer of the verb.
    pub(super) fn take_untold(&self) -> Vec<String> {
        let all = self.all.borrow();
        let told = self.told.replace(all.len());
        all[told..].to_vec()
    }
}

impl Session {
    #[cfg(test)]
    pub(super) fn alone_in(folder: &std::path::Path) -> Self {
        Self {
            folder: folder.to_owned(),
            root: Some(folder.to_owned()),
            client_project: None,
            tells_root: false,
            now: Moment::from_unix(1_795_000_000),
            zone: crate::contract::UTC.clone(),
            lock_wait: Duration::ZERO,
            git_time: GitTime::default(),
            kept: Kept::default(),
            warnings: Warnings::default(),
        }
    }

    /// The same without the client's project: what makes, guards or sets up a store works where it is called.
    pub(super) fn here(&self) -> Self {
        Self { client_project: None, ..self.clone() }
    }

    /// Returns the day of the person's clock.
    pub(super) fn today(&self) -> String {
        self.zone.day(self.now)
    }

    /// Finds the store: that of the root, else the nearest one above the working directory, else that of the client's
    /// project.
    pub(crate) fn layout(&self) -> Result<Layout> {
        if let Some(root) = &self.root {
            return Layout::at(root, &self.git_time).map_err(|error| self.with_top(root, error));
        }
        let not_found = match Layout::discover(&self.folder, &self.git_time) {
            Err(error) if error.kind() == ErrorKind::StoreNotFound => error,
            found => return found,
        };
        let of_client = self.client_project.as_ref();
        match of_client.map(|project| Layout::discover(project, &self.git_time)) {
            Some(Err(error)) if error.kind() == ErrorKind::StoreNotFound => Err(not_found),
            Some(found) => found,
            None => Err(not_found),
        }
    }

    /// Says where a root is one: a command may have been printed at the top of the repository.
    fn with_top(&self, root: &Path, error: Error) -> Error {
        let top = Repository::find(&self.folder).filter(|_| root.is_relative());
        let top = top.filter(|top| Layout::at(&top.join(root), &self.git_time).is_ok());
        match top {
            Some(top) if error.kind() == ErrorKind::StoreNotFound => {
                let top = shown_name(&top.display().to_string()).into_owned();
                error.hint(format!("it is one from the top of the repository: run this in `{top}`"))
            }
            Some(_) | None => error,
        }
    }

    /// Says which store and branch this is, where the working directory has another store or none.
    pub(super) fn unexpected_store(&self, repository: &Repository) -> Option<String> {
        if self.root.is_some() && !self.tells_root {
            return None;
        }
        let nearest = nearest_root(&self.folder);
        if nearest.is_some_and(|nearest| outside::is_same(repository.root(), nearest)) {
            return None;
        }
        let branch = repository.branch_now();
        let branch = branch
            .map_or("a branch that is not known".to_owned(), |it| format!("branch `{}`", it.name));
        let root = repository.root().display();
        let other = if nearest.is_some() { "another store" } else { "no store" };
        Some(format!(
            "this is the store of `{root}`, on {branch}; the working directory has {other}"
        ))
    }

    /// Returns the root of the project: of its store, or where one would be made.
    pub(super) fn project_root(&self) -> Result<PathBuf> {
        match self.layout() {
            Ok(layout) => Ok(layout.repository().to_path_buf()),
            Err(error) if error.kind() == ErrorKind::StoreNotFound => {
                let found =
                    || Repository::find(&self.folder).unwrap_or_else(|| self.folder.clone());
                Ok(self.root.clone().or_else(|| self.client_project.clone()).unwrap_or_else(found))
            }
            Err(error) => Err(error),
        }
    }

    /// Returns what people call the project of the folder, with or without a store.
    pub(crate) fn project_name(&self) -> Result<Option<String>> {
        Repository::around(&self.project_root()?, &self.git_time).project_name()
    }
}

/// Returns the editor that git would open in the working directory; none where git does not say.
pub(crate) fn editor_of_git(session: &Session) -> Option<String> {
    Repository::around(&session.folder, &session.git_time).editor().ok().flatten()
}

/// Makes a new session for each call: in a server, the time and the folder change.
pub type Sessions = Arc<dyn Fn() -> Result<Session> + Send + Sync>;
