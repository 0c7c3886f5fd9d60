//! What lies beside a file of another program while that is replaced, and what a run that was killed left there.

use std::io::ErrorKind as IoKind;
use std::path::{Path, PathBuf};

use super::OtherFile;
use crate::disk::folder::{Kind, Spot};
use crate::disk::{files, outside};
use crate::error::Result;

impl OtherFile {
    /// Returns where the new bytes lie before they take the place of the file, and then the old ones.
    pub(super) fn aside(&self) -> Spot {
        self.0.with_suffix(outside::ASIDE)
    }

    /// Reads what lies aside; nothing if nothing does.
    pub fn read_aside(&self) -> Result<Option<Vec<u8>>> {
        files::read(&self.aside())
    }

    /// Removes what lies aside, with the folders that are empty then.
    pub fn clear_aside(&self) -> Result<()> {
        files::discard(&self.aside())?;
        let above = self.0.ancestors().skip(1);
        for folder in above.filter(|spot| spot.relative() != Path::new("")) {
            match folder.remove(Kind::Folder) {
                Err(error) if error.kind() != IoKind::NotFound => break,
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    /// Gives what lies aside a name that nothing has, as it may be somebody's work; returns the name.
    pub fn keep_aside(&self) -> Result<PathBuf> {
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
