//! A git repository in a temporary folder.

use std::path::Path;

use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::git::Git;

/// A git repository in a temporary folder, removed when this value goes.
#[derive(Debug)]
pub struct ScratchRepository(tempfile::TempDir);

impl ScratchRepository {
    /// Makes the repository with some files; without git it is a plain folder.
    pub fn make(contents: &[(&str, &str)]) -> Result<Self> {
        let folder =
            tempfile::Builder::new().prefix("agent-memory-").tempdir().map_err(|error| {
                Error::new(ErrorKind::Io, "could not make a temporary folder").because(error)
            })?;
        // Without git there is no branch and no commit to cite, and the rest is the same.
        let _ = Git::make(folder.path());
        for (path, text) in contents {
            outside::write(&folder.path().join(path), text.as_bytes())?;
        }
        Ok(Self(folder))
    }

    /// Returns the folder of the repository.
    pub fn folder(&self) -> &Path {
        self.0.path()
    }
}
