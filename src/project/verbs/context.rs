//! `context`: what an agent reads before it works.

mod begin;
mod gathered;
mod outdated;
mod subject;

use super::pending::say_pending;
use super::project::Project;
use crate::error::Result;
use crate::markdown::find_conflict;
use crate::project::pack::{Pack, pack};
use crate::project::store::{WorkFiles, lately_unmerged};
use crate::text::{excerpt, find_conflict_marker, tokens};
use gathered::Gathered;
use subject::Subject;

/// What an agent is about to do.
#[derive(Debug, Clone, Copy, Default)]
pub struct Task<'a> {
    /// The question, in any words.
    pub question: Option<&'a str>,
    /// The largest size of the answer, in tokens.
    pub budget: usize,
    /// A text that the answer begins with, which takes its part of the budget.
    pub before: &'a str,
    /// Files and folders of the repository that the agent will work on.
    pub scope: &'a [String],
    /// Adds the files that changed against the default branch to the scope.
    pub changed: bool,
    /// Finds the notes of other branches, too.
    pub all_branches: bool,
}

/// The default budget, in tokens.
pub const DEFAULT_BUDGET: usize = 4_000;

/// What is said where nothing is recorded.
pub const EMPTY: &str = "The memory of this project is empty: nothing is recorded yet.\n";

/// What is said where no branch is known from which the work went out.
const NO_DEFAULT_BRANCH: &str = "which files this branch has changed is not known, only what is not committed: \
    git names no default branch; `git remote set-head origin --auto` or `git config init.defaultBranch NAME` does";

/// The largest number of files that sections are compared with.
const SUBJECTS: usize = 200;

/// Packs what helps with a task: for a question the best sections, otherwise what a session begins with.
pub fn context(project: &Project, task: &Task<'_>) -> Result<Pack> {
    let budget = task.budget.saturating_sub(tokens(task.before));
    let mut gathered = Gathered::new(project);
    let (subjects, mut warnings) = subjects(project, task)?;
    let nothing = match task.question.filter(|question| !question.trim().is_empty()) {
        Some(question) => {
            warnings.extend(gathered.add_answers(question, task.all_branches)?);
            gathered.add_subjects(&subjects)?;
            "Nothing was found.\n"
        }
        None => {
            gathered.add_beginning(&subjects, budget)?;
            EMPTY
        }
    };
    warnings.append(&mut gathered.warnings);
    let mut packed = pack(gathered.pieces, gathered.left_out, budget, nothing);
    let marker = "this answer may hold an unresolved git conflict, with both its sides; run `agent-memory status`";
    warnings.extend(holds_conflict(project, &packed.text)?.then(|| marker.to_owned()));
    let is_empty = packed.receipt.included.is_empty() && packed.receipt.left_out.is_empty();
    warnings.extend(if is_empty { say_pending(project) } else { None });
    packed.receipt.warnings = warnings;
    packed.text.insert_str(0, task.before);
    Ok(packed)
}

/// Tells whether what is printed may hold a conflict. Markers in code are one only where git has not merged a file.
fn holds_conflict(project: &Project, text: &str) -> Result<bool> {
    let is_marked = find_conflict_marker(text).is_some();
    Ok(is_marked
        && (find_conflict(text).is_some() || !lately_unmerged(project.store.layout())?.is_empty()))
}

fn subjects(project: &Project, task: &Task<'_>) -> Result<(Vec<Subject>, Vec<String>)> {
    let layout = project.store.layout();
    let changed = match task.changed {
        true => project.repository.changed_files(layout)?,
        false => WorkFiles::default(),
    };
    let given = task.scope.iter().map(|path| path.trim_start_matches("./").trim_end_matches('/'));
    let given = given.filter(|path| !path.is_empty() && *path != ".");
    let mut warnings: Vec<String> = no_such_path(project, given.clone()).into_iter().collect();
    warnings.extend(changed.has_no_base.then(|| NO_DEFAULT_BRANCH.to_owned()));
    let paths: Vec<String> = given.map(str::to_owned).chain(changed.files).collect();
    let count = paths.len();
    if count > SUBJECTS {
        warnings.push(format!("only the first {SUBJECTS} of {count} files were looked at"));
    }
    Ok((paths.into_iter().take(SUBJECTS).map(Subject::new).collect(), warnings))
}

/// Warns of paths that do not exist.
fn no_such_path<'a>(project: &Project, given: impl Iterator<Item = &'a str>) -> Option<String> {
    let is_missing = |path: &&str| !project.repository.has(path);
    let missing =
        given.take(SUBJECTS).filter(is_missing).map(|path| format!("`{}`", excerpt(path)));
    let missing: Vec<String> = missing.collect();
    let list = project.clean(&missing.join(", "));
    (!missing.is_empty()).then(|| {
        format!("the repository has no such file or folder: {list}; give paths from its root")
    })
}
