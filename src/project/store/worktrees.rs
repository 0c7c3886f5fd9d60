//! Asks git for the worktrees of a repository, each of which may have a store of its own.

use std::path::{Path, PathBuf};

use super::layout::Layout;
use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::git::{Git, GitFolder, RepositoryKind};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Worktree {
    pub(crate) path: PathBuf,
    /// `None` where `HEAD` is detached.
    pub(crate) branch: Option<String>,
    /// Where its store would be: the folder to name as root.
    pub(crate) root: PathBuf,
    /// Whether the current store is in it.
    pub(crate) is_current: bool,
}

/// The worktrees that git lists.
#[derive(Debug, Default)]
pub(crate) struct Worktrees {
    /// Those of this repository, the main one first.
    pub(crate) own: Vec<Worktree>,
    /// Folders of something else: the list of git can be forged.
    pub(crate) others: Vec<PathBuf>,
}

pub(crate) fn worktrees(layout: &Layout) -> Result<Worktrees> {
    let git = layout.git();
    if git.find()? == RepositoryKind::Nothing {
        let message = "this is no git repository";
        return Err(Error::new(ErrorKind::Usage, message).hint("worktrees are git's"));
    }
    let said = git.run(&["worktree", "list", "--porcelain", "-z"], b"")?;
    let here = git.top().and_then(outside::real_path);
    let prefix = Path::new(git.prefix());
    let below = if prefix.ends_with(".agent-memory") { prefix.parent() } else { Some(prefix) };
    let below = below.unwrap_or(prefix);
    let mut found = Worktrees::default();
    for (path, branch) in read(&String::from_utf8_lossy(&said)) {
        let path = match git.folder().filter(|folder| outside::is_same(&folder.common, &path)) {
            Some(folder) => main_worktree(git, folder)?.unwrap_or(path),
            None => path,
        };
        let root = path.join(below);
        let is_current = here.is_some() && outside::real_path(&path) == here;
        if !outside::exists(&path) {
            continue;
        }
        match is_own(git, &path) && is_below(&root, &path) {
            true => found.own.push(Worktree { path, branch, root, is_current }),
            false => found.others.push(path),
        }
    }
    Ok(found)
}

/// Finds the main worktree where git lists its own folder in place of it, as in a submodule. Without `core.worktree` only
/// the main worktree itself tells where it is; `None` elsewhere.
fn main_worktree(git: &Git, folder: &GitFolder) -> Result<Option<PathBuf>> {
    let named = git.consult_line(&["config", "core.worktree"])?;
    let is_main = outside::is_same(&folder.own, &folder.common);
    let here = git.top().filter(|_| is_main).map(Path::to_path_buf);
    Ok(named
        .map(|path| folder.common.join(path))
        .and_then(|path| outside::real_path(&path))
        .or(here))
}

/// Tells whether a folder is a worktree of the repository: its `.git` leads to the repository's data about it, and that
/// leads back.
fn is_own(git: &Git, path: &Path) -> bool {
    let (Some(ours), Some(theirs)) = (git.folder(), GitFolder::of(path)) else { return false };
    if !outside::is_same(&ours.common, &theirs.common) {
        return false;
    }
    if outside::is_same(&theirs.own, &theirs.common) {
        return true;
    }
    let kept = theirs
        .own
        .parent()
        .is_some_and(|kept| outside::is_same(kept, ours.common.join("worktrees")));
    let back = outside::read_text(&theirs.own.join("gitdir")).ok().flatten();
    let back = back.map(|back| theirs.own.join(back.trim_end_matches(['\n', '\r'])));
    kept && back.is_some_and(|back| outside::is_same(&back, path.join(".git")))
}

/// Tells whether a folder is in a worktree and no link leads out; a missing one counts.
fn is_below(root: &Path, worktree: &Path) -> bool {
    let (root, worktree) = (outside::real_path(root), outside::real_path(worktree));
    root.is_none_or(|root| worktree.is_some_and(|worktree| root.starts_with(worktree)))
}

/// Parses git's list: the folder of each worktree with files, and its branch.
fn read(said: &str) -> Vec<(PathBuf, Option<String>)> {
    let mut found: Vec<(PathBuf, Option<String>)> = Vec::new();
    let records = said.split("\0\0").map(|record| record.split('\0').collect::<Vec<_>>());
    for record in records.filter(|record| !record.contains(&"bare")) {
        let value =
            |name: &str| record.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let Some(path) = value("worktree") else { continue };
        let branch = value("branch").map(|name| name.strip_prefix("refs/heads/").unwrap_or(name));
        found.push((PathBuf::from(path), branch.map(str::to_owned)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worktrees_are_read_with_their_branches() {
        let said = "worktree /a\0HEAD 11\0branch refs/heads/main\0\0worktree /b c\0HEAD 22\0detached\0\0worktree /d\0bare\0\0";
        let main = (PathBuf::from("/a"), Some("main".to_owned()));
        assert_eq!(read(said), [main, (PathBuf::from("/b c"), None)]);
        assert!(read("").is_empty());
    }
}
