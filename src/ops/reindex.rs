//! `reindex`: everything derived, made anew from the Markdown.

use serde::Serialize;

use super::index::Renewed;
use super::search::postponed;
use super::{Stop, Workspace, write};
use crate::contract::Refusal;
use crate::error::Result;
use crate::store::{Contents, Step};

/// What was made anew.
#[derive(Debug, Clone, Serialize)]
pub struct Reindexed {
    /// Memory files.
    pub files: usize,
    /// Sections that can be found.
    pub sections: usize,
    /// Whether the table of contents was not what the files say.
    pub contents_changed: bool,
    /// What was left out, and why.
    pub warnings: Vec<String>,
}

/// Builds the search index and the table of contents anew.
pub fn reindex(workspace: &Workspace) -> Result<std::result::Result<Reindexed, Box<Refusal>>> {
    let Renewed { refreshed, counts, is_kept } = workspace.renew_index()?;
    let mut warnings = refreshed.warnings;
    if !is_kept {
        warnings.push(
            "this user may not write the search index, so it was made for this command alone"
                .to_owned(),
        );
    }
    warnings.extend(postponed(refreshed.files_postponed));
    let contents_changed = match renew_contents(workspace, &mut warnings) {
        Ok(changed) => changed,
        Err(Stop::Refused(refusal)) => return Ok(Err(refusal)),
        Err(Stop::Failed(error)) => return Err(error),
    };
    warnings.extend(workspace.take_recovered());
    Ok(Ok(Reindexed { files: counts.files, sections: counts.sections, contents_changed, warnings }))
}

fn renew_contents(
    workspace: &Workspace,
    warnings: &mut Vec<String>,
) -> std::result::Result<bool, Stop> {
    let mut locked = workspace.lock("reindex", None)?;
    let contents = workspace.store.contents(workspace.catalog()?, &workspace.scanner)?;
    let Some(contents) = contents.filter(Contents::is_renewable) else { return Ok(false) };
    let trace = workspace.trace_of(contents.texts());
    let Contents { path, before, after, .. } = contents;
    let steps = vec![Step::write(path.as_str(), before.as_deref(), after)];
    warnings.extend(write(&mut locked, steps, trace)?);
    Ok(true)
}
