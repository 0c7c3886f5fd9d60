//! Every name under `.agent-memory/`, once.

use std::path::{Path, PathBuf};

use super::impostor::refuse_impostor;
use super::key::Key;
use crate::contract::{ProposalId, path_in_store};
use crate::disk::folder::{Folder, Kind, Spot};
use crate::disk::{files, outside};
use crate::error::{Error, ErrorKind, Result};
use crate::git::{Git, GitTime};

const STORE: &str = ".agent-memory";

/// The paths of a store, with its git and its keys.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    folder: Folder,
    repository: PathBuf,
    git: Git,
    key: Key,
    work_tree_key: Key,
}

impl Layout {
    /// Opens the store of a repository; makes its folder if there is none.
    pub(crate) fn make_in(repository: &Path, time: &GitTime) -> Result<Self> {
        if let Some(layout) = Self::of(repository, time)? {
            return Ok(layout);
        }
        let store = repository.join(STORE);
        outside::make_folder(&store)?;
        let made = Self::of(repository, time)?;
        made.ok_or_else(|| Error::new(ErrorKind::StoreNotFound, "it is gone again:").at(&store))
    }

    #[cfg(test)]
    pub(super) fn new_in(folder: &Path) -> Self {
        Self::make_in(folder, &GitTime::default()).expect("a store")
    }

    fn of(repository: &Path, time: &GitTime) -> Result<Option<Self>> {
        let folder = Folder::open(&repository.join(STORE))?;
        folder.map(|folder| Self::over(folder, repository.to_path_buf(), time)).transpose()
    }

    fn over(folder: Folder, repository: PathBuf, time: &GitTime) -> Result<Self> {
        refuse_impostor(&folder)?;
        let git = Git::above(folder.path(), time)?;
        let key = Key::of(&folder, &git)?;
        let work_tree_key = key.of_work_tree(&git)?;
        Ok(Self { folder, repository, git, key, work_tree_key })
    }

    /// Finds the store of a folder, upwards.
    pub(crate) fn discover(from: &Path, time: &GitTime) -> Result<Self> {
        // A nested repository, or one below another store, has its own memory.
        let mut inside = true;
        let mut folders = from.ancestors().take_while(|folder| {
            let here = inside;
            inside = !folder.join(".git").exists();
            here
        });
        folders.find_map(|folder| Self::of(folder, time).transpose()).unwrap_or_else(|| {
            let what = "there is no `.agent-memory` here or above, from";
            let hint = "run `agent-memory init` at the root of the repository";
            Err(Error::new(ErrorKind::StoreNotFound, what).at(from).hint(hint))
        })
    }

    /// Opens a folder that the caller named: a repository with a store, or a store itself.
    pub(crate) fn at(root: &Path, time: &GitTime) -> Result<Self> {
        if let Some(layout) = Self::of(root, time)? {
            return Ok(layout);
        }
        let itself = root.join("config.toml").is_file() && root.join("schemas").is_dir();
        let folder = if itself { Folder::open(root)? } else { None };
        let Some(folder) = folder else {
            return Err(Error::new(ErrorKind::StoreNotFound, "there is no store in")
                .at(root)
                .hint("give the root of a repository that has `.agent-memory`, or run `agent-memory init` there"));
        };
        let absolute = std::path::absolute(root).map_err(|e| Error::io("resolve", root, e))?;
        let repository = absolute.parent().unwrap_or(&absolute).to_path_buf();
        Self::over(folder, repository, time)
    }

    pub(super) fn git(&self) -> &Git {
        &self.git
    }

    /// Returns the path from the folder that holds `.git` to the store, with `/` at its end; `None` without git.
    pub(crate) fn prefix(&self) -> Option<&str> {
        self.git.is_there().then(|| self.git.prefix())
    }

    pub(crate) fn git_time(&self) -> &GitTime {
        self.git.time()
    }

    pub(crate) fn store(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Returns the path of the store without links.
    pub(super) fn real_path(&self) -> PathBuf {
        self.folder.real_path().unwrap_or_else(|_| self.store().to_path_buf())
    }

    /// Returns the key that signs `state/`.
    pub(crate) fn key(&self) -> &Key {
        &self.key
    }

    /// Returns the key of what is valid in this work tree only.
    pub(super) fn work_tree_key(&self) -> &Key {
        &self.work_tree_key
    }

    /// Cited files are relative to it.
    pub(crate) fn repository(&self) -> &Path {
        &self.repository
    }

    pub(crate) fn inside(&self, relative: &str) -> Spot {
        self.folder.spot(relative)
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

    pub(crate) fn config(&self) -> Spot {
        self.inside("config.toml")
    }

    pub(crate) fn schemas(&self) -> Spot {
        self.inside("schemas")
    }

    /// The fingerprints of rejected texts.
    pub(crate) fn rejections(&self) -> Spot {
        self.inside("rejections")
    }

    pub(crate) fn staging(&self) -> Spot {
        self.inside("staging")
    }

    /// The decisions about proposals of a queue that is kept in git.
    pub(crate) fn decided(&self) -> Spot {
        self.inside(DECIDED)
    }

    /// Everything that belongs to this machine alone.
    pub(crate) fn state(&self) -> Spot {
        self.inside("state")
    }

    pub(crate) fn lock(&self) -> Spot {
        self.state().join("lock")
    }

    /// Locked by the process that is next for the write lock.
    pub(crate) fn turn(&self) -> Spot {
        self.state().join("turn")
    }

    pub(crate) fn journal(&self) -> Spot {
        self.state().join("journal")
    }

    pub(crate) fn index(&self) -> Spot {
        self.state().join("index.sqlite")
    }

    pub(crate) fn log(&self) -> Spot {
        self.state().join(LOG)
    }

    /// Holds the link of the last line of the log.
    pub(crate) fn log_end(&self) -> Spot {
        self.state().join("log.end")
    }

    pub(crate) fn undo(&self) -> Spot {
        self.inside(&undo_path())
    }

    /// Which sessions were reminded.
    pub(crate) fn reminded(&self) -> Spot {
        self.state().join("reminded")
    }

    /// Returns a path, or the first of `<path>.2`, `<path>.3` and so on that is free.
    pub(super) fn free(&self, path: String) -> String {
        let is_free = |name: &String| !files::exists(&self.inside(name));
        let mut names = numbered(path);
        names.find(is_free).expect("a folder has fewer entries than there are numbers")
    }

    /// Returns everything at a path and its numbered successors.
    pub(super) fn taken(&self, path: String) -> impl Iterator<Item = Spot> {
        numbered(path).map(|name| self.inside(&name)).take_while(files::exists)
    }

    pub(crate) fn trash(&self) -> Spot {
        self.state().join("trash")
    }

    /// The folder of temp files.
    pub(crate) fn temporary(&self) -> Spot {
        self.state().join("tmp")
    }

    /// The temp file of a step, with a name by which recovery finds the step.
    pub(super) fn aside(&self, record: u64, step: usize) -> Spot {
        self.temporary().join(format!("{record}.{step}"))
    }
}

const LOG: &str = "log.jsonl";

pub(super) fn log_path() -> String {
    format!("state/{LOG}")
}

pub(super) fn undo_path() -> String {
    "state/undo.jsonl".to_owned()
}

/// Where a file goes that a change had made and `undo` removes.
pub(super) fn undone_path(id: &ProposalId, path: &str) -> String {
    format!("state/trash/undone-{id}/{path}")
}

/// Where a file with this hash goes that was saved while a change to it was written.
pub(super) fn edited_path(hash: &str, path: &str) -> String {
    format!("state/trash/edited-{}/{path}", &hash[..12])
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
    format!("{DECIDED}/{id}.{decision}")
}

/// Keeps the folder of decisions in git.
pub(crate) fn steady_path() -> String {
    format!("{DECIDED}/.keep")
}

/// A proposal that git kept in the queue, after its decision.
pub(super) fn kept_path(id: &ProposalId) -> String {
    format!("{DECIDED}/{id}.json")
}

/// The mark of a decision, once the proposal is pending again.
pub(super) fn reopened_path(name: &str) -> String {
    format!("state/trash/reopened-{name}")
}

/// Returns the memory file of which a file is a copy, by its path: the copy must not be more readable.
pub(super) fn copied_from(path: &str) -> Option<&str> {
    let parts: Vec<&str> = path.splitn(5, '/').collect();
    let behind = |count: usize| path.splitn(count + 1, '/').nth(count);
    match parts[..] {
        ["staging", _, "base" | "files", ..] => behind(3),
        ["state", "shown", _, "base" | "files", _] => behind(4),
        ["state", "trash", folder, ..] if folder.starts_with("undone-") => behind(3),
        ["state", "trash", ..] => behind(2),
        _ => None,
    }
}

/// Removes what is at the path of a derived file. A folder is not ours, and goes to the trash.
pub(super) fn make_room(place: &Spot) -> Result<()> {
    let is_folder = place.look().is_ok_and(|seen| seen.kind == Kind::Folder);
    let Some(name) = place.file_name().and_then(|name| name.to_str()).filter(|_| is_folder) else {
        return files::remove_plain(place);
    };
    let mut rooms = numbered(format!("state/trash/{name}")).map(|path| place.folder().spot(path));
    let room = rooms.find(|room| !files::exists(room));
    files::rename(place, &room.expect("a folder has fewer entries than there are numbers"))
}

/// Returns a name, then its numbered successors.
fn numbered(path: String) -> impl Iterator<Item = String> {
    let others = (2_u32..).map({
        let path = path.clone();
        move |number| format!("{path}.{number}")
    });
    std::iter::once(path).chain(others)
}

pub(super) fn rejection_path(id: &ProposalId) -> String {
    rejection_name(&format!("{id}.toml"))
}

pub(super) fn rejection_name(name: &str) -> String {
    format!("rejections/{name}")
}
