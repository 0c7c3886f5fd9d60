//! Finds the folder in which git keeps a repository, without asking git.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::text::visible;

/// Where git keeps its data about a work tree.
#[derive(Debug, Clone)]
pub(crate) struct GitFolder {
    /// The data of this work tree alone.
    pub(crate) own: PathBuf,
    /// The data that all work trees of the repository share.
    pub(crate) common: PathBuf,
}

impl GitFolder {
    /// Reads the `.git` of a folder; `None` if it cannot be understood or leads to a missing folder, as after the main
    /// repository was moved.
    pub(crate) fn of(top: &Path) -> Option<Self> {
        let found = Self::named(top)?;
        outside::exists(&found.own.join("HEAD")).then_some(found)
    }

    /// Does the same, but the folder may be missing.
    pub(super) fn named(top: &Path) -> Option<Self> {
        let git = top.join(".git");
        if git.is_dir() {
            return Some(Self { own: git.clone(), common: git });
        }
        // A linked work tree, or a submodule.
        let text = outside::read_text(&git).ok()??;
        let own = top.join(text.strip_prefix("gitdir:")?.trim());
        let common = outside::read_text(&own.join("commondir")).ok()?;
        let common = common.map_or_else(|| own.clone(), |common| own.join(common.trim()));
        Some(Self { own, common })
    }

    /// Tells whether a part of the repository is in a folder.
    pub(super) fn leads_into(&self, folder: &Path) -> bool {
        let is_inside = |path: &Path| {
            path.starts_with(folder)
                || outside::real_path(path).is_some_and(|p| p.starts_with(folder))
        };
        is_inside(&self.own) || is_inside(&self.common)
    }
}

/// Says what is wrong with a `.git` that leads to no repository, and what to do.
pub(super) fn why_broken(top: &Path) -> Error {
    let git = top.join(".git");
    let say = |what: String, next: String| {
        Error::new(ErrorKind::Git, format!("`{}` {what}", visible(&git.display().to_string())))
            .hint(next)
    };
    if git.is_dir() {
        // Where it cannot be looked into, that is the fault.
        return match outside::read(&git.join("HEAD")).and_then(|_| outside::folders_in(&git)) {
            Err(error) => error.hint("let this user read git's folder"),
            Ok(_) => say(
                "is a folder without `HEAD`, so it is no repository".to_owned(),
                "run `git init` beside it, or remove it".to_owned(),
            ),
        };
    }
    let text = match outside::read_text(&git) {
        Err(error) => {
            return error
                .hint("let this user read it; `git status` there says what git makes of it");
        }
        Ok(text) => text.unwrap_or_default(),
    };
    let Some(named) = text.strip_prefix("gitdir:") else {
        let next = format!("git writes one line there, `gitdir: PATH`: {}", mend(top));
        return say("names no folder of git".to_owned(), next);
    };
    why_no_repository(top, &top.join(named.trim()))
}

/// Says it of a `.git` that names a folder.
fn why_no_repository(top: &Path, own: &Path) -> Error {
    let what = match outside::exists(own) {
        true => "a folder that is no repository",
        false => "a folder that is not there",
    };
    // Git keeps the repositories of submodules in `.git/modules`; one of them may have linked worktrees.
    let parts: Vec<_> = own.iter().collect();
    let is_submodule = parts.windows(2).any(|parts| parts == [".git", "modules"])
        && !parts.iter().any(|part| *part == "worktrees");
    let next = match is_submodule {
        true => "move this submodule away, then run `git submodule update --init` in the repository above it".to_owned(),
        false => format!("if this worktree or its main clone was moved, {}", mend(top)),
    };
    let [git, own] =
        [&top.join(".git"), own].map(|path| visible(&path.display().to_string()).into_owned());
    Error::new(ErrorKind::Git, format!("`{git}` names {what}: `{own}`")).hint(next)
}

fn mend(top: &Path) -> String {
    let top = visible(&top.display().to_string()).into_owned();
    format!(
        "`git worktree repair {top}` in the main clone mends it; if that is gone, remove `.git`"
    )
}

/// Returns the nearest folder, upwards, that holds `.git`.
pub(super) fn find_top(folder: &Path) -> Option<PathBuf> {
    let has_git = |outer: &&Path| outside::exists(&outer.join(".git"));
    folder.ancestors().find(has_git).map(Path::to_path_buf)
}

/// Returns the tops of all work trees of a repository.
pub(crate) fn work_trees(common: &Path) -> Vec<PathBuf> {
    let main = common.file_name().filter(|name| *name == ".git").and_then(|_| common.parent());
    let linked = linked_trees(common).unwrap_or_default();
    main.map(Path::to_path_buf).into_iter().chain(linked).collect()
}

/// Returns the real paths of all folders that git may fill around a folder: its work trees, the other work trees of
/// these repositories, and what holds those in turn.
pub(crate) fn filled_around(folder: &Path) -> Result<BTreeSet<PathBuf>> {
    let (mut filled, mut repositories) = (BTreeSet::new(), BTreeSet::new());
    let mut to_do = vec![folder.to_owned()];
    while let Some(folder) = to_do.pop() {
        // Git lists a removed work tree until it is pruned.
        let Some(real) = outside::real_path(&folder) else { continue };
        for tree in real.ancestors().filter(|outer| outside::exists(&outer.join(".git"))) {
            let is_new = filled.insert(tree.to_owned());
            let git = if is_new { GitFolder::named(tree) } else { None };
            // The main work tree holds the common folder, unless the repository is bare.
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

/// Returns the work trees around a path, each with the common folder of its repository. Git does not list a work tree
/// that was moved.
pub(crate) fn repositories_around(place: &Path) -> Vec<(PathBuf, PathBuf)> {
    let real = outside::real_path(place).unwrap_or_else(|| place.to_owned());
    let repository = |tree: &Path| {
        let common = outside::real_path(&GitFolder::of(tree)?.common)?;
        Some((tree.to_owned(), common))
    };
    real.ancestors().filter_map(repository).collect()
}

fn linked_trees(common: &Path) -> Result<Vec<PathBuf>> {
    let mut trees = Vec::new();
    for linked in outside::folders_in(&common.join("worktrees"))? {
        let git = outside::read_path(&linked.join("gitdir"))?;
        // The path may be relative.
        trees.extend(git.and_then(|git| Some(linked.join(git).parent()?.to_owned())));
    }
    Ok(trees)
}
