//! `reindex`: everything derived, made anew from the Markdown.

use serde::Serialize;

use super::{Stop, Workspace, write};
use crate::contents;
use crate::contract::{MemoryPath, Refusal};
use crate::error::Result;
use crate::pipeline::FileState;
use crate::store::index::{Index, memory_files};
use crate::store::{Step, Trace};

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
    let mut index = Index::rebuild_at(&workspace.store.layout().index())?;
    let refreshed = index.refresh(&workspace.index_source()?)?;
    let mut warnings = refreshed.warnings;
    let contents_changed = match renew_contents(workspace) {
        Ok(changed) => changed,
        Err(Stop::Refused(refusal)) => return Ok(Err(refusal)),
        Err(Stop::Failed(error)) => return Err(error),
    };
    warnings.extend(workspace.take_recovered());
    let counts = index.counts()?;
    Ok(Ok(Reindexed { files: counts.files, sections: counts.sections, contents_changed, warnings }))
}

fn renew_contents(workspace: &Workspace) -> std::result::Result<bool, Stop> {
    let mut locked = workspace.lock("reindex", None)?;
    let Some((path, before, after)) = contents_of(workspace)? else { return Ok(false) };
    if before.as_deref() == Some(after.as_str()) {
        return Ok(false);
    }
    let steps = vec![Step::write(path.as_str(), before.as_deref(), after)];
    write(&mut locked, steps, Trace::Kept)?;
    Ok(true)
}

/// Returns the table of contents: its path, what it says, and what it should say.
pub(super) fn contents_of(
    workspace: &Workspace,
) -> Result<Option<(MemoryPath, Option<String>, String)>> {
    let Some(path) = workspace.catalog()?.generated_file() else { return Ok(None) };
    let before = match workspace.store.read(&path)? {
        FileState::Text(text) => Some(text),
        FileState::Absent | FileState::Unusable(_) => None,
    };
    let mut blocks = contents::Blocks::default();
    for name in memory_files(workspace.folder())? {
        let tracked = workspace.catalog()?.owner_of(&name).is_some_and(|owner| owner.tracked);
        let Some(file) = MemoryPath::parse(&name).ok().filter(|_| tracked) else { continue };
        if let FileState::Text(text) = workspace.store.read(&file)? {
            blocks.renew(&file, &text, &|text| workspace.clean(text));
        }
    }
    Ok(Some((path, before, blocks.to_string())))
}
