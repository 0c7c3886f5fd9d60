//! `show` and `diff`: a proposal, or a piece of memory, as it is now.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::difference::difference;
use super::pending::{Drift, Pending, describe, reopen};
use super::selection::Selection;
use super::superseded::Superseded;
use super::{Stop, Wanted, Workspace, answered};
use crate::contract::FileState;
use crate::contract::{
    AffectedSection, Answer, MemoryPath, Reason, Refusal, SectionId, SourceType, path_in_store,
};
use crate::error::Result;
use crate::markdown::{Outline, Section, SourceNote};
use crate::project::pipeline::{Planned, PlannedFile};
use crate::project::provenance::Freshness;
use crate::project::store::CitedFiles;
use crate::project::store::staging::{self, StagedProposal};
use crate::text::{did_you_mean, excerpt};

/// A proposal that waits, with what it would do now.
#[derive(Debug, Clone, Serialize)]
pub struct ShownProposal {
    /// What it is.
    #[serde(flatten)]
    pub pending: Pending,
    /// What it asks for, as it was asked; what would land stands in `diffs`.
    pub operations: Value,
    /// How sure who proposed is, in their own word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<String>,
    /// What it rests on.
    pub sources: Vec<ShownSource>,
    /// What would land, as one hash; `apply --digest` lands exactly that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The sections it would touch.
    pub affected_sections: Vec<AffectedSection>,
    /// What it would do to each file.
    pub diffs: Vec<FileDiff>,
    /// What a person should know.
    pub warnings: Vec<String>,
}

/// A source of a proposal.
#[derive(Debug, Clone, Serialize)]
pub struct ShownSource {
    /// What kind of evidence.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Where it is.
    #[serde(rename = "ref")]
    pub reference: String,
    /// What the cited file has become since; none where that cannot be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub freshness: Option<&'static str>,
}

/// What would happen to a file.
#[derive(Debug, Clone, Serialize)]
pub struct FileDiff {
    /// The file.
    pub path: String,
    /// A unified diff.
    pub diff: String,
    /// The text before, secrets masked; none if there is no file.
    #[serde(skip)]
    pub before: Option<String>,
    /// The text after, secrets masked.
    #[serde(skip)]
    pub after: String,
    /// The file, for an amendment.
    #[serde(skip)]
    pub memory_path: MemoryPath,
    /// Whether something is masked, so that the text is not fit for an amendment.
    #[serde(skip)]
    pub is_masked: bool,
}

/// A section of memory.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct ShownSection {
    /// The file.
    pub path: String,
    /// Its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section_id: Option<String>,
    /// The headings down to it.
    pub heading: Vec<String>,
    /// Line of its heading, from 1.
    pub line: usize,
    /// Its hash, for `if_hash`.
    pub hash: String,
    /// Its text.
    pub text: String,
}

/// Shows one proposal that waits.
pub fn show_proposal(
    workspace: &Workspace,
    wanted: &Wanted,
) -> Result<std::result::Result<ShownProposal, Box<Refusal>>> {
    show_waiting(workspace, workspace, wanted)
}

/// Shows the same of a proposal that waits in another worktree: whether it could land here, and what it would do.
pub fn show_waiting(
    workspace: &Workspace,
    home: &Workspace,
    wanted: &Wanted,
) -> Result<std::result::Result<ShownProposal, Box<Refusal>>> {
    answered(proposal(workspace, home, wanted), workspace)
}

fn proposal(
    workspace: &Workspace,
    home: &Workspace,
    wanted: &Wanted,
) -> std::result::Result<ShownProposal, Stop> {
    let queue = staging::read_queue(home.store.layout())?;
    let staged = wanted.find(&queue)?;
    let superseded = Superseded::around(home, &queue, staged)?;
    Ok(shown(workspace, staged, &superseded)?)
}

/// Shows what a part of a proposal, or a person's words in its place, would do; says why it could not land.
pub fn show_selection(
    workspace: &Workspace,
    wanted: &Wanted,
    selection: &Selection,
) -> Result<std::result::Result<ShownProposal, Box<Refusal>>> {
    show_from(workspace, workspace, wanted, selection)
}

/// Shows the same part of a proposal that waits in another worktree, as it would land here.
pub fn show_from(
    workspace: &Workspace,
    home: &Workspace,
    wanted: &Wanted,
    selection: &Selection,
) -> Result<std::result::Result<ShownProposal, Box<Refusal>>> {
    answered(part(workspace, home, wanted, selection), workspace)
}

fn part(
    workspace: &Workspace,
    home: &Workspace,
    wanted: &Wanted,
    selection: &Selection,
) -> std::result::Result<ShownProposal, Stop> {
    let queue = staging::read_queue(home.store.layout())?;
    let staged = wanted.find(&queue)?;
    let planned = reopen(workspace, staged, selection, Drift::Accepted)?;
    let superseded = Superseded::around(home, &queue, staged)?;
    Ok(shown_as(workspace, staged, &superseded, Some(planned))?)
}

/// Shows every proposal that waits, oldest first.
pub fn show_pending(workspace: &Workspace) -> Result<Vec<ShownProposal>> {
    show_all(workspace, workspace, |_| true)
}

/// Shows those with these ids that wait in a worktree, as they would land here, in the order of the ids. The queue is
/// read once for all of them; what was decided since they were listed is left out.
pub fn show_chosen(
    workspace: &Workspace,
    home: &Workspace,
    ids: &[&str],
) -> Result<Vec<ShownProposal>> {
    let places: BTreeMap<&str, usize> = ids.iter().copied().zip(0..).collect();
    let mut shown = show_all(workspace, home, |id| places.contains_key(id))?;
    shown.sort_by_key(|each| places.get(each.pending.id.as_str()).copied());
    Ok(shown)
}

fn show_all(
    workspace: &Workspace,
    home: &Workspace,
    is_chosen: impl Fn(&str) -> bool,
) -> Result<Vec<ShownProposal>> {
    let queue = staging::read_queue(home.store.layout())?;
    let superseded = Superseded::in_queue(home, &queue)?;
    let chosen = queue.proposals.iter().filter(|staged| is_chosen(staged.id.as_str()));
    chosen.map(|staged| shown(workspace, staged, &superseded)).collect()
}

/// Shows the sections of a memory file, or the one with an id.
pub fn show_memory(
    workspace: &Workspace,
    path: &str,
    section: Option<&str>,
) -> Result<std::result::Result<Vec<ShownSection>, Box<Refusal>>> {
    answered(memory(workspace, path, section), workspace)
}

fn memory(
    workspace: &Workspace,
    path: &str,
    section: Option<&str>,
) -> std::result::Result<Vec<ShownSection>, Stop> {
    let (path, text) = read_named(workspace, path)?;
    let outline = Outline::read(&text);
    let numbers: Vec<usize> = match section {
        None => (0..outline.sections().len())
            .filter(|n| outline.sections()[*n].parent.is_none())
            .collect(),
        Some(wanted) => vec![find_section(&outline, &path, wanted)?],
    };
    Ok(numbers.into_iter().map(|n| section_of(workspace, &path, &outline, n)).collect())
}

/// Reads a memory file that a person names.
pub(super) fn read_named(
    workspace: &Workspace,
    path: &str,
) -> std::result::Result<(MemoryPath, String), Stop> {
    let refuse = |message: String, hint: &str| Refusal::new(Reason::InvalidPath, message, hint);
    let path = MemoryPath::parse(path_in_store(path))
        .map_err(|problem| refuse(problem.message, &problem.hint))?;
    match workspace.store.read(&path)? {
        FileState::Text(text) => Ok((path, text)),
        FileState::Absent => {
            let hint = "`agent-memory search` finds files by what they say";
            Err(refuse(format!("there is no `{path}`"), hint).into())
        }
        FileState::Unusable(why) => {
            let hint = "a person has to look at this file";
            Err(refuse(format!("`{path}` cannot be shown: {why}"), hint).into())
        }
    }
}

/// Finds the section that a person names by its id.
pub(super) fn find_section(
    outline: &Outline<'_>,
    path: &MemoryPath,
    wanted: &str,
) -> Answer<usize> {
    SectionId::parse(wanted).and_then(|id| outline.find(&id)).ok_or_else(|| {
        let ids = outline.sections().iter().filter_map(|s| s.id.as_ref());
        let guess = did_you_mean(wanted, ids.map(SectionId::as_str));
        let message = format!("`{path}` has no section `{}`{guess}", excerpt(wanted));
        let hint = format!("`agent-memory show {path}` prints all of them");
        Refusal::new(Reason::SectionNotFound, message, hint)
    })
}

fn section_of(
    workspace: &Workspace,
    path: &MemoryPath,
    outline: &Outline<'_>,
    number: usize,
) -> ShownSection {
    let section: &Section = &outline.sections()[number];
    let headings = outline.heading_path(number);
    ShownSection {
        path: path.to_string(),
        section_id: section.id.as_ref().map(SectionId::to_string),
        heading: headings.into_iter().map(|text| workspace.clean(text)).collect(),
        line: section.line,
        hash: outline.hash(section).to_string(),
        text: workspace.clean(outline.whole(section)),
    }
}

fn shown(
    workspace: &Workspace,
    staged: &StagedProposal,
    superseded: &Superseded,
) -> Result<ShownProposal> {
    // What changed since is shown too: a person may want to overwrite it.
    let planned = match reopen(workspace, staged, &Selection::All, Drift::Accepted) {
        Ok(planned) => Some(planned),
        Err(Stop::Refused(_)) => None,
        Err(Stop::Failed(error)) => return Err(error),
    };
    shown_as(workspace, staged, superseded, planned)
}

fn shown_as(
    workspace: &Workspace,
    staged: &StagedProposal,
    superseded: &Superseded,
    planned: Option<Planned<'_>>,
) -> Result<ShownProposal> {
    let cited = CitedFiles::of(&workspace.repository);
    Ok(ShownProposal {
        pending: describe(workspace, staged, superseded)?,
        operations: workspace.clean_value(&staged.request["operations"]),
        confidence: staged.request["confidence"].as_str().map(|word| workspace.clean(word)),
        sources: staged.notes.iter().map(|note| source(workspace, &cited, note)).collect(),
        digest: planned.as_ref().map(|planned| planned.digest().to_string()),
        affected_sections: planned.as_ref().map(|p| p.affected.clone()).unwrap_or_default(),
        diffs: planned.as_ref().map(|planned| diffs(workspace, planned)).unwrap_or_default(),
        warnings: staged
            .warnings()
            .map(str::to_owned)
            .chain(workspace.said_elsewhere(&staged.id))
            .chain(planned.map(|planned| planned.warnings).unwrap_or_default())
            .collect(),
    })
}

/// Describes a source, with what the cited file has become since.
pub(super) fn source(
    workspace: &Workspace,
    cited: &CitedFiles<'_>,
    note: &SourceNote,
) -> ShownSource {
    let blob = note.blob.as_deref().filter(|_| note.kind != SourceType::Commit);
    let freshness = blob.map(|blob| Freshness::of(blob, &cited.look_up(&note.reference)).name());
    ShownSource { kind: note.kind.name(), reference: workspace.clean(&note.reference), freshness }
}

fn diffs(workspace: &Workspace, planned: &Planned<'_>) -> Vec<FileDiff> {
    planned.files.iter().map(|file| file_diff(workspace, file)).collect()
}

fn file_diff(workspace: &Workspace, file: &PlannedFile) -> FileDiff {
    let (path, before) = (file.path.as_str(), file.before.as_deref());
    let clean = |text: &str| workspace.clean(text);
    let shown = (before.map(clean), clean(&file.after));
    FileDiff {
        path: path.to_owned(),
        diff: difference(path, (before, &file.after), &workspace.scanner),
        is_masked: shown.0.as_deref() != before || shown.1 != file.after,
        before: shown.0,
        after: shown.1,
        memory_path: file.path.clone(),
    }
}

/// Returns the lines that a source names, with their numbers; the first of a file where it names none.
pub fn cited_lines(workspace: &Workspace, reference: &str) -> Option<Vec<(usize, String)>> {
    let lines = workspace.repository.read_cited(reference)?;
    Some(lines.into_iter().map(|(number, line)| (number, workspace.clean(&line))).collect())
}
