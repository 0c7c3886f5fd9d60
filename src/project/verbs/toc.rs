//! `toc`: the table of contents, by file.

use schemars::JsonSchema;
use serde::Serialize;

use super::project::Project;
use crate::contract::FileState;
use crate::error::Result;
use crate::markdown::Outline;
use crate::project::request::MemoryPath;
use crate::project::store::sections::memory_files;
use crate::project::toc::TocFile;

/// The table of contents.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Toc {
    /// The files that git keeps, by path.
    pub files: Vec<TocFile>,
    /// Files that cannot be read, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl Toc {
    pub(crate) fn to_markdown(&self) -> String {
        self.files.iter().map(TocFile::to_markdown).collect::<Vec<_>>().join("\n")
    }
}

pub(crate) fn toc(project: &Project) -> Result<Toc> {
    let catalog = project.catalog()?;
    let (mut files, mut warnings) = (Vec::new(), Vec::new());
    for name in memory_files(project.store.layout().folder())? {
        let path = MemoryPath::parse(&name).ok().filter(|_| catalog.is_tracked(&name));
        let Some(path) = path else { continue };
        match project.store.read(&path)? {
            FileState::Text(text) => {
                let outline = Outline::read(&text);
                files.push(TocFile::read(&path, &outline, &|text| project.scanner.redact(text)));
            }
            FileState::Unusable(why) => warnings.push(left_out_warning(path.as_str(), &why)),
            FileState::Absent => {}
        }
    }
    Ok(Toc { files, warnings })
}

/// Says why a file is not in an answer.
pub(super) fn left_out_warning(path: &str, why: &str) -> String {
    format!("`{path}` is left out: {why}")
}
