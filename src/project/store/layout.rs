//! Every name under `.agent-memory/`, once.

use std::path::{Path, PathBuf};

use super::impostor::refuse_impostor;
use super::key::Key;
use crate::contract::{ProposalId, path_in_store};
use crate::disk::folder::{Folder, Kind, Spot};
use crate::disk::{files, outside};
use crate::error::{Error, ErrorKind, Result};
use crate::git::{Git, GitTime};

/// The name of a store inside its repository.
const STORE: &str = ".agent-memory";

/// Where things are.
#[derive(Debug, Clone)]
pub struct Layout {
    folder: Folder,
    repository: PathBuf,
    git: Git,
    key: Key,
    work_tree_key: Key,
}

impl Layout {
    /// Takes the store of a repository; makes its folder if there is none.
    pub fn make_in(repository: &Path, time: &GitTime) -> Result<Self> {
        if let Some(layout) = Self::of(repository, time)? {
            return Ok(layout);
        }
        let store = repository.join(STORE);
        outside::make_folder(&store)?;
        let made = Self::of(repository, time)?;
        made.ok_or_else(|| Error::new(ErrorKind::StoreNotFound, "it is gone again:").at(&store))
    }

    /// Makes a store in a folder of a test.
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

    /// Finds the store that a folder belongs to, by walking up.
    pub fn discover(from: &Path, time: &GitTime) -> Result<Self> {
        // A repository inside another one, or below a store of somebody else's, has its own memory.
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

    /// Takes a folder that the caller named: a repository with a store, or a store itself.
    pub fn at(root: &Path, time: &GitTime) -> Result<Self> {
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

    /// Returns git, as it is seen from the store.
    pub(super) fn git(&self) -> &Git {
        &self.git
    }

    /// Returns what leads to the store from the folder that holds `.git`, with `/` at its end; nothing without git.
    pub fn prefix(&self) -> Option<&str> {
        self.git.is_there().then(|| self.git.prefix())
    }

    /// Returns the time that git has in this command.
    pub fn git_time(&self) -> &GitTime {
        self.git.time()
    }

    /// Returns the folder of the store.
    pub fn store(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the folder of the store, held open.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Returns where the store is once no link is left on the way.
    pub(super) fn real_path(&self) -> PathBuf {
        self.folder.real_path().unwrap_or_else(|_| self.store().to_path_buf())
    }

    /// Returns the key that what `state/` believes carries.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// Returns the key of what this work tree alone believes.
    pub(super) fn work_tree_key(&self) -> &Key {
        &self.work_tree_key
    }

    /// Returns the folder that cited files are relative to.
    pub fn repository(&self) -> &Path {
        &self.repository
    }

    /// Returns where a path relative to the store is.
    pub fn inside(&self, relative: &str) -> Spot {
        self.folder.spot(relative)
    }

    /// Returns what a person names, from where they stand or from the store, relative to the store; empty
    /// for all of it.
    pub fn named(&self, standing: &Path, name: &str) -> String {
        let plain = name.strip_prefix("./").unwrap_or(name);
        let in_store = path_in_store(plain).trim_end_matches('/');
        let is_there = |path: &str| self.inside(path).exists();
        match self.relative(&standing.join(name)) {
            // Who stands in a folder of the store may still name a file as `search` prints it.
            Some(from_here) if is_there(&from_here) || !is_there(in_store) => from_here,
            Some(_) | None => in_store.to_owned(),
        }
    }

    /// Returns a path relative to the store, empty for all of it; nothing for what is not in there. What is
    /// gone, or not there yet, may be named too.
    fn relative(&self, path: &Path) -> Option<String> {
        let store = outside::real_path(self.store())?;
        let gone = || Some(outside::real_path(path.parent()?)?.join(path.file_name()?));
        let real = outside::real_path(path).or_else(gone)?;
        if store.starts_with(&real) {
            return Some(String::new());
        }
        Some(real.strip_prefix(&store).ok()?.to_str()?.replace('\\', "/"))
    }

    /// Returns where the policy is.
    pub fn config(&self) -> Spot {
        self.inside("config.toml")
    }

    /// Returns where the category schemas are.
    pub fn schemas(&self) -> Spot {
        self.inside("schemas")
    }

    /// Returns where the fingerprints of refused texts are.
    pub fn rejections(&self) -> Spot {
        self.inside("rejections")
    }

    /// Returns where proposals wait.
    pub fn staging(&self) -> Spot {
        self.inside("staging")
    }

    /// Returns where it is noted what became of proposals of a queue that is kept in git.
    pub fn decided(&self) -> Spot {
        self.inside(DECIDED)
    }

    /// Returns where everything is that belongs to this machine alone.
    pub fn state(&self) -> Spot {
        self.inside("state")
    }

    /// Returns where the write lock is.
    pub fn lock(&self) -> Spot {
        self.state().join("lock")
    }

    /// Returns what is held by the process that gets the write lock next.
    pub fn turn(&self) -> Spot {
        self.state().join("turn")
    }

    /// Returns where changes are recorded before they become visible.
    pub fn journal(&self) -> Spot {
        self.state().join("journal")
    }

    /// Returns where the search index is.
    pub fn index(&self) -> Spot {
        self.state().join("index.sqlite")
    }

    /// Returns where the log of decisions is.
    pub fn log(&self) -> Spot {
        self.state().join(LOG)
    }

    /// Returns where it is kept which line of the log is the last.
    pub fn log_end(&self) -> Spot {
        self.state().join("log.end")
    }

    /// Returns where it is kept how to take changes back.
    pub fn undo(&self) -> Spot {
        self.inside(&undo_path())
    }

    /// Returns where it is kept which sessions were reminded.
    pub fn reminded(&self) -> Spot {
        self.state().join("reminded")
    }

    /// Returns a path, or the first of `<path>.2`, `<path>.3` and so on, where nothing is yet.
    pub(super) fn free(&self, path: String) -> String {
        let is_free = |name: &String| !files::exists(&self.inside(name));
        let mut names = numbered(path);
        names.find(is_free).expect("a folder has fewer entries than there are numbers")
    }

    /// Returns everything that was put under a name, and under those that follow it.
    pub(super) fn taken(&self, path: String) -> impl Iterator<Item = Spot> {
        numbered(path).map(|name| self.inside(&name)).take_while(files::exists)
    }

    /// Returns where everything lies that was taken out of the way.
    pub fn trash(&self) -> Spot {
        self.state().join("trash")
    }

    /// Returns where new bytes lie before they are renamed into place.
    pub fn temporary(&self) -> Spot {
        self.state().join("tmp")
    }

    /// Returns where the new bytes of a step of a change lie, named so that recovery finds the step.
    pub(super) fn aside(&self, record: u64, step: usize) -> Spot {
        self.temporary().join(format!("{record}.{step}"))
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

/// Returns where a file with this hash lies that was saved while a change to it was being written.
pub(super) fn edited_path(hash: &str, path: &str) -> String {
    format!("state/trash/edited-{}/{path}", &hash[..12])
}

/// Returns where a file of the folder of rejections lies once it is lifted.
pub(super) fn lifted_path(name: &str) -> String {
    format!("state/trash/lifted-{name}")
}

/// Returns the folder of a proposal that waits, relative to the store.
pub(super) fn staged_path(id: &ProposalId) -> String {
    format!("staging/{id}")
}

/// Returns what a proposal that waits asks, relative to the store.
pub(super) fn question_path(id: &ProposalId) -> String {
    format!("{}/proposal.json", staged_path(id))
}

/// Returns the folder of what a proposal shows, where the queue is kept in git, relative to the store.
pub(super) fn shown_path(id: &ProposalId) -> String {
    format!("state/shown/{id}")
}

/// Returns the folder of a proposal that was decided, relative to the store.
pub(super) fn trash_path(id: &ProposalId) -> String {
    format!("state/trash/{id}")
}

/// Returns where a part of what a proposal shows lies, once it is known better.
pub(super) fn former_path(id: &ProposalId, kind: &str) -> String {
    format!("state/trash/shown-{id}/{kind}")
}

/// Returns where something lies that stood where a proposal comes to wait again.
pub(super) fn displaced_path(id: &ProposalId) -> String {
    format!("state/trash/displaced-{id}")
}

/// The folder of decisions, relative to the store.
pub(super) const DECIDED: &str = "decided";

/// Returns the file that tells other branches what became of a proposal, relative to the store.
pub fn decided_path(id: &ProposalId, decision: &str) -> String {
    format!("{DECIDED}/{id}.{decision}")
}

/// Returns the file that always lies beside the decisions, relative to the store.
pub fn steady_path() -> String {
    format!("{DECIDED}/.keep")
}

/// Returns where a proposal lies that git kept in the queue, once it has left it, relative to the store.
pub(super) fn kept_path(id: &ProposalId) -> String {
    format!("{DECIDED}/{id}.json")
}

/// Returns where the note lies that a proposal was decided, once it waits again.
pub(super) fn reopened_path(name: &str) -> String {
    format!("state/trash/reopened-{name}")
}

/// Returns the memory file that a file is a copy of, as its place tells: it must be no more readable than that.
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

/// Makes room for a derived file. A folder that stands there is none of ours, and goes to the trash.
pub(super) fn make_room(place: &Spot) -> Result<()> {
    let is_folder = place.look().is_ok_and(|seen| seen.kind == Kind::Folder);
    let Some(name) = place.file_name().and_then(|name| name.to_str()).filter(|_| is_folder) else {
        return files::remove_plain(place);
    };
    let mut rooms = numbered(format!("state/trash/{name}")).map(|path| place.folder().spot(path));
    let room = rooms.find(|room| !files::exists(room));
    files::rename(place, &room.expect("a folder has fewer entries than there are numbers"))
}

/// Returns a name and those that follow it when it is taken.
fn numbered(path: String) -> impl Iterator<Item = String> {
    let others = (2_u32..).map({
        let path = path.clone();
        move |number| format!("{path}.{number}")
    });
    std::iter::once(path).chain(others)
}

/// Returns the file that remembers a rejection, relative to the store.
pub(super) fn rejection_path(id: &ProposalId) -> String {
    rejection_name(&format!("{id}.toml"))
}

/// Returns a file of the folder of rejections, relative to the store.
pub(super) fn rejection_name(name: &str) -> String {
    format!("rejections/{name}")
}
