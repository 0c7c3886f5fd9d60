//! Asks git for the worktrees of a repository, each of which may have a store of its own.

use std::path::{Path, PathBuf};

use super::git::Git;
use super::{Layout, outside};
use crate::error::{Error, ErrorKind, Result};

/// A worktree of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worktree {
    /// Its folder.
    pub path: PathBuf,
    /// Its branch; none where `HEAD` is detached.
    pub branch: Option<String>,
    /// Where its store would be: the folder to name as root.
    pub root: PathBuf,
    /// Whether the store at hand is in it.
    pub is_current: bool,
}

/// Returns all worktrees, the main one first.
pub fn worktrees(layout: &Layout) -> Result<Vec<Worktree>> {
    let git = Git::at(layout.store());
    let said = git.consult(&["worktree", "list", "--porcelain", "-z"])?.ok_or_else(|| {
        Error::new(ErrorKind::Usage, "this is no git repository").hint("worktrees are git's")
    })?;
    let here = git.ask_line(&["rev-parse", "--show-toplevel"]).map(PathBuf::from);
    let here = here.as_deref().and_then(outside::real_path);
    let prefix = git.ask_line(&["rev-parse", "--show-prefix"]).unwrap_or_default();
    let prefix = Path::new(&prefix);
    let below = if prefix.ends_with(".agent-memory") { prefix.parent() } else { Some(prefix) };
    let below = below.unwrap_or(prefix);
    let found = read(&String::from_utf8_lossy(&said)).into_iter();
    let found = found.map(|(path, branch)| Worktree {
        root: path.join(below),
        is_current: here.is_some() && outside::real_path(&path) == here,
        path,
        branch,
    });
    Ok(found.collect())
}

/// Reads what git lists: the folder of each worktree that has files, and its branch.
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
