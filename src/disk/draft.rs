//! A text that a person edits, outside of the store.

use std::io::Write;
use std::path::Path;

use super::outside;
use crate::error::{Error, ErrorKind, Result};

/// A text in a temporary file that only the user can read, removed when this value goes.
#[derive(Debug)]
pub struct Draft(tempfile::NamedTempFile);

impl Draft {
    /// Writes the text; the name of the file ends like that of the memory file, so that editors know it.
    pub fn make(text: &str) -> Result<Self> {
        let fail = |error: std::io::Error| {
            Error::new(ErrorKind::Io, "could not make a temporary file").because(error)
        };
        let mut file = tempfile::Builder::new()
            .prefix("agent-memory-")
            .suffix(".md")
            .tempfile()
            .map_err(fail)?;
        file.write_all(text.as_bytes()).map_err(fail)?;
        Ok(Self(file))
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Reads what stands there now, by its name: many editors put a new file in the place of the old one.
    pub fn read(&self) -> Result<String> {
        let bytes = outside::read(self.path())?;
        let text = bytes.map(String::from_utf8);
        match text {
            Some(Ok(text)) => Ok(text),
            Some(Err(_)) => Err(Error::new(ErrorKind::Usage, "the edited text is not UTF-8")),
            None => Err(Error::new(ErrorKind::Io, "the edited file is gone").at(self.path())),
        }
    }
}
