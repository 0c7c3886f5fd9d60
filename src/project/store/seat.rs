//! Where a store sits: the folder around it, its own name, and the repository of git, if there is one.

use std::path::{Path, PathBuf};

use super::layout::Layout;
use super::repository::Repository;
use super::strangers::refuse_to_confuse_git;
use super::tree::WorkTree;
use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};

/// Where a store sits.
#[derive(Debug, Clone)]
pub struct Seat {
    layout: Layout,
    folder: PathBuf,
    name: String,
    git: Option<WorkTree>,
    prefix: String,
}

impl Seat {
    /// Finds where a store sits.
    pub fn of(layout: &Layout) -> Result<Self> {
        let unusable = || {
            Error::new(ErrorKind::StoreNotFound, "the store has no name of its own:")
                .at(layout.store())
        };
        let store = outside::real_path(layout.store()).ok_or_else(unusable)?;
        let folder = store.parent().ok_or_else(unusable)?.to_path_buf();
        let name = store.file_name().and_then(|name| name.to_str()).ok_or_else(unusable)?;
        let git = WorkTree::of(layout.git().seen_from(&folder))?;
        let above = git.as_ref().map(WorkTree::prefix).unwrap_or_default();
        let (layout, prefix) = (layout.clone(), format!("{above}{name}/"));
        Ok(Self { layout, prefix, name: name.to_owned(), folder, git })
    }

    /// Returns the repository, with paths relative to the folder that the store is in.
    pub fn repository(&self) -> Repository {
        Repository::of(&self.layout)
    }

    /// Returns the folder that the store is in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the name of the store in it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the repository of git that the folder is in.
    pub fn git(&self) -> Option<&WorkTree> {
        self.git.as_ref()
    }

    /// Returns the repository of git, which must be there for what is asked, and will read files of the store.
    pub fn required_git(&self) -> Result<&WorkTree> {
        refuse_to_confuse_git(&self.layout)?;
        self.git.as_ref().ok_or_else(|| {
            Error::new(ErrorKind::Usage, "the store is in no git repository:")
                .at(&self.folder)
                .hint("without `--base` and `--staged` it can be checked as it is")
        })
    }

    /// Returns what leads from the root of the repository into the store, with `/` at its end.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Returns a path of the store relative to the folder it is in.
    pub fn named(&self, path: &str) -> String {
        format!("{}/{path}", self.name)
    }

    /// Returns a path relative to the store; nothing if it is not in there.
    pub fn inside<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(self.name.as_str())?.strip_prefix('/')
    }
}
