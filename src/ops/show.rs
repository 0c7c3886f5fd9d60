//! `show` and `diff`: a proposal, or a piece of memory, as it is now.

use serde::Serialize;
use serde_json::Value;

use super::pending::{Drift, Pending, describe, reopen};
use super::{Stop, Wanted, Workspace};
use crate::contract::{AffectedSection, MemoryPath, Reason, Refusal, SectionId};
use crate::diff::unified;
use crate::error::Result;
use crate::markdown::{Outline, Section};
use crate::pipeline::{FileState, Planned};
use crate::store::staging::{self, StagedProposal};
use crate::text::{excerpt, nearest};

/// A proposal that waits, with what it would do now.
#[derive(Debug, Clone, Serialize)]
pub struct ShownProposal {
    /// What it is.
    #[serde(flatten)]
    pub pending: Pending,
    /// What it asks for, as it was asked; what would land stands in `diffs`.
    pub operations: Value,
    /// What it rests on: type and reference of each source.
    pub sources: Vec<String>,
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

/// What would happen to a file.
#[derive(Debug, Clone, Serialize)]
pub struct FileDiff {
    /// The file.
    pub path: String,
    /// A unified diff.
    pub diff: String,
}

/// A section of memory.
#[derive(Debug, Clone, Serialize)]
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
    let queue = staging::read_queue(workspace.store.layout())?;
    match wanted.find(&queue) {
        Ok(staged) => shown(workspace, staged).map(Ok),
        Err(refusal) => Ok(Err(refusal.cleaned(|text| workspace.clean(text)))),
    }
}

/// Shows every proposal that waits, oldest first.
pub fn show_pending(workspace: &Workspace) -> Result<Vec<ShownProposal>> {
    let queue = staging::read_queue(workspace.store.layout())?;
    queue.proposals.iter().map(|staged| shown(workspace, staged)).collect()
}

/// Shows the sections of a memory file, or the one with an id.
pub fn show_memory(
    workspace: &Workspace,
    path: &str,
    section: Option<&str>,
) -> Result<std::result::Result<Vec<ShownSection>, Box<Refusal>>> {
    let refuse = |reason, message: String, hint: &str| {
        Ok(Err(Refusal::new(reason, message, hint).cleaned(|text| workspace.clean(text))))
    };
    // A shell completes the path from the root of the repository.
    let path = match MemoryPath::parse(path.strip_prefix(".agent-memory/").unwrap_or(path)) {
        Ok(path) => path,
        Err(problem) => return refuse(Reason::InvalidPath, problem.message, &problem.hint),
    };
    let text = match workspace.store.read(&path)? {
        FileState::Text(text) => text,
        FileState::Absent => {
            let hint = "`agent-memory search` finds files by what they say";
            return refuse(Reason::InvalidPath, format!("there is no `{path}`"), hint);
        }
        FileState::Unusable(why) => {
            let hint = "a person has to look at this file";
            return refuse(Reason::InvalidPath, format!("`{path}` cannot be shown: {why}"), hint);
        }
    };
    let outline = Outline::read(&text);
    let numbers: Vec<usize> = match section {
        None => (0..outline.sections().len())
            .filter(|n| outline.sections()[*n].parent.is_none())
            .collect(),
        Some(wanted) => match SectionId::parse(wanted).and_then(|id| outline.find(&id)) {
            Some(number) => vec![number],
            None => {
                let ids = outline.sections().iter().filter_map(|s| s.id.as_ref());
                let guess = nearest(wanted, ids.map(SectionId::as_str));
                let guess = guess.map(|id| format!(", did you mean `{id}`?")).unwrap_or_default();
                let message = format!("`{path}` has no section `{}`{guess}", excerpt(wanted));
                let hint = format!("`agent-memory show {path}` prints all of them");
                return refuse(Reason::SectionNotFound, message, &hint);
            }
        },
    };
    Ok(Ok(numbers.into_iter().map(|n| section_of(workspace, &path, &outline, n)).collect()))
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

fn shown(workspace: &Workspace, staged: &StagedProposal) -> Result<ShownProposal> {
    let pending = describe(workspace, staged)?;
    // What changed since is shown too: a person may want to overwrite it.
    let planned = match reopen(workspace, staged, Drift::Accepted) {
        Ok(planned) => Some(planned),
        Err(Stop::Refused(_)) => None,
        Err(Stop::Failed(error)) => return Err(error),
    };
    let sources = staged.notes.iter();
    Ok(ShownProposal {
        pending,
        operations: cleaned(&staged.request["operations"], workspace),
        sources: sources
            .map(|note| workspace.clean(&format!("{} {}", note.kind, note.reference)))
            .collect(),
        digest: planned.as_ref().map(|planned| planned.digest().to_string()),
        affected_sections: planned.as_ref().map(|p| p.affected.clone()).unwrap_or_default(),
        diffs: planned.as_ref().map(|planned| diffs(workspace, planned)).unwrap_or_default(),
        warnings: staged
            .fidelity
            .warning()
            .map(str::to_owned)
            .into_iter()
            .chain(planned.map(|planned| planned.warnings).unwrap_or_default())
            .collect(),
    })
}

fn diffs(workspace: &Workspace, planned: &Planned<'_>) -> Vec<FileDiff> {
    let files = planned.files.iter();
    files
        .map(|file| FileDiff {
            path: file.path.to_string(),
            diff: workspace.clean(&unified(
                file.path.as_str(),
                file.before.as_deref(),
                &file.after,
            )),
        })
        .collect()
}

/// Masks every string of a value.
fn cleaned(value: &Value, workspace: &Workspace) -> Value {
    match value {
        Value::String(text) => Value::String(workspace.clean(text)),
        Value::Array(list) => list.iter().map(|each| cleaned(each, workspace)).collect(),
        Value::Object(fields) => Value::Object(
            fields
                .iter()
                .map(|(name, each)| (workspace.clean(name), cleaned(each, workspace)))
                .collect(),
        ),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}
