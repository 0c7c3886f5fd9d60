//! `ci`: finds the stores that a file for CI checks, and the branch that it guards.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::ci_package::CiPackage;
use super::project::Project;
use super::session::Session;
use crate::error::{ErrorKind, Result};
use crate::project::store::{Layout, Repository, Store};

/// What a file for CI is about.
#[derive(Debug)]
pub(crate) struct CiFacts {
    /// The folders with a store, relative to the top of the repository; the top itself is `.`.
    pub roots: Vec<String>,
    pub branch: String,
    /// The folders of the files that the stores read where they are, relative to the top; the top itself is empty.
    pub read_folders: BTreeSet<String>,
    /// What is installed instead of the published package.
    pub package: Option<CiPackage>,
}

/// Finds the stores and the default branch; `named` are the roots that a person named, `from` is the package.
pub(crate) fn ci(session: &Session, named: &[PathBuf], from: Option<&str>) -> Result<CiFacts> {
    let session = &session.here();
    let roots = roots(session, named)?;
    let branch = Repository::around(&session.folder, &session.git_time).forge_branch()?;
    let read_folders = read_folders(session, &roots)?;
    let package = from.map(|from| CiPackage::find(session, &top(session), from)).transpose()?;
    Ok(CiFacts { roots, branch, read_folders, package })
}

fn top(session: &Session) -> PathBuf {
    Repository::find(&session.folder).unwrap_or_else(|| session.folder.clone())
}

/// Returns the folders of the files that stores read where they are; a store that is only in git says nothing here.
fn read_folders(session: &Session, roots: &[String]) -> Result<BTreeSet<String>> {
    let top = top(session);
    let mut folders = BTreeSet::new();
    for root in roots {
        let Ok(layout) = Layout::at(&top.join(root), &session.git_time) else { continue };
        let below = if root == "." { String::new() } else { format!("{root}/") };
        let rules = Store::at(layout).config()?.reads;
        let named = rules.iter().map(|rule| format!("{below}{}", rule.folder()));
        folders.extend(named.map(|folder| folder.trim_end_matches('/').to_owned()));
    }
    Ok(folders)
}

/// Returns the named stores, else the one that the working directory belongs to. At the top of a repository these are
/// all its stores.
pub(super) fn roots(session: &Session, named: &[PathBuf]) -> Result<Vec<String>> {
    if !named.is_empty() {
        let open = |root: &PathBuf| Layout::at(&session.folder.join(root), &session.git_time);
        let roots: Result<BTreeSet<String>> =
            named.iter().map(|root| open(root).map(|layout| root_in_git(&layout))).collect();
        return Ok(shown(roots?));
    }
    let nearest = match session.layout() {
        Ok(layout) => root_in_git(&layout),
        Err(error) if error.kind() == ErrorKind::StoreNotFound => String::new(),
        Err(error) => return Err(error),
    };
    if !nearest.is_empty() || session.root.is_some() {
        return Ok(shown(BTreeSet::from([nearest])));
    }
    let mut roots = Repository::around(&session.folder, &session.git_time).store_roots()?;
    if session.layout().is_ok() || roots.is_empty() {
        roots.insert(nearest);
    }
    Ok(shown(roots))
}

/// Returns all stores of the repository with those of the session: a hook runs for a commit of any of them.
pub(super) fn roots_for_hook(session: &Session) -> Result<Vec<String>> {
    let all = Repository::around(&session.folder, &session.git_time).store_roots()?;
    let mut all: BTreeSet<String> = shown(all).into_iter().collect();
    all.extend(roots(session, &[])?);
    Ok(all.into_iter().collect())
}

fn shown(roots: BTreeSet<String>) -> Vec<String> {
    let name = |root: String| if root.is_empty() { ".".to_owned() } else { root };
    roots.into_iter().map(name).collect()
}

impl Project {
    /// Returns its root relative to the top of git's work tree; `.` for the top.
    pub(super) fn root_in_git(&self) -> String {
        let root = root_in_git(self.store.layout());
        if root.is_empty() { ".".to_owned() } else { root }
    }
}

/// Returns the root of a store relative to the top of git's work tree; empty where it is the top, or there is no git.
fn root_in_git(layout: &Layout) -> String {
    let prefix = layout.prefix().unwrap_or_default();
    prefix.strip_suffix(".agent-memory/").unwrap_or(prefix).trim_end_matches('/').to_owned()
}
