//! Finds the store that a folder belongs to, or says where the search ended.

use std::path::Path;

use super::foreign::JOURNAL;
use super::layout::{Layout, STORE};
use crate::disk::folder::{FileKind, Folder};
use crate::disk::journal::Journal;
use crate::disk::{files, outside};
use crate::error::{Error, ErrorKind, Result};
use crate::git::GitTime;

impl Layout {
    /// Finds the store of a folder, upwards to the top of the repository around it.
    pub(crate) fn discover(from: &Path, time: &GitTime) -> Result<Self> {
        let mut stores = searched(from).map(|folder| Self::of_store_in(folder, time));
        stores.find_map(Result::transpose).unwrap_or_else(|| Err(not_found(from)))
    }

    /// Opens a folder that the caller named: a repository with a store, or a store itself.
    pub(crate) fn at(root: &Path, time: &GitTime) -> Result<Self> {
        if let Some(layout) = Self::of_store_in(root, time)? {
            return Ok(layout);
        }
        let folder = match is_whole_store(root) {
            true => Folder::open(root)?,
            false => None,
        };
        let Some(folder) = folder else { return Err(no_store_in(root)) };
        let absolute = std::path::absolute(root).map_err(|e| Error::io("resolve", root, e))?;
        let repository = absolute.parent().unwrap_or(&absolute).to_path_buf();
        Self::over(folder, repository, time)
    }

    /// Opens the store of a repository. A folder is none without settings: other tools use the name too, and git leaves
    /// what it ignores behind when it switches to a branch without a store.
    fn of_store_in(repository: &Path, time: &GitTime) -> Result<Option<Self>> {
        let Some(folder) = Folder::open(&repository.join(STORE))? else { return Ok(None) };
        if has_settings(&folder) {
            return Self::found_in(repository, time);
        }
        if !files::exists(&folder.inside(JOURNAL)) {
            return Ok(None);
        }
        // `init` may have been cut off: what this machine began to write will be there.
        let layout = Self::found_in(repository, time)?;
        let is_settled = layout.as_deref().map_or(Ok(true), Journal::is_settled)?;
        Ok(layout.filter(|_| !is_settled))
    }
}

/// Returns the root of the nearest store of a folder. What cannot be looked at is none.
pub(crate) fn nearest_root(from: &Path) -> Option<&Path> {
    searched(from).find(|folder| {
        Folder::open(&folder.join(STORE)).ok().flatten().as_ref().is_some_and(has_settings)
    })
}

/// A nested repository has its own memory: the search ends at its top.
fn searched(from: &Path) -> impl Iterator<Item = &Path> {
    let mut is_inside = true;
    from.ancestors().take_while(move |folder| {
        let here = is_inside;
        is_inside = !outside::exists(&folder.join(".git"));
        here
    })
}

fn has_settings(folder: &Folder) -> bool {
    let kind = |name: &str| folder.inside(name).metadata().ok().map(|seen| seen.kind);
    kind("config.toml").is_some() || kind("schemas") == Some(FileKind::Folder)
}

/// A folder of another name is a store only where it has all that a store has.
fn is_whole_store(folder: &Path) -> bool {
    outside::is_plain(&folder.join("config.toml")) && outside::is_folder(&folder.join("schemas"))
}

fn not_found(from: &Path) -> Error {
    let last = searched(from).last().unwrap_or(from);
    let is_repository = outside::exists(&last.join(".git"));
    let message = match is_repository {
        true if last == from => format!("there is no store in the repository {}", shown(from)),
        true => format!(
            "there is no store in {} or above, up to {}, the top of the repository",
            shown(from),
            shown(last)
        ),
        false => format!("there is no store in {} or above", shown(from)),
    };
    let other = searched(from).find(|folder| outside::is_folder(&folder.join(STORE)));
    let hint = match other {
        Some(root) => not_ours(root),
        None => match last.parent().and_then(nearest_root).filter(|_| is_repository) {
            Some(root) => format!("the nearest one above it is in {}: name it with `--root`, or run `agent-memory init` at the top of this repository", shown(root)),
            None if is_repository => "run `agent-memory init` at the top of the repository, or switch to a branch that has the store".to_owned(),
            None => "this folder is in no repository: name one with `--root DIR` (in the settings of a client: `\"args\": [\"mcp\", \"--root\", \"DIR\"]`), or run `agent-memory init` in it".to_owned(),
        },
    };
    Error::new(ErrorKind::StoreNotFound, message).hint(hint)
}

fn no_store_in(root: &Path) -> Error {
    let hint = match outside::is_folder(&root.join(STORE)) {
        true => not_ours(root),
        false => "give the root of a repository that has `.agent-memory`, or run `agent-memory init` there".to_owned(),
    };
    Error::new(ErrorKind::StoreNotFound, "there is no store in").at(root).hint(hint)
}

fn not_ours(root: &Path) -> String {
    format!(
        "{} is no store: it has neither `config.toml` nor `schemas/`. Switch to a branch that has the store, or run `agent-memory init`, which leaves the files that are there as they are",
        shown(&root.join(STORE))
    )
}

fn shown(path: &Path) -> String {
    format!("`{}`", path.display())
}
