//! The pending proposals of all worktrees, for `status` and `review`.

use serde_json::{Value, json};

use super::output::{DONE, TITLE};
use super::{Context, Exit, environment, status};
use crate::error::Result;
use crate::project::verbs::{OtherWorktree, Project, pending, worktrees};
use crate::secrets::shown_name;

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
            documents.push(document(&each, json!({ "pending": waiting })));
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
        true => output.document(&json!({ "worktrees": documents, "left_behind": left })),
        false => output.data(&status::left_behind(&left, environment::columns())),
    }
    Ok(DONE)
}

/// Adds to a queue which worktree it is.
pub(super) fn document(worktree: &OtherWorktree, mut queue: Value) -> Value {
    queue["path"] = worktree.path.clone().into();
    queue["branch"] = worktree.branch.clone().into();
    queue["current"] = worktree.is_current.into();
    queue
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
