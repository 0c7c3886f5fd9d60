//! The pending proposals of all worktrees, for `status` and `review`.

use schemars::JsonSchema;
use serde::Serialize;

use super::output::{DONE, TITLE};
use super::{Context, Exit, environment, status};
use crate::error::Result;
use crate::project::verbs::{
    LeftBehindProposal, OtherWorktree, Pending, Project, pending, worktrees,
};
use crate::secrets::shown_name;

#[derive(Serialize, JsonSchema)]
pub(super) struct Worktrees<T> {
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
pub(super) struct Queue {
    pending: Vec<Pending>,
}

/// Opens all worktrees, with a warning for each that cannot be opened.
pub(super) fn open(project: &Project, context: &Context) -> Result<Vec<OtherWorktree>> {
    let (found, warnings) = worktrees(project, &context.session)?;
    context.output.warn_each(&warnings);
    Ok(found)
}

pub(super) fn print_status(project: &Project, context: &Context) -> Exit {
    let output = context.output;
    let mut documents = Vec::new();
    for each in open(project, context)? {
        let waiting = pending(&each.project)?;
        output.warn_each(&each.project.branches_unknown());
        if output.json {
            documents.push(document(&each, Queue { pending: waiting }));
            continue;
        }
        output.data(&title(&each));
        match waiting.is_empty() {
            true => output.data("  nothing waits for review\n"),
            false => output.data(&status::queue(&waiting, environment::columns())),
        }
    }
    let (left, unknown) = project.left_behind_proposals();
    output.warn_each(&unknown);
    match output.json {
        true => output.document(&Worktrees { worktrees: documents, left_behind: Some(left) }),
        false => output.data(&status::left_behind(&left, environment::columns())),
    }
    Ok(DONE)
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
