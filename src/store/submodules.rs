//! Knows the other repositories that git keeps in folders of a work tree.

use std::path::Path;

use super::outside;
use super::tree::WorkTree;
use crate::error::Result;

/// The submodules of a work tree, relative to the folder that it is seen from.
#[derive(Debug)]
pub struct Submodules(Vec<String>);

impl Submodules {
    /// Reads which there are: in a commit, or as they are staged.
    pub fn of(git: &WorkTree, commit: Option<&str>) -> Result<Self> {
        let named = git.named_submodules(commit);
        if named.is_empty() {
            return Ok(Self(named));
        }
        let paths: Vec<&str> = named.iter().map(String::as_str).collect();
        let tree = match commit {
            Some(commit) => git.tree_of(commit, &paths)?,
            None => git.tree_staged(&paths)?,
        };
        // A name may be left of what is a plain folder by now, whose files git lists.
        Ok(Self(named.into_iter().filter(|path| tree.is_repository(path)).collect()))
    }

    /// Returns the one that a path leads into.
    pub fn above(&self, path: &str) -> Option<&str> {
        self.0.iter().map(String::as_str).find(|submodule| inside(path, submodule).is_some())
    }
}

/// Tells whether a path leads into a submodule of a folder, or into one in that, whose files are not on the disk.
pub fn is_out_of_sight(folder: &Path, submodule: &str, path: &str) -> bool {
    let folder = folder.join(submodule);
    if !outside::exists(&folder.join(".git")) {
        return true;
    }
    let Some(rest) = inside(path, submodule) else { return false };
    let Ok(Some(git)) = WorkTree::at(&folder) else { return false };
    let inner = Submodules::of(&git, None);
    inner.is_ok_and(|inner| {
        inner.above(rest).is_some_and(|deeper| is_out_of_sight(&folder, deeper, rest))
    })
}

fn inside<'p>(path: &'p str, submodule: &str) -> Option<&'p str> {
    path.strip_prefix(submodule)?.strip_prefix('/')
}
