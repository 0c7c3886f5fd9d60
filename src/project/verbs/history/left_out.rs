//! Shows what a person left out of a partly applied proposal: the difference between the applied part and all of it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::past_diff::{Logged, PastDiff, id_of};
use crate::contract::FileState;
use crate::error::Result;
use crate::project::pipeline::Snapshot;
use crate::project::request::MemoryPath;
use crate::project::store::staging::{self, StagedProposal};
use crate::project::verbs::masked_diff::masked_diff;
use crate::project::verbs::project::Project;
use crate::project::verbs::reopen::{asked, recorded};
use crate::project::verbs::selection::Selection;

/// The note on a diff that shows more than was rejected.
const ALL: &str = "as all of it was proposed; a part of it was applied";

/// Returns what was rejected in some files; `entry` has the applied operations.
pub(super) fn left_out(
    project: &Project,
    entry: &Value,
    files: impl Iterator<Item = Logged>,
) -> Result<Vec<PastDiff>> {
    let applied = applied(project, entry)?;
    let mut diffs = Vec::new();
    for file in files {
        let Some(id) = id_of(entry) else { continue };
        let (base, all) = staging::read_shown(project.store.layout(), &id, &file.path)?;
        let Some(all) = all else {
            diffs.push(file.without_diff());
            continue;
        };
        let part = applied.as_ref().and_then(|texts| texts.get(&file.path)).or(base.as_ref());
        if part == Some(&all) {
            continue;
        }
        let path = file.path.as_str();
        let diff = masked_diff(path, (part.map(String::as_str), &all), &project.scanner);
        let note = applied.is_none().then_some(ALL);
        diffs.push(PastDiff { path: path.to_owned(), diff: Some(diff), note });
    }
    Ok(diffs)
}

/// Returns what the applied operations made of the files as these were when the proposal was made; none where that is
/// unknown.
fn applied(project: &Project, entry: &Value) -> Result<Option<BTreeMap<MemoryPath, String>>> {
    let numbers = entry["applied_operations"].as_array().into_iter().flatten();
    let numbers = numbers.filter_map(|each| usize::try_from(each.as_u64()?).ok());
    let layout = project.store.layout();
    let staged = match (id_of(entry), entry["request"].as_str()) {
        (Some(id), Some(hash)) => staging::read_decided(layout, &id, hash)?,
        (None, _) | (_, None) => None,
    };
    staged.map_or(Ok(None), |staged| planned(project, &staged, numbers.collect()))
}

fn planned(
    project: &Project,
    staged: &StagedProposal,
    operations: BTreeSet<usize>,
) -> Result<Option<BTreeMap<MemoryPath, String>>> {
    let selection = Selection::Operations(operations);
    let Ok(request) = selection.of(&staged.request) else { return Ok(None) };
    let Ok(question) = asked(project, staged, request) else { return Ok(None) };
    let touched = selection.part_of(&staged.touched);
    let recorded = recorded(project, staged, &touched);
    let Ok(screened) = question.screen(project.rules()?, &recorded) else { return Ok(None) };
    let mut then = Snapshot::default();
    for path in screened.files() {
        let (base, _) = staging::read_shown(project.store.layout(), &staged.id, &path)?;
        then.files.insert(path, base.map_or(FileState::Absent, FileState::Text));
    }
    let files = screened.plan(then).ok().map(|planned| planned.files.into_iter());
    Ok(files.map(|files| files.map(|file| (file.path, file.after)).collect()))
}
