//! Finds the applied proposal that a commit brought together with a section, where its message names none.

use crate::markdown::{Outline, Section};
use crate::project::pipeline::Submission;
use crate::project::request::{Operation, ProposalId};
use crate::project::store::{Commit, staging};
use crate::project::verbs::project::Project;

/// Returns the proposal by its mark in `decided/` and the request beside it. What git does not tell is not known.
pub(super) fn decided_with(
    project: &Project,
    commit: &Commit,
    path: &str,
    section: &Section,
) -> Option<ProposalId> {
    let layout = project.store.layout();
    let git = layout.git();
    let fixed = ["diff-tree", "--no-commit-id", "-r", "--root", "-z", "--name-only"];
    let more = ["--no-renames", "--diff-filter=A", &commit.id, "--"];
    let listed = git.run_on(&[&fixed[..], &more].concat(), &["decided"], b"").ok()?;
    let mut marks = git.listed_inside(&listed).filter_map(|added| {
        ProposalId::parse(added.strip_prefix("decided/")?.strip_suffix(".applied")?)
    });
    marks.find(|id| staging::is_applied(layout, id) && writes(project, id, path, section))
}

/// Tells whether the request of a proposal names a section.
fn writes(project: &Project, id: &ProposalId, path: &str, section: &Section) -> bool {
    let requests = staging::kept(project.store.layout(), id).flatten().filter_map(|(_, text)| {
        let kept: serde_json::Value = serde_json::from_str(&text).ok()?;
        let request = kept["request"].to_string().into_bytes();
        let read = Submission::new(request, id.submitted_at()?, String::new()).parse().ok()?;
        Some(read.request().clone())
    });
    let mut operations = requests.flat_map(|request| request.operations);
    operations.any(|operation| names(&operation, path, section))
}

fn names(operation: &Operation, path: &str, section: &Section) -> bool {
    if operation.path.as_ref().is_some_and(|named| named.as_str() != path) {
        return false;
    }
    let heading = section.heading.text.as_str();
    let is_it =
        |name: &str| name == heading || section.id.as_ref().is_some_and(|id| id.as_str() == name);
    let content = operation.action.content().unwrap_or_default();
    let is_inside = || {
        let outline = Outline::read(content);
        outline.sections().iter().any(|section| section.heading.text == heading)
    };
    operation.action.section_name().is_some_and(is_it) || is_inside()
}
