//! A text that a person edits, outside of the store.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::outside;
use crate::error::{Error, ErrorKind, Result};

/// A text in a temp file that only the user can read; dropping the value removes it.
#[derive(Debug)]
pub struct DraftFile(tempfile::NamedTempFile);

impl DraftFile {
    /// Writes the text to a file that ends in `.md`, so that editors know the format.
    pub(crate) fn make(text: &str) -> Result<Self> {
        Self::named(text, ".md")
    }

    /// Writes the text to a file whose name ends so.
    pub(crate) fn named(text: &str, ending: &str) -> Result<Self> {
        let fail = |error: std::io::Error| {
            Error::new(ErrorKind::Io, "could not make a temporary file").because(error)
        };
        let mut file = tempfile::Builder::new()
            .prefix("agent-memory-")
            .suffix(ending)
            .tempfile()
            .map_err(fail)?;
        file.write_all(text.as_bytes()).map_err(fail)?;
        Ok(Self(file))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Lets the file stay; returns its path.
    pub(crate) fn keep(self) -> Result<PathBuf> {
        let fail = |error: tempfile::PersistError| {
            Error::new(ErrorKind::Io, "could not keep a temporary file").because(error)
        };
        self.0.keep().map(|(_, path)| path).map_err(fail)
    }

    /// Reads the text by the name of the file: many editors replace the file.
    pub(crate) fn read(&self) -> Result<String> {
        let bytes = outside::read(self.path())?;
        let text = bytes.map(String::from_utf8);
        match text {
            Some(Ok(text)) => Ok(text),
            Some(Err(_)) => Err(Error::new(ErrorKind::Usage, "the edited text is not UTF-8")),
            None => Err(Error::new(ErrorKind::Io, "the edited file is gone").at(self.path())),
        }
    }
}
