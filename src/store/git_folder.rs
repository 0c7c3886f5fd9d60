//! Finds the folder in which git keeps a repository, without asking git, which costs a process.

use std::path::{Path, PathBuf};

use super::outside;

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
