//! The temp file beside a file of another program, and what a killed run left there.

use std::io::ErrorKind as IoKind;
use std::path::{Path, PathBuf};

use super::other_file::OtherFile;
use crate::disk::folder::{FileKind, StorePath};
use crate::disk::{files, outside};
use crate::error::Result;

impl OtherFile {
    /// Holds the new bytes before the exchange, and the old ones after it.
    pub(super) fn aside(&self) -> StorePath {
        self.0.with_suffix(outside::ASIDE)
    }

    pub(crate) fn read_aside(&self) -> Result<Option<Vec<u8>>> {
        files::read(&self.aside())
    }

    /// Removes the temp file, and the folders that are empty then.
    pub(crate) fn clear_aside(&self) -> Result<()> {
        files::discard(&self.aside())?;
        let above = self.0.ancestors().skip(1);
        for folder in above.filter(|spot| spot.relative() != Path::new("")) {
            match folder.remove(FileKind::Folder) {
                Err(error) if error.kind() != IoKind::NotFound => break,
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    /// Renames the temp file to a free name, as it may be a person's work; returns that name.
    pub(crate) fn keep_aside(&self) -> Result<PathBuf> {
        let mut kept = self.0.with_suffix(".agent-memory-kept");
        for number in 2.. {
            if !files::is_there(&kept)? {
                break;
            }
            kept = self.0.with_suffix(&format!(".agent-memory-kept-{number}"));
        }
        files::rename(&self.aside(), &kept)?;
        Ok(kept.relative().to_path_buf())
    }
}
