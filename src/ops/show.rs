//! `show` and `diff`: a proposal, or a piece of memory, as it is now.

use serde::Serialize;

use super::pending::{Drift, Pending, describe, reopen};
use super::{Stop, Wanted, Workspace};
use crate::contract::{AffectedSection, MemoryPath, Reason, Refusal, SectionId};
use crate::diff::unified;
use crate::error::Result;
use crate::markdown::{Outline, Section};
use crate::pipeline::{FileState, Planned};
use crate::store::staging::{self, StagedProposal};

/// A proposal that waits, with what it would do now.
#[derive(Debug, Clone, Serialize)]
pub struct ShownProposal {
    /// What it is.
    #[serde(flatten)]
    pub pending: Pending,
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
        Err(refusal) => Ok(Err(refusal)),
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
    let refuse = |reason, message: String, hint: &str| Ok(Err(Refusal::new(reason, message, hint)));
    let path = match MemoryPath::parse(path) {
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
                let message = format!("`{path}` has no section `{wanted}`");
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
        sources: sources
            .map(|note| workspace.clean(&format!("{} {}", note.kind, note.reference)))
            .collect(),
        digest: planned.as_ref().map(|planned| planned.digest().to_string()),
        affected_sections: planned.as_ref().map(|p| p.affected.clone()).unwrap_or_default(),
        diffs: planned.as_ref().map(|planned| diffs(workspace, planned)).unwrap_or_default(),
        warnings: planned.map(|planned| planned.warnings).unwrap_or_default(),
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
