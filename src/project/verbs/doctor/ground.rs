//! Checks the disk and git below a store.

use super::report::DoctorReport;
use crate::contract::FileState;
use crate::error::{Error, Result};
use crate::project::check::Level;
use crate::project::store::staging::{self, has_shown};
use crate::project::store::{
    ForeignState, Layout, Reach, UnexpectedEntry, closed, leftovers, lost_decisions, probe,
    unexpected_entries,
};
use crate::project::verbs::gitignore::{QUEUE_IGNORED, ignores_queue, not_ignored};
use crate::project::verbs::ignored::ignoring;
use crate::project::verbs::left_behind::why_not_copied;
use crate::project::verbs::project::Project;
use crate::text::count;

pub(super) fn check_disk(layout: &Layout, report: &mut DoctorReport) -> Result<()> {
    report.begin("disk");
    let entries = unexpected_entries(layout);
    entries.iter().for_each(|entry| name(entry, report));
    if let Err(error) = layout.key().refuse_missing(layout.store()) {
        report.fail("disk", &error, "see who may write there");
    }
    match ForeignState::of(layout) {
        Ok(found) if entries.is_empty() => found.say(layout).into_iter().for_each(|said| {
            let hint = "look at it; `agent-memory doctor --adopt-state` takes it up if it is yours";
            report.warn("disk", said, hint);
        }),
        // Unexpected entries are reported above.
        Err(error) if entries.is_empty() => return Err(error),
        Ok(_) | Err(_) => {}
    }
    let left = leftovers(layout)?;
    if left > 0 {
        let message = format!("`state/tmp` holds leftovers of a process that died: {left}");
        let hint = "the next command removes them, `agent-memory doctor --fix` does so now";
        report.warn("disk", message, hint);
    }
    let closed = closed(layout);
    closed.iter().for_each(|error| report.fail("disk", error, "see who may write there"));
    if closed.is_empty() { probe(layout) } else { Ok(()) }
}

fn name(entry: &UnexpectedEntry, report: &mut DoctorReport) {
    let UnexpectedEntry { path, kind, is_link, wanted } = entry;
    let message = match wanted {
        Some(wanted) => format!("`{path}` is {kind} where {wanted} belongs"),
        None => format!("`{path}` is {kind}, which the store leaves out"),
    };
    let hint = match is_link {
        true => "put what it leads to there in its place; the store follows no links",
        false => "look at it and move it away",
    };
    report.note("disk", Level::Error, message, hint.to_owned());
}

pub(super) fn check_git(project: &Project, report: &mut DoctorReport) -> Result<()> {
    report.begin("git");
    if let Err(error) = why_not_copied(project) {
        let message = format!("what `git worktree remove` deletes cannot be copied: {error}");
        let hint = "let this user write to `agent-memory/` in git's folder";
        report.warn("git", message, hint);
    }
    let lost = lost_decisions(project.store.layout())?;
    if lost > 0 {
        let message =
            format!("the log lacks {} that its copy in git's folder has", count(lost, "decision"));
        let hint = "run `agent-memory doctor --adopt-state`, which puts them back";
        report.warn("git", message, hint);
    }
    match project.repository.is_git() {
        Ok(true) => {}
        Ok(false) => {
            let hint = "run `git init` and commit the store, so that others share it";
            report.warn("git", "the store is in no git repository", hint);
        }
        Err(error) => {
            let hint = error.next_step().unwrap_or(LOOK);
            report.warn("git", error.to_string(), hint);
            return Ok(());
        }
    }
    check_ignored(project, report)?;
    check_merge_driver(project, report)?;
    if project.config.staging.track && staging::steady(project.store.layout()).is_some() {
        let message =
            "`decided/.keep` is missing: a folder that comes and goes counts as renamed for git";
        let hint = "run `agent-memory doctor --fix`, which makes it, and commit";
        report.warn("git", message, hint);
    }
    if project.config.staging.track && has_shown(project.store.layout())? {
        let message = "proposals in `staging/` show files there, which git would keep with them";
        let hint = "run `agent-memory doctor --fix`, which moves these to `state/`, and commit";
        report.warn("git", message, hint);
    }
    Ok(())
}

fn check_merge_driver(project: &Project, report: &mut DoctorReport) -> Result<()> {
    if lacks_merge_driver(project)? {
        let message = "this clone has no merge driver: git merges memory files line by line here";
        let hint = "run `agent-memory install git`, once in each clone";
        report.warn("git", message, hint);
    }
    Ok(())
}

/// Tells whether this is a clone of a store that asks git for a merge driver, which the clone does not know.
fn lacks_merge_driver(project: &Project) -> Result<bool> {
    let FileState::Text(attributes) = project.store.read_any(".gitattributes")? else {
        return Ok(false);
    };
    let asks = attributes.lines().any(|line| line.contains("merge=agent-memory"));
    let is_set = |reach, name| Ok::<_, Error>(project.repository.setting(reach, name)?.is_some());
    // Alone, a person has little to merge.
    let is_clone = asks && is_set(Reach::Repository, "remote.origin.url")?;
    let driver = "merge.agent-memory.driver";
    Ok(is_clone && !is_set(Reach::Repository, driver)? && !is_set(Reach::User, driver)?)
}

/// The hint for errors of git that have none.
const LOOK: &str = "run `git status` there to see what git says";

fn check_ignored(project: &Project, report: &mut DoctorReport) -> Result<()> {
    match ignoring(project.store.layout(), project.catalog()?) {
        Ok(ignoring) => ignoring.note().into_iter().for_each(|note| {
            let hint = "take that line out to share the store, or leave it as it is";
            report.warn("git", note, hint);
        }),
        Err(error) => {
            let hint = error.next_step().unwrap_or(LOOK);
            let message = format!("what git ignores is not known: {error}");
            report.warn("git", message, hint);
        }
    }
    if ignores_queue(project)? {
        let hint = "take the line out, or run `agent-memory doctor --fix`";
        report.warn("git", QUEUE_IGNORED, hint);
    }
    for folder in not_ignored(project)? {
        let message = format!("`.gitignore` of the store does not name `{folder}`");
        let hint = format!("add the line `{folder}`, or run `agent-memory doctor --fix`");
        report.warn("git", message, hint);
    }
    Ok(())
}
