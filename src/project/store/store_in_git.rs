//! Looks for a store among the files that git has, where the disk has none, or only one further up.

use std::path::Path;

use super::layout::{Layout, STORE};
use super::tree::{Tree, WorkTree};
use crate::error::Result;
use crate::git::{Git, GitTime};

/// A store that git has and that the disk has not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StoreInGit {
    /// In the index, and changed there; the path from the top of the repository, with `/` at its end.
    Staged(String),
    /// In the compared commit alone.
    Before(String),
}

/// Looks in and above a folder, or in it alone where it was named as root. `found` is the store on the disk: what git has
/// further up is of no interest.
pub(crate) fn store_in_git(
    folder: &Path,
    is_root: bool,
    found: Option<&Layout>,
    base: &str,
    time: &GitTime,
) -> Result<Option<StoreInGit>> {
    let git = Git::around(folder, time);
    let found = found.map(|layout| git.seen_from(layout.repository()).prefix().to_owned());
    let mut wanted = folders(git.prefix());
    if is_root {
        wanted.truncate(1);
    }
    wanted.retain(|folder| found.as_ref().is_none_or(|found| folder.len() > found.len()));
    let top = git.top().map(Path::to_path_buf);
    let Some(top) = top.filter(|_| !wanted.is_empty()) else { return Ok(None) };
    let Some(git) = WorkTree::of(git.seen_from(&top))? else { return Ok(None) };
    let stores: Vec<String> = wanted.iter().map(|folder| store_in(folder)).collect();
    let settings: Vec<String> = stores.iter().flat_map(|store| settings_of(store)).collect();
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let base = git.base(base)?;
    if let Some(store) = nearest(&stores, &git.tree_staged(&settings)?) {
        // In a sparse checkout a commit that leaves the store alone has nothing to check.
        let changed = git.changed_since(&base, true)?;
        let is_touched = changed.iter().any(|path| path.starts_with(&store));
        return Ok(is_touched.then_some(StoreInGit::Staged(store)));
    }
    Ok(nearest(&stores, &git.tree_of(&base, &settings)?).map(StoreInGit::Before))
}

/// Lists a folder and those above it, up to the top of the repository: each empty, or with `/` at its end.
fn folders(prefix: &str) -> Vec<String> {
    let below_top = prefix.rmatch_indices('/').map(|(at, _)| prefix[..=at].to_owned());
    below_top.chain([String::new()]).collect()
}

/// The folder itself may be the store.
fn store_in(folder: &str) -> String {
    let store = format!("{STORE}/");
    match folder.ends_with(&store) {
        true => folder.to_owned(),
        false => folder.to_owned() + &store,
    }
}

/// What makes a folder a store.
fn settings_of(store: &str) -> [String; 2] {
    ["config.toml", "schemas"].map(|name| format!("{store}{name}"))
}

fn nearest(stores: &[String], tree: &Tree) -> Option<String> {
    let has_it = |store: &&String| tree.paths().any(|path| path.starts_with(store.as_str()));
    stores.iter().find(has_it).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_itself_comes_first() {
        assert_eq!(folders("services/mail/"), ["services/mail/", "services/", ""]);
        assert_eq!(folders(""), [""]);
    }

    #[test]
    fn a_store_that_is_named_itself_is_one() {
        assert_eq!(store_in("a/"), "a/.agent-memory/");
        assert_eq!(store_in("a/.agent-memory/"), "a/.agent-memory/");
    }
}
