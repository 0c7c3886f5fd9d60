//! `toc`: the table of contents, by file.

use schemars::JsonSchema;
use serde::Serialize;

use super::Workspace;
use crate::contract::{FileState, MemoryPath};
use crate::error::Result;
use crate::markdown::Outline;
use crate::project::store::index::memory_files;
use crate::project::toc::TocFile;

/// The table of contents.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Toc {
    /// The files that git keeps, by path.
    pub files: Vec<TocFile>,
}

impl Toc {
    pub(crate) fn to_markdown(&self) -> String {
        self.files.iter().map(TocFile::to_markdown).collect::<Vec<_>>().join("\n")
    }
}

pub(crate) fn toc(workspace: &Workspace) -> Result<Toc> {
    let catalog = workspace.catalog()?;
    let mut files = Vec::new();
    for name in memory_files(workspace.store.layout().folder())? {
        let path = MemoryPath::parse(&name).ok().filter(|_| catalog.is_tracked(&name));
        let Some(path) = path else { continue };
        if let FileState::Text(text) = workspace.store.read(&path)? {
            let outline = Outline::read(&text);
            files.push(TocFile::read(&path, &outline, &|text| workspace.scanner.redact(text)));
        }
    }
    Ok(Toc { files })
}
