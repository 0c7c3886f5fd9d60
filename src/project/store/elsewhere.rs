//! Files of other programs below a root: reached through the folder that is held, never out of it.

mod aside;
mod landing;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::disk::folder::{Folder, Spot};
use crate::disk::{files, outside};
use crate::error::{Error, ErrorKind, Result};

pub use landing::{Change, lay_aside};

/// A folder of somebody else's, such as a project or a home.
#[derive(Debug)]
pub struct Elsewhere {
    folder: Folder,
}

/// A file in it, or the place of one; links on the way to it are resolved.
#[derive(Debug, Clone)]
pub struct OtherFile(Spot);

/// Where a link leads that nobody follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeadsAway {
    /// Out of the root.
    Out,
    /// To nothing.
    Nowhere,
    /// Into the folder of git, or into a store.
    Ours,
}

impl Elsewhere {
    /// Takes hold of a folder.
    pub fn open(root: &Path) -> Result<Self> {
        let real = outside::real_path(root).map(|root| Folder::open(&root)).transpose()?.flatten();
        let missing = || Error::new(ErrorKind::Usage, "there is no folder").at(root);
        real.map(|folder| Self { folder }).ok_or_else(missing)
    }

    /// Returns where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Finds the place of a file, through links that stay inside.
    pub fn find(&self, relative: &str) -> std::result::Result<OtherFile, LeadsAway> {
        let root = self.folder.path();
        let whole = root.join(relative);
        let there = whole.ancestors().find(|path| outside::exists(path)).unwrap_or(root);
        let real = outside::real_path(there).ok_or(LeadsAway::Nowhere)?;
        let inside = real.strip_prefix(root).map_err(|_| LeadsAway::Out)?;
        let rest = whole.strip_prefix(there).unwrap_or(Path::new(""));
        // Joining nothing would leave a `/` at the end.
        let path = if rest == Path::new("") { inside.to_path_buf() } else { inside.join(rest) };
        // A link of the repository may name a hook, the settings of git, or reviewed memory.
        let is_linked = path != Path::new(relative);
        match is_linked && path.iter().any(is_of_git_or_a_store) {
            true => Err(LeadsAway::Ours),
            false => Ok(OtherFile(self.folder.spot(path))),
        }
    }
}

/// Tells whether a part of a path is of git or of a store, where no other program has a file.
fn is_of_git_or_a_store(part: &OsStr) -> bool {
    let ours = [".git", ".gitattributes", ".gitignore", ".gitmodules", ".agent-memory"];
    ours.iter().any(|name| part.eq_ignore_ascii_case(name))
}

impl OtherFile {
    /// Returns where it is below the root.
    pub fn relative(&self) -> PathBuf {
        self.0.relative().to_path_buf()
    }

    /// Reads it; nothing if it is not there.
    pub fn read(&self) -> Result<Option<Vec<u8>>> {
        files::read(&self.0)
    }
}
