//! Files of other programs below a root: reached through a held folder, never outside of it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::disk::folder::{Folder, StorePath};
use crate::disk::{files, outside};
use crate::error::{Error, ErrorKind, Result};

/// A folder with files of other programs, such as a project or a home.
#[derive(Debug)]
pub(crate) struct Elsewhere {
    folder: Folder,
}

/// A file in it, which may be missing; links on the way are resolved.
#[derive(Debug, Clone)]
pub(crate) struct OtherFile(pub(super) StorePath);

/// Where a link leads that is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeadsAway {
    Out,
    Nowhere,
    /// Into git's folder, or into a store.
    Ours,
}

impl Elsewhere {
    pub(crate) fn open(root: &Path) -> Result<Self> {
        let real = outside::real_path(root).map(|root| Folder::open(&root)).transpose()?.flatten();
        let missing = || Error::new(ErrorKind::Usage, "there is no folder").at(root);
        real.map(|folder| Self { folder }).ok_or_else(missing)
    }

    /// Finds a file through links that stay inside.
    pub(crate) fn find(&self, relative: &str) -> std::result::Result<OtherFile, LeadsAway> {
        let root = self.folder.path();
        let whole = root.join(relative);
        let there = whole.ancestors().find(|path| outside::exists(path)).unwrap_or(root);
        let real = outside::real_path(there).ok_or(LeadsAway::Nowhere)?;
        let inside = real.strip_prefix(root).map_err(|_| LeadsAway::Out)?;
        let rest = whole.strip_prefix(there).unwrap_or(Path::new(""));
        // Joining an empty path would add a `/`.
        let path = if rest == Path::new("") { inside.to_path_buf() } else { inside.join(rest) };
        // A link of the repository could name a hook, git's settings, or reviewed memory.
        let is_linked = path != Path::new(relative);
        match is_linked && path.iter().any(is_of_git_or_a_store) {
            true => Err(LeadsAway::Ours),
            false => Ok(OtherFile(self.folder.inside(path))),
        }
    }
}

fn is_of_git_or_a_store(part: &OsStr) -> bool {
    let ours = [".git", ".gitattributes", ".gitignore", ".gitmodules", ".agent-memory"];
    ours.iter().any(|name| part.eq_ignore_ascii_case(name))
}

impl OtherFile {
    pub(crate) fn relative(&self) -> PathBuf {
        self.0.relative().to_path_buf()
    }

    pub(crate) fn read(&self) -> Result<Option<Vec<u8>>> {
        files::read(&self.0)
    }
}
