//! Finds the folder in which git keeps a repository, without asking git, which costs a process.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::outside;
use crate::error::Result;

/// Where git keeps what it knows of a work tree.
pub(super) struct GitFolder {
    /// What is of this work tree alone.
    pub(super) own: PathBuf,
    /// What it shares with the other work trees of the repository.
    pub(super) common: PathBuf,
}

impl GitFolder {
    /// Finds it for the work tree around a folder; nothing if there is none, or none that can be understood.
    pub(super) fn around(folder: &Path) -> Option<Self> {
        let git = find(folder)?;
        if git.is_dir() {
            return Some(Self { own: git.clone(), common: git });
        }
        // A linked work tree, or a submodule.
        let text = outside::read_text(&git).ok()??;
        let own = git.parent()?.join(text.strip_prefix("gitdir:")?.trim());
        let common = outside::read_text(&own.join("commondir")).ok()?;
        let common = common.map_or_else(|| own.clone(), |common| own.join(common.trim()));
        Some(Self { own, common })
    }
}

/// Returns the tops of the work trees of a repository, as its common folder names them.
pub(super) fn work_trees(common: &Path) -> Vec<PathBuf> {
    let linked = outside::names(&common.join("worktrees")).into_iter().filter_map(|name| {
        let text =
            outside::read_text(&common.join("worktrees").join(name).join("gitdir")).ok()??;
        Path::new(text.trim_end()).parent().map(Path::to_path_buf)
    });
    let main = common.file_name().filter(|name| *name == ".git").and_then(|_| common.parent());
    main.map(Path::to_path_buf).into_iter().chain(linked).collect()
}

/// Returns the `.git` of the work tree around a folder.
pub(super) fn find(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().map(|outer| outer.join(".git")).find(|git| outside::exists(git))
}

/// Returns the folders that git may fill and that have to do with a folder, by their real paths: the work trees
/// around it, the other work trees of these repositories, and what holds those in turn.
pub(super) fn filled_around(folder: &Path) -> Result<BTreeSet<PathBuf>> {
    let (mut filled, mut repositories) = (BTreeSet::new(), BTreeSet::new());
    let mut to_do = vec![folder.to_owned()];
    while let Some(folder) = to_do.pop() {
        // A work tree that was removed is listed until git prunes it.
        let Some(real) = outside::real_path(&folder) else { continue };
        for tree in real.ancestors().filter(|outer| outside::exists(&outer.join(".git"))) {
            let is_new = filled.insert(tree.to_owned());
            let git = if is_new { GitFolder::around(tree) } else { None };
            // The main work tree is around the folder that all of them share, unless the repository is bare.
            let common = git.and_then(|git| outside::real_path(&git.common));
            if let Some(common) = common.filter(|common| repositories.insert(common.clone())) {
                to_do.extend(linked_trees(&common)?);
                to_do.push(common);
            }
        }
        filled.insert(real);
    }
    Ok(filled)
}

/// Returns the work trees that were added to a repository.
fn linked_trees(common: &Path) -> Result<Vec<PathBuf>> {
    let mut trees = Vec::new();
    for linked in outside::folders_in(&common.join("worktrees"))? {
        let git = outside::read_path(&linked.join("gitdir"))?;
        // It may be relative to where it stands.
        trees.extend(git.and_then(|git| Some(linked.join(git).parent()?.to_owned())));
    }
    Ok(trees)
}
