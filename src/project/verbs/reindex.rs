//! `reindex`: the search index, rebuilt from the Markdown.

use serde::Serialize;

use super::index::Renewed;
use super::project::Project;
use super::search::postponed;
use crate::error::Result;

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct Reindexed {
    pub files: usize,
    pub sections: usize,
    pub warnings: Vec<String>,
}

pub(crate) fn reindex(project: &Project) -> Result<Reindexed> {
    let Renewed { refreshed, counts, is_kept } = project.renew_index()?;
    let mut warnings = refreshed.warnings;
    if !is_kept {
        warnings.push(
            "this user cannot write the search index: it was rebuilt for this command only and not saved"
                .to_owned(),
        );
    }
    warnings.extend(postponed(refreshed.files_postponed));
    warnings.extend(project.take_warnings());
    Ok(Reindexed { files: counts.files, sections: counts.documents, warnings })
}
