//! Makes the table of contents from the files that it lists.

use super::index::memory_files;
use super::{Layout, Step, Store};
use crate::contents::Blocks;
use crate::contract::MemoryPath;
use crate::error::Result;
use crate::pipeline::FileState;
use crate::schema::Catalog;
use crate::secrets::Scanner;

/// The table of contents as it is, beside what it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    /// Where it is.
    pub path: MemoryPath,
    /// What it says; nothing where it cannot be read.
    pub before: Option<String>,
    /// What the files say.
    pub after: String,
    /// Whether something lies in its place that we never wrote, and do not replace.
    foreign: bool,
}

impl Contents {
    /// Tells whether it does not list what the files say.
    fn is_stale(&self) -> bool {
        self.before.as_deref() != Some(self.after.as_str())
    }

    /// Tells whether it can and should be brought up to date.
    pub fn is_renewable(&self) -> bool {
        self.is_stale() && !self.foreign
    }

    /// Returns what it says and what it should.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.before.as_deref().into_iter().chain([self.after.as_str()])
    }
}

/// Returns the step that keeps a table of contents that somebody else wrote, before ours takes its place.
pub fn keep_former(layout: &Layout, path: &MemoryPath, text: &str) -> Step {
    Step::write(&layout.free(format!("state/trash/{path}")), None, text.to_owned())
}

impl Store {
    /// Reads the table of contents and every file that it lists; nothing where no category is one.
    pub fn contents(&self, catalog: &Catalog, scanner: &Scanner) -> Result<Option<Contents>> {
        let Some(path) = catalog.generated_file() else { return Ok(None) };
        let (before, foreign) = match self.read(&path)? {
            FileState::Text(text) => (Some(text), false),
            FileState::Absent => (None, false),
            FileState::Unusable(_) => (None, true),
        };
        let mut blocks = Blocks::default();
        for name in memory_files(self.layout.folder())? {
            let file = MemoryPath::parse(&name).ok().filter(|_| catalog.is_tracked(&name));
            let Some(file) = file else { continue };
            if let FileState::Text(text) = self.read(&file)? {
                blocks.renew(&file, &text, &|text| scanner.redact(text));
            }
        }
        Ok(Some(Contents { path, before, after: blocks.to_string(), foreign }))
    }
}
