//! Files of other programs below a root: reached through the folder that is held, never out of it.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::folder::{Folder, Kind, Spot};
use super::{files, outside};
use crate::error::{Error, ErrorKind, Result};

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
        Ok(OtherFile(self.folder.spot(path)))
    }
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

    /// Puts new bytes in its place in one step, with the permissions it had.
    pub fn write(&self, before: Option<&[u8]>, after: &[u8]) -> Result<()> {
        let aside = self.0.with_suffix(".agent-memory-new");
        let mut file = files::write(&aside, b"")?;
        // First the permissions, then the text: it may be nobody else's to read.
        files::copy_mode(&self.0, &file)?;
        let written = file.write_all(after).and_then(|()| file.sync_all());
        let written = written.map_err(|error| Error::io("write", &aside, error));
        let renamed = written
            .and_then(|()| self.must_still_be(before))
            .and_then(|()| files::rename(&aside, &self.0));
        if renamed.is_err() {
            files::discard(&aside)?;
        }
        renamed
    }

    /// Removes it, with the folders that are empty then.
    pub fn remove(&self, before: &[u8]) -> Result<()> {
        self.must_still_be(Some(before))?;
        files::remove_plain(&self.0)?;
        let folders = self.0.ancestors().skip(1).filter(|spot| spot.relative() != Path::new(""));
        for folder in folders {
            if folder.remove(Kind::Folder).is_err() {
                break;
            }
        }
        Ok(())
    }

    fn must_still_be(&self, before: Option<&[u8]>) -> Result<()> {
        match self.read()?.as_deref() == before {
            true => Ok(()),
            false => Err(Error::new(ErrorKind::Io, "it was edited at the same moment:")
                .at(&self.0)
                .hint("nothing was written there; do it again")),
        }
    }
}
