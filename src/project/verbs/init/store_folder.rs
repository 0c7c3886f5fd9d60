//! The folder in which a store is made, and those in which none may be.

use std::path::Path;

use super::wanted::WantedFiles;

use crate::error::{Error, ErrorKind, Result};
use crate::git::GitTime;
use crate::project::schema::Catalog;
use crate::project::store::{Layout, Repository, STORE};
use crate::project::verbs::adopt::AdoptionTarget;
use crate::project::verbs::ignored::ignoring_new;
use crate::project::verbs::session::Session;

/// Finds the store, or tells whether one can be made.
pub(super) fn find(session: &Session, root: &Path) -> Result<Option<Layout>> {
    match session.layout() {
        Err(error) if error.kind() == ErrorKind::StoreNotFound => {}
        found => return found.map(Some),
    }
    refuse_without_work_tree(root, &session.git_time)?;
    let (defaults, _) = WantedFiles::of(AdoptionTarget::default(), None)?;
    refuse_ignored(&root.join(STORE), &session.git_time, &defaults.catalog)?;
    Layout::found_in(root, &session.git_time)
}

/// Refuses a folder from which git could never commit.
fn refuse_without_work_tree(root: &Path, time: &GitTime) -> Result<()> {
    // Where git refuses to answer, a store can still be made; the answer of `init` says so.
    let Ok(Some(trees)) = Repository::around(root, time).work_trees_elsewhere() else {
        return Ok(());
    };
    let message = "git has no work tree here, so it could never commit the store:";
    let hint = match trees.first() {
        Some(tree) => format!("go into a work tree, such as {}", tree.display()),
        None => "make a work tree with `git worktree add`, and go into it".to_owned(),
    };
    Err(Error::new(ErrorKind::Git, message).at(root).hint(hint))
}

/// Refuses a store of which git ignores a part; returns warnings.
pub(super) fn refuse_ignored(
    store: &Path,
    time: &GitTime,
    catalog: &Catalog,
) -> Result<Option<String>> {
    match ignoring_new(store, time, catalog) {
        Ok(ignoring) => ignoring.error().map_or(Ok(ignoring.note()), Err),
        Err(error) => Ok(Some(format!("what git ignores is not known: {error}"))),
    }
}
