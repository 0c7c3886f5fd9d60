//! `doctor`: what is wrong with a store, and what to do about it.
//!
//! It runs the rules of `check`, and checks what only this machine has: the disk, the journal, leftovers of processes,
//! the search index, edits in the queue.

mod derived;
mod ground;
mod queue;
mod repair;
mod rules;

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Project, Session};
use crate::error::{Error, ErrorKind, Result};
use crate::project::check::{Level, Rule};
use crate::project::store::is_settled;
use crate::secrets::clean;

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct Diagnosis {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<String>,
    pub healthy: bool,
    pub checked: Vec<&'static str>,
    pub fixed: Vec<String>,
    pub findings: Vec<Finding>,
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct Finding {
    pub level: Level,
    /// The part of the store that was examined.
    pub check: &'static str,
    /// The rule of `check` that is broken, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
    pub message: String,
    pub hint: String,
}

impl Diagnosis {
    pub(crate) fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|finding| finding.level == level).count()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Treatment {
    Look,
    Fix,
}

pub(crate) fn doctor(session: &Session, treatment: Treatment) -> Diagnosis {
    let mut report = Report::default();
    report.begin("settings");
    let begun =
        session.layout().and_then(|layout| is_settled(&layout)).is_ok_and(|settled| !settled);
    let opened = Project::open_as_it_is(session).and_then(|project| {
        project.catalog()?;
        Ok(project)
    });
    match opened {
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

/// Examines a store that could be opened, after repairs.
fn examine(project: &Project, session: &Session, treatment: Treatment, report: &mut Report) {
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
    if let Err(error) = ground::check_disk(layout, report) {
        report.fail("disk", &error, "look at the disk");
    }
    run_check(project, "files", report, |report| rules::check_rules(session, report));
    run_check(project, "queue", report, |report| queue::check(layout, report));
    run_check(project, "search index", report, |report| derived::check_index(project, report));
    run_check(project, "git", report, |report| ground::check_git(project, report));
}

fn examine_without_settings(session: &Session, report: &mut Report) {
    let Ok(layout) = session.layout() else { return };
    if let Err(error) = ground::check_disk(&layout, report) {
        report.fail("disk", &error, "look at the disk");
    }
    if let Err(error) = rules::check_rules(session, report) {
        report.fail("files", &error, "look at the file");
    }
}

/// Runs one check. Other processes may write at the same time, so findings are checked again under the lock.
fn run_check(
    project: &Project,
    name: &'static str,
    report: &mut Report,
    check: impl Fn(&mut Report) -> Result<()>,
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

#[derive(Clone, Default)]
struct Report {
    checked: Vec<&'static str>,
    fixed: Vec<String>,
    findings: Vec<Finding>,
    /// What the findings name.
    subjects: BTreeSet<String>,
    /// The same, with every end of each path.
    named: BTreeSet<String>,
}

/// The deepest path of a store.
const DEEPEST: usize = 64;

/// Returns a path and all its ends at a `/`: `b.md` is no end of `modules/web.md`.
fn ends_of(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |rest| rest.split_once('/').map(|(_, rest)| rest))
        .take(DEEPEST)
}

impl Report {
    fn begin(&mut self, check: &'static str) {
        self.checked.push(check);
    }

    fn warn(&mut self, check: &'static str, message: impl Into<String>, hint: impl Into<String>) {
        self.note(check, Level::Warning, message.into(), hint.into());
    }

    fn note(&mut self, check: &'static str, level: Level, message: String, hint: String) {
        self.add(Finding { level, check, rule: None, message, hint });
    }

    fn add(&mut self, finding: Finding) {
        // A setting or file name may hold a secret, and the settings of the scanner may be invalid.
        let (message, hint) = (clean(&finding.message), clean(&finding.hint));
        if let Some(subject) = message.split('`').nth(1) {
            self.named.extend(ends_of(subject).map(str::to_owned));
            self.subjects.insert(subject.to_owned());
        }
        self.findings.push(Finding { message, hint, ..finding });
    }

    /// Tells whether a finding names a file already; `path` may start above the store.
    fn has_named(&self, path: &str) -> bool {
        self.named.contains(path) || ends_of(path).any(|end| self.subjects.contains(end))
    }

    /// Adds an error; `hint` is for one without a hint.
    fn fail(&mut self, check: &'static str, error: &Error, hint: &str) {
        let hint = error.next_step().unwrap_or(hint).to_owned();
        self.note(check, Level::Error, error.to_string(), hint);
    }

    fn finish(self, store: Option<String>) -> Diagnosis {
        Diagnosis {
            store,
            healthy: self.findings.is_empty(),
            checked: self.checked,
            fixed: self.fixed,
            findings: self.findings,
        }
    }
}
