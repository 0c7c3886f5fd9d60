//! Knows the files that git keeps and a sparse checkout does not lay out.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use super::git::{Git, listed};
use super::git_folder::GitFolder;
use super::{Store, outside, read_content};
use crate::check::Content;
use crate::error::{Error, ErrorKind, Result};

/// What a sparse checkout leaves out of the work tree that a folder is in.
#[derive(Debug, Clone, Default)]
pub(super) struct NotLaidOut {
    /// The ids of the files by their paths. Asked once, as git reads its whole index for one as for all.
    files: OnceLock<BTreeMap<String, String>>,
}

impl NotLaidOut {
    /// Returns the id of a file that is not laid out; nothing where git has none by that name.
    pub(super) fn blob(&self, folder: &Path, path: &str) -> Option<&str> {
        self.files(folder).get(path).map(String::as_str)
    }

    /// Tells whether a file, or files in a folder, are there and not laid out.
    pub(super) fn has(&self, folder: &Path, path: &str) -> bool {
        let below = format!("{path}/");
        let first = self.files(folder).range(below.clone()..).next();
        self.blob(folder, path).is_some() || first.is_some_and(|(path, _)| path.starts_with(&below))
    }

    /// Returns the ids of all files that are not laid out, by their paths.
    pub(super) fn files(&self, folder: &Path) -> &BTreeMap<String, String> {
        self.files.get_or_init(|| match is_sparse(folder) {
            true => {
                let answer = Git::at(folder).ask(&["ls-files", "-t", "--stage", "-z"]);
                listed(&answer.unwrap_or_default()).filter_map(|line| left_out(&line)).collect()
            }
            false => BTreeMap::new(),
        })
    }
}

impl Store {
    /// Returns the files of the store that a sparse checkout leaves out, with their blobs.
    pub fn left_out(&self) -> &BTreeMap<String, String> {
        self.not_laid_out.files(self.layout.store())
    }

    /// Refuses to decide by half of the rules: what was denied, or refused, would land.
    pub(super) fn refuse_missing_rules(&self) -> Result<()> {
        let is_rule = |path: &&String| {
            path.as_str() == "config.toml"
                || path.starts_with("schemas/")
                || path.starts_with("rejections/")
        };
        let Some(path) = self.left_out().keys().find(is_rule) else { return Ok(()) };
        let message = format!("a sparse checkout leaves out `{path}`, by which the store decides");
        let hint = "`git sparse-checkout add .agent-memory` lays it out";
        Err(Error::new(ErrorKind::ConfigInvalid, message).at(self.layout.store()).hint(hint))
    }

    /// Reads a file of the store, from git where it is not laid out, or says why it cannot be read.
    pub fn content(&self, path: &str) -> Content {
        let is_there = || outside::exists(&self.layout.store().join(path));
        let left_out = self.left_out().get(path).filter(|_| !is_there());
        let bytes = left_out
            .and_then(|id| Git::at(self.layout.store()).ask(&["cat-file", "blob", id.as_str()]));
        bytes.map_or_else(|| read_content(self.layout.folder(), path), Content::of)
    }
}

/// Reads path and id of a file in `S MODE ID STAGE TAB PATH`; nothing of one that is laid out.
fn left_out(line: &str) -> Option<(String, String)> {
    let (head, path) = line.split_once('\t')?;
    let (mode, rest) = head.strip_prefix("S ")?.split_once(' ')?;
    let id = rest.split_once(' ').filter(|_| mode.starts_with("100"))?.0;
    Some((path.to_owned(), id.to_owned()))
}

fn is_sparse(folder: &Path) -> bool {
    // What git itself says costs a process, which nearly nobody needs.
    let may_be = GitFolder::around(folder)
        .is_some_and(|git| outside::exists(&git.own.join("info/sparse-checkout")));
    let setting = || Git::at(folder).ask_line(&["config", "--type=bool", "core.sparseCheckout"]);
    may_be && setting().as_deref() == Some("true")
}
