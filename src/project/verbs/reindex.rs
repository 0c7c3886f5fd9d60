//! Rebuilds the search index from the Markdown files.

use serde::Serialize;

use super::index::RebuiltIndex;
use super::project::Project;
use super::search::postponed_warning;
use crate::error::Result;

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct Reindexed {
    pub files: usize,
    pub sections: usize,
    pub warnings: Vec<String>,
}

pub(crate) fn reindex(project: &Project) -> Result<Reindexed> {
    let RebuiltIndex { refreshed, counts, is_saved } = project.rebuild_index()?;
    let mut warnings = refreshed.warnings;
    if !is_saved {
        warnings.push(
            "this user cannot write the search index: it was rebuilt for this command only and not saved"
                .to_owned(),
        );
    }
    warnings.extend(postponed_warning(refreshed.files_postponed));
    warnings.extend(project.take_warnings());
    Ok(Reindexed { files: counts.files, sections: counts.documents, warnings })
}
