//! Where a store is: its parent folder, its name, and the git repository, if there is one.

use std::path::{Path, PathBuf};

use super::layout::Layout;
use super::repository::Repository;
use super::tree::WorkTree;
use super::unexpected::refuse_to_confuse_git;
use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};

#[derive(Debug, Clone)]
pub(crate) struct Seat {
    layout: Layout,
    folder: PathBuf,
    name: String,
    git: Option<WorkTree>,
    prefix: String,
}

impl Seat {
    pub(crate) fn of(layout: &Layout) -> Result<Self> {
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

    /// Paths are relative to the parent folder of the store.
    pub(crate) fn repository(&self) -> Repository {
        Repository::of(&self.layout)
    }

    /// Returns the folder that holds the store as it is seen from another one; empty in it and below.
    pub(crate) fn root_from(&self, folder: &Path) -> String {
        let here = outside::real_path(folder).unwrap_or_else(|| folder.to_path_buf());
        if here.starts_with(&self.folder) {
            return String::new();
        }
        let below = self.folder.strip_prefix(&here);
        below.unwrap_or(&self.folder).display().to_string()
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn git(&self) -> Option<&WorkTree> {
        self.git.as_ref()
    }

    /// Returns the git repository, or an error if there is none.
    pub(crate) fn required_git(&self) -> Result<&WorkTree> {
        refuse_to_confuse_git(&self.layout)?;
        self.git.as_ref().ok_or_else(|| {
            Error::new(ErrorKind::Usage, "the store is in no git repository:")
                .at(&self.folder)
                .hint("without `--base` and `--staged` it can be checked as it is")
        })
    }

    /// Returns the path from the top of the repository into the store, with `/` at its end.
    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Returns a path of the store relative to its parent folder.
    pub(crate) fn named(&self, path: &str) -> String {
        format!("{}/{path}", self.name)
    }

    /// Returns a path relative to the store; `None` if it is outside.
    pub(crate) fn inside<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(self.name.as_str())?.strip_prefix('/')
    }
}
