//! `doctor`: what is wrong with a store, and what to do about it.
//!
//! It runs the rules of `check`, and checks what only this machine has: the disk, the journal, leftovers of processes,
//! the search index, edits in the queue.

mod derived;
mod diagnosis;
mod failure;
mod ground;
mod queue;
mod repair;
mod report;
mod rules;

use super::project::Project;
use super::session::Session;
use crate::error::{ErrorKind, Result};
use crate::project::check::Rule;
use crate::project::store::{Layout, Store, is_settled};
pub(crate) use diagnosis::{Diagnosis, DoctorFinding};
use failure::tell_failure;
use report::DoctorReport;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Treatment {
    Look,
    Fix,
}

pub(crate) fn doctor(session: &Session, treatment: Treatment) -> Diagnosis {
    let mut report = DoctorReport::default();
    report.begin("settings");
    let begun =
        session.layout().and_then(|layout| is_settled(&layout)).is_ok_and(|settled| !settled);
    let opened = Project::open_as_it_is(session).and_then(|project| {
        project.catalog()?;
        Ok(project)
    });
    match opened {
        Ok(project) if project.config.newer.is_some() => {
            if let Err(error) = project.refuse_newer() {
                report.fail("settings", &error, "update agent-memory");
            }
            report.finish(Some(project.shown_folder()))
        }
        Ok(project) => {
            if begun {
                let done = "finished the changes in `state/journal`, as every command does";
                report.fixed.push(done.to_owned());
            }
            examine(&project, session, treatment, &mut report);
            report.finish(Some(project.shown_folder()))
        }
        Err(error) => {
            let part = match error.kind() {
                ErrorKind::StoreDamaged => "journal",
                _ => "settings",
            };
            report.fail(part, &error, "correct the file");
            examine_without_settings(session, &mut report);
            // The finding of a rule is better: it has the line.
            if report.findings.iter().any(|finding| finding.rule == Some(Rule::Config)) {
                report.findings.remove(0);
            }
            report.finish(None)
        }
    }
}

/// Refuses to repair a store that a newer version made; what else is wrong is for the diagnosis to tell.
pub(crate) fn refuse_repair_of_newer(session: &Session) -> Result<()> {
    session.layout().map_or(Ok(()), |layout| Store::at(layout).refuse_newer())
}

/// Examines a store that could be opened, after repairs.
fn examine(project: &Project, session: &Session, treatment: Treatment, report: &mut DoctorReport) {
    for warning in project.take_warnings() {
        let hint = "look at what was kept and delete it";
        report.warn("settings", warning, hint);
    }
    if treatment == Treatment::Fix
        && let Err(error) = repair::repair(project, report)
    {
        report.fail("repair", &error, "look at the file");
    }
    let layout = project.store.layout();
    // Before the first lock, which removes leftovers.
    examine_disk(layout, session, report);
    run_check(project, "files", report, |report| rules::check_rules(session, report));
    run_check(project, "queue", report, |report| queue::check(layout, report));
    run_check(project, "search index", report, |report| derived::check_index(project, report));
    run_check(project, "git", report, |report| ground::check_git(project, report));
}

fn examine_disk(layout: &Layout, session: &Session, report: &mut DoctorReport) {
    let on_disk = ground::check_disk(layout, report);
    let told = on_disk.and_then(|()| tell_failure(layout, session.now, report));
    if let Err(error) = told {
        report.fail("disk", &error, "look at the disk");
    }
}

fn examine_without_settings(session: &Session, report: &mut DoctorReport) {
    let Ok(layout) = session.layout() else { return };
    examine_disk(&layout, session, report);
    if let Err(error) = rules::check_rules(session, report) {
        report.fail("files", &error, "look at the file");
    }
}

/// Runs one check. Other processes may write at the same time, so findings are checked again under the lock.
fn run_check(
    project: &Project,
    name: &'static str,
    report: &mut DoctorReport,
    check: impl Fn(&mut DoctorReport) -> Result<()>,
) {
    let mut checked = report.clone();
    let mut result = check(&mut checked);
    let is_doubtful = match &result {
        // A second lock timeout would not help.
        Err(error) => error.kind() != ErrorKind::LockHeld,
        Ok(()) => checked.findings.len() > report.findings.len(),
    };
    if is_doubtful {
        // Without the lock, the first findings count.
        if let Ok(_locked) = project.lock("doctor", None) {
            checked = report.clone();
            result = check(&mut checked);
        }
    }
    *report = checked;
    if let Err(error) = result {
        report.fail(name, &error, "look at the file");
    }
}
