//! `show` and `diff`: a proposal, or a piece of memory, as it is now.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::answer::{Attempt, Stop, answered};
use super::masked_diff::masked_diff;
use super::named_section::{find_section, point_to_pending, read_named};
use super::near_duplicates::{NearDuplicate, NearTexts};
use super::pending::{Pending, describe};
use super::project::Project;
use super::reopen::{Drift, reopen};
use super::selection::Selection;
use super::superseded::Superseded;
use super::wanted::Wanted;
use crate::contract::{FileState, SectionId};
use crate::error::Result;
use crate::markdown::{Outline, Section, SourceNote};
use crate::project::injection::find_injections;
use crate::project::pipeline::{Planned, PlannedFile};
use crate::project::provenance::Freshness;
use crate::project::request::{AffectedSection, Answer, MemoryPath, OtherPath, Reason, Refusal};
use crate::project::store::staging::{self, StagedProposal};
use crate::project::store::{CitedFiles, sources_seen_from_here};
use crate::text::excerpt;

/// A pending proposal, with what it would do now.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct ShownProposal {
    #[serde(flatten)]
    pub pending: Pending,
    /// As they were proposed; `diffs` shows what would be applied.
    pub operations: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<String>,
    pub sources: Vec<ShownSource>,
    /// `apply --digest` applies exactly what has this digest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    pub affected_sections: Vec<AffectedSection>,
    pub diffs: Vec<FileDiff>,
    /// What says almost the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub near_duplicates: Vec<NearDuplicate>,
    pub warnings: Vec<String>,
}

/// What a proposal is shown beside.
struct ShownBeside<'p> {
    superseded: Superseded,
    /// None where it is not asked for.
    near: Option<NearTexts<'p>>,
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct ShownSource {
    #[serde(rename = "type")]
    pub kind: &'static str,
    #[serde(rename = "ref")]
    pub reference: String,
    /// None where it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub freshness: Option<&'static str>,
    /// The `ref` under which the cited lines stand now, if they moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<String>,
    /// The operations that it is evidence for, numbered from 0; none where it is that of all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<usize>,
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct FileDiff {
    pub path: String,
    pub diff: String,
    /// Secrets are masked; none if there is no file.
    #[serde(skip)]
    pub before: Option<String>,
    /// Secrets are masked.
    #[serde(skip)]
    pub after: String,
    /// The path, for an amendment.
    #[serde(skip)]
    pub memory_path: MemoryPath,
    /// Whether a secret is masked, so that the text is not fit for an amendment.
    #[serde(skip)]
    pub is_masked: bool,
}

/// A section of memory.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct ShownSection {
    /// The file.
    pub path: String,
    /// Its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The headings down to it.
    pub heading: Vec<String>,
    /// Line of its heading, from 1.
    pub line: usize,
    /// Its hash, for `if_hash`.
    pub hash: String,
    /// What it rests on, with `freshness` and `moved_to`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    // Its schema would cost each session of an agent more than it says.
    #[schemars(skip)]
    pub sources: Vec<ShownSource>,
    /// What in it speaks to the agent that reads it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub warnings: Vec<String>,
    /// Its text.
    pub text: String,
}

pub(crate) fn show_proposal(project: &Project, wanted: &Wanted) -> Result<Answer<ShownProposal>> {
    show_queued(project, project, wanted)
}

/// Shows a proposal that is pending in another worktree, as it would be applied here.
pub(crate) fn show_queued(
    project: &Project,
    home: &Project,
    wanted: &Wanted,
) -> Result<Answer<ShownProposal>> {
    answered(project, || {
        let queue = staging::read_queue(home.store.layout())?;
        let staged = wanted.find(&queue)?;
        let superseded = Superseded::around(home, &queue, staged)?;
        let beside = ShownBeside { superseded, near: Some(NearTexts::over(project)) };
        Ok(shown(project, staged, &beside)?)
    })
}

/// Shows what a part of a proposal, or the text of a person, would do; refuses what cannot be applied.
pub(crate) fn show_selection(
    project: &Project,
    wanted: &Wanted,
    selection: &Selection,
) -> Result<Answer<ShownProposal>> {
    show_from(project, project, wanted, selection)
}

/// Shows the same for a proposal of another worktree.
pub(crate) fn show_from(
    project: &Project,
    home: &Project,
    wanted: &Wanted,
    selection: &Selection,
) -> Result<Answer<ShownProposal>> {
    answered(project, || {
        let queue = staging::read_queue(home.store.layout())?;
        let staged = wanted.find(&queue)?;
        let planned = reopen(project, staged, selection, Drift::Accepted)?;
        let superseded = Superseded::around(home, &queue, staged)?;
        let beside = ShownBeside { superseded, near: Some(NearTexts::over(project)) };
        Ok(shown_as(project, staged, &beside, Some(planned))?)
    })
}

/// Shows every pending proposal, oldest first, without what says almost the same: to find that, the index is written.
pub fn show_pending(project: &Project) -> Result<Vec<ShownProposal>> {
    show_all(project, (project, None), |_| true)
}

/// Shows the proposals of a worktree with these ids, in their order. The queue is read once; decided ones are left out.
pub(crate) fn show_chosen(
    project: &Project,
    home: &Project,
    ids: &[&str],
) -> Result<Vec<ShownProposal>> {
    let places: BTreeMap<&str, usize> = ids.iter().copied().zip(0..).collect();
    let near = Some(NearTexts::over(project));
    let mut shown = show_all(project, (home, near), |id| places.contains_key(id))?;
    shown.sort_by_key(|each| places.get(each.pending.id.as_str()).copied());
    Ok(shown)
}

fn show_all(
    project: &Project,
    (home, near): (&Project, Option<NearTexts<'_>>),
    is_chosen: impl Fn(&str) -> bool,
) -> Result<Vec<ShownProposal>> {
    let queue = staging::read_queue(home.store.layout())?;
    let superseded = Superseded::in_queue(home, &queue)?;
    let beside = ShownBeside { superseded, near };
    let chosen = queue.proposals.iter().filter(|staged| is_chosen(staged.id.as_str()));
    chosen.map(|staged| shown(project, staged, &beside)).collect()
}

pub(crate) fn show_memory(
    project: &Project,
    path: &str,
    section: Option<&str>,
) -> Result<Answer<Vec<ShownSection>>> {
    let (path, line) = without_line(path);
    let read = || {
        let (path, text) = read_shown(project, path)?;
        let outline = Outline::read(&text);
        let numbers: Vec<usize> = match (section, line) {
            (None, Some(line)) => outline.section_at(line).into_iter().collect(),
            (None, None) => (0..outline.sections().len())
                .filter(|n| outline.sections()[*n].parent.is_none())
                .collect(),
            (Some(wanted), _) => vec![find_section(&outline, &path, wanted)?],
        };
        let cited = CitedFiles::of(&project.repository);
        let is_other = OtherPath::parse(&path).is_some();
        if !is_other {
            let sections = numbers.iter().map(|number| &outline.sections()[*number]);
            cited.look_ahead(sections.flat_map(|section| &section.sources));
        }
        let shown = |number| section_of(project, &path, &outline, number, &cited);
        Ok(numbers.into_iter().map(shown).collect())
    };
    match answered(project, read)? {
        Ok(shown) => Ok(Ok(shown)),
        Err(refusal) => Ok(Err(point_to_pending(project, path, section, refusal))),
    }
}

/// Reads a file wherever it is read: in the store, where it is, or in another store.
fn read_shown(project: &Project, name: &str) -> Attempt<(String, String)> {
    match project.read_in_other_store(name)? {
        Some((path, FileState::Text(text))) => return Ok((path, text)),
        Some((path, FileState::Unusable(why))) => {
            let message = format!("`{path}` cannot be shown: {why}");
            let hint = "a person has to look at this file, in its own store";
            return Err(Refusal::new(Reason::InvalidPath, message, hint).into());
        }
        Some((_, FileState::Absent)) | None => {}
    }
    if let Some(found) = project.read_in_place(name)? {
        return Ok(found);
    }
    if let Some(other) = OtherPath::parse(name) {
        let message = format!("no other store that is read has a file `{}`", excerpt(name));
        let hint = format!("`agent-memory ls {}:` lists what there is", other.store);
        return Err(Refusal::new(Reason::InvalidPath, message, hint).into());
    }
    read_named(project, name).map(|(path, text)| (path.to_string(), text))
}

/// Splits `decisions/x.md:40`, as `search` prints it.
fn without_line(name: &str) -> (&str, Option<usize>) {
    let split = name.rsplit_once(':').filter(|(path, _)| path.ends_with(".md"));
    match split.and_then(|(path, line)| Some((path, line.parse().ok()?))) {
        Some((path, line)) => (path, Some(line)),
        None => (name, None),
    }
}

fn section_of(
    project: &Project,
    path: &str,
    outline: &Outline<'_>,
    number: usize,
    cited: &CitedFiles<'_>,
) -> ShownSection {
    let section: &Section = &outline.sections()[number];
    let headings = outline.heading_path(number);
    let sources = match OtherPath::parse(path) {
        Some(_) => sources_seen_from_here(&section.sources),
        None => section.sources.clone(),
    };
    ShownSection {
        path: path.to_owned(),
        id: section.id.as_ref().map(SectionId::to_string),
        heading: headings.into_iter().map(|text| project.clean(text)).collect(),
        line: section.line,
        hash: outline.hash(section).to_string(),
        sources: sources.iter().map(|note| source(project, cited, note)).collect(),
        warnings: find_injections(outline.whole(section))
            .iter()
            .map(|it| {
                format!("line {} holds {}", section.line + it.line - 1, project.clean(&it.told()))
            })
            .collect(),
        text: project.clean(outline.whole(section)),
    }
}

fn shown(
    project: &Project,
    staged: &StagedProposal,
    beside: &ShownBeside<'_>,
) -> Result<ShownProposal> {
    // Drift is accepted here, as a person may want to overwrite the change.
    let planned = match reopen(project, staged, &Selection::All, Drift::Accepted) {
        Ok(planned) => Some(planned),
        Err(Stop::Refused(_)) => None,
        Err(Stop::Failed(error)) => return Err(error),
    };
    shown_as(project, staged, beside, planned)
}

fn shown_as(
    project: &Project,
    staged: &StagedProposal,
    beside: &ShownBeside<'_>,
    planned: Option<Planned<'_>>,
) -> Result<ShownProposal> {
    let cited = CitedFiles::of(&project.repository);
    let screened = planned.as_ref().map(|planned| &planned.screened);
    let near = beside.near.as_ref().zip(screened);
    let near = near.map(|(texts, it)| texts.find(it, Some(&staged.id))).unwrap_or_default();
    let near_told = beside.near.as_ref().map(|texts| texts.told(&near, staged.operations()));
    Ok(ShownProposal {
        pending: describe(project, staged, &beside.superseded)?,
        operations: project.clean_value(&staged.request["operations"]),
        confidence: staged.request["confidence"].as_str().map(|word| project.clean(word)),
        sources: staged
            .notes
            .iter()
            .map(|note| cited_source(project, &cited, staged, note))
            .collect(),
        digest: planned.as_ref().map(|planned| planned.digest().to_string()),
        affected_sections: planned.as_ref().map(|p| p.affected.clone()).unwrap_or_default(),
        diffs: planned.iter().flat_map(|it| &it.files).map(|it| file_diff(project, it)).collect(),
        warnings: staged
            .warnings()
            .map(str::to_owned)
            .chain(project.said_elsewhere(&staged.id))
            .chain(planned.map(|planned| planned.warnings).unwrap_or_default())
            .chain(near_told.into_iter().flatten())
            .collect(),
        near_duplicates: near,
    })
}

/// Describes a source of a proposal. Where operations have sources of their own, it says for which ones it is.
fn cited_source(
    project: &Project,
    cited: &CitedFiles<'_>,
    staged: &StagedProposal,
    note: &SourceNote,
) -> ShownSource {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let own: Vec<Vec<Value>> =
        list(&staged.request["operations"]).iter().map(|each| list(&each["sources"])).collect();
    let of_all = list(&staged.request["sources"]);
    let is_it = |source: &Value| {
        source["type"] == note.kind.name()
            && source["ref"].as_str().map(str::trim) == Some(&note.reference)
    };
    let is_of = |own: &Vec<Value>| match own.is_empty() {
        true => of_all.iter().any(is_it),
        false => own.iter().any(is_it),
    };
    let numbers = own.iter().enumerate().filter(|(_, own)| is_of(own)).map(|(number, _)| number);
    let numbers: Vec<usize> = numbers.collect();
    let operations = if numbers.len() == own.len() { Vec::new() } else { numbers };
    ShownSource { operations, ..source(project, cited, note) }
}

/// Describes a source, with the current state of the cited file.
pub(super) fn source(project: &Project, cited: &CitedFiles<'_>, note: &SourceNote) -> ShownSource {
    let freshness = cited.freshness(std::slice::from_ref(note)).map(Freshness::name);
    let reference = project.clean(&note.reference);
    let moved_to = cited.moved_to(note).map(|lines| project.clean(&lines));
    ShownSource { kind: note.kind.name(), reference, freshness, moved_to, operations: Vec::new() }
}

fn file_diff(project: &Project, file: &PlannedFile) -> FileDiff {
    let (path, before) = (file.path.as_str(), file.before.as_deref());
    let clean = |text: &str| project.clean(text);
    let shown = (before.map(clean), clean(&file.after));
    FileDiff {
        path: path.to_owned(),
        diff: masked_diff(path, (before, &file.after), &project.scanner),
        is_masked: shown.0.as_deref() != before || shown.1 != file.after,
        before: shown.0,
        after: shown.1,
        memory_path: file.path.clone(),
    }
}

/// Returns the numbered lines that a source names; the first lines of a file where it names none.
pub(crate) fn cited_lines(project: &Project, reference: &str) -> Option<Vec<(usize, String)>> {
    let lines = project.repository.read_cited(reference)?;
    Some(lines.into_iter().map(|(number, line)| (number, project.clean(&line))).collect())
}
