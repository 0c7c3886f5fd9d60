//! The pending proposals of all worktrees, for `status` and `review`.

use schemars::JsonSchema;
use serde::Serialize;

use super::call::Context;
use super::environment;
use super::output::TITLE;
use crate::error::Result;
use crate::project::verbs::{LeftBehindProposal, OtherWorktree, Pending, Project, worktrees};
use crate::secrets::shown_name;

#[derive(Serialize, JsonSchema)]
pub(super) struct WorktreeQueues<T> {
    pub(super) worktrees: Vec<WorktreeQueue<T>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) left_behind: Option<Vec<LeftBehindProposal>>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct WorktreeQueue<T> {
    path: String,
    /// None where `HEAD` is detached.
    branch: Option<String>,
    /// Whether it is the worktree of the working directory.
    current: bool,
    #[serde(flatten)]
    queue: T,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct PendingList {
    pub(super) pending: Vec<Pending>,
}

/// Opens all worktrees, with a warning for each that cannot be opened.
pub(super) fn open(project: &Project, context: &Context) -> Result<Vec<OtherWorktree>> {
    let (found, warnings) = worktrees(project, &context.session)?;
    context.output.warn_each(&warnings);
    Ok(found)
}

/// Adds to a queue which worktree it is.
pub(super) fn document<T>(worktree: &OtherWorktree, queue: T) -> WorktreeQueue<T> {
    let OtherWorktree { path, branch, is_current: current, .. } = worktree;
    WorktreeQueue { path: path.clone(), branch: branch.clone(), current: *current, queue }
}

pub(super) fn title(worktree: &OtherWorktree) -> String {
    let line = super::columns::wrap(&place(worktree), environment::columns());
    format!("{TITLE}{line}{TITLE:#}\n")
}

/// Writes e.g. `topic at /work/topic`.
pub(super) fn place(worktree: &OtherWorktree) -> String {
    let branch = worktree.branch.as_deref().unwrap_or("no branch");
    let here = if worktree.is_current { " (here)" } else { "" };
    format!("{} at {}{here}", shown_name(branch), shown_name(&worktree.path))
}

/// Returns the worktree as an argument: its branch, or its path.
pub(super) fn name(worktree: &OtherWorktree) -> String {
    quoted(worktree.branch.as_deref().unwrap_or(&worktree.path))
}

/// Quotes a word for a shell.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:@+".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
