//! A git repository in a temporary folder.

use std::path::Path;

use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::git::Git;

/// A git repository in a temp folder; dropping the value removes it.
#[derive(Debug)]
pub(crate) struct ScratchRepository(tempfile::TempDir);

impl ScratchRepository {
    /// Writes the files; without git it is a plain folder.
    pub(crate) fn make(contents: &[(&str, &str)]) -> Result<Self> {
        let folder =
            tempfile::Builder::new().prefix("agent-memory-").tempdir().map_err(|error| {
                Error::new(ErrorKind::Io, "could not make a temporary folder").because(error)
            })?;
        // Without git there is no branch and no commit to cite; the rest works.
        let _ = Git::make(folder.path());
        for (path, text) in contents {
            outside::write(&folder.path().join(path), text.as_bytes())?;
        }
        Ok(Self(folder))
    }

    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }
}
