//! `doctor`: what is wrong with a store, and what to do about it.
//!
//! The files are held against the rules of `check`; the rest is what only this machine has: the disk, the
//! journal, what processes left behind, the search index, edits of what waits.

mod derived;
mod ground;
mod queue;
mod repair;
mod rules;

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Place, Workspace};
use crate::error::{Error, ErrorKind, Result};
use crate::project::check::{Level, Rule};
use crate::project::store::is_settled;
use crate::secrets::clean;
pub(super) use ground::{QUEUE_IGNORED, ignores_queue};

/// What a look at a store says.
#[derive(Debug, Clone, Serialize)]
pub struct Diagnosis {
    /// The folder of the store, where one was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<String>,
    /// Whether nothing was found.
    pub healthy: bool,
    /// What was looked at, in order.
    pub checked: Vec<&'static str>,
    /// What was put right.
    pub fixed: Vec<String>,
    /// What was found, and is still so.
    pub findings: Vec<Finding>,
}

/// One thing that a person should know.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// How bad it is.
    pub level: Level,
    /// What was looked at.
    pub check: &'static str,
    /// The rule of `check` that is not kept, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

impl Diagnosis {
    /// Counts the findings of a level.
    pub fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|finding| finding.level == level).count()
    }
}

/// Whether a look at a store may repair it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Treatment {
    /// It only looks.
    Look,
    /// It repairs first what can be repaired without a choice.
    Fix,
}

/// Looks at everything; a store that cannot be opened is a finding too.
pub fn doctor(place: &Place, treatment: Treatment) -> Diagnosis {
    let mut report = Report::default();
    report.begin("settings");
    let begun = place.layout().and_then(|layout| is_settled(&layout)).is_ok_and(|settled| !settled);
    let opened = Workspace::open_as_it_is(place).and_then(|workspace| {
        workspace.catalog()?;
        Ok(workspace)
    });
    match opened {
        Ok(workspace) => {
            if begun {
                let done = "finished the changes in `state/journal`, as every command does";
                report.fixed.push(done.to_owned());
            }
            examine(&workspace, place, treatment, &mut report);
            report.finish(Some(workspace.shown_folder()))
        }
        Err(error) => {
            let part = match error.kind() {
                ErrorKind::StoreDamaged => "journal",
                _ => "settings",
            };
            report.fail(part, &error, "correct the file");
            look_without_settings(place, &mut report);
            // Where a rule names the slip too, it names its line.
            if report.findings.iter().any(|finding| finding.rule == Some(Rule::Config)) {
                report.findings.remove(0);
            }
            report.finish(None)
        }
    }
}

/// Looks at a store that could be opened, after what can be repaired is.
fn examine(workspace: &Workspace, place: &Place, treatment: Treatment, report: &mut Report) {
    for notice in &workspace.notices {
        let hint = "look at what was kept and delete it".to_owned();
        report.say("settings", Level::Warning, notice.clone(), hint);
    }
    if treatment == Treatment::Fix
        && let Err(error) = repair::repair(workspace, report)
    {
        report.fail("repair", &error, "look at the file");
    }
    let layout = workspace.store.layout();
    // Taking the lock would remove the leftovers that this is about.
    if let Err(error) = ground::check_disk(layout, report) {
        report.fail("disk", &error, "look at the disk");
    }
    look(workspace, "files", report, |report| rules::check_rules(place, report));
    look(workspace, "queue", report, |report| queue::check(layout, report));
    look(workspace, "search index", report, |report| derived::check_index(workspace, report));
    look(workspace, "git", report, |report| ground::check_git(workspace, report));
}

/// Looks at what needs no settings to be understood.
fn look_without_settings(place: &Place, report: &mut Report) {
    let Ok(layout) = place.layout() else { return };
    if let Err(error) = ground::check_disk(&layout, report) {
        report.fail("disk", &error, "look at the disk");
    }
    if let Err(error) = rules::check_rules(place, report) {
        report.fail("files", &error, "look at the file");
    }
}

/// Checks one thing. Others may write while it looks here and there, so what it finds must be there under
/// the lock too.
fn look(
    workspace: &Workspace,
    name: &'static str,
    report: &mut Report,
    check: impl Fn(&mut Report) -> Result<()>,
) {
    let mut looked = report.clone();
    let mut result = check(&mut looked);
    let is_doubtful = match &result {
        // Who was waited for in vain would be waited for again.
        Err(error) => error.kind() != ErrorKind::LockHeld,
        Ok(()) => looked.findings.len() > report.findings.len(),
    };
    if is_doubtful {
        // Where the lock cannot be had, what was seen is all there is to say.
        if let Ok(_locked) = workspace.lock("doctor", None) {
            looked = report.clone();
            result = check(&mut looked);
        }
    }
    *report = looked;
    if let Err(error) = result {
        report.fail(name, &error, "look at the file");
    }
}

/// What was found so far.
#[derive(Clone, Default)]
struct Report {
    checked: Vec<&'static str>,
    fixed: Vec<String>,
    findings: Vec<Finding>,
    /// What the findings name.
    subjects: BTreeSet<String>,
    /// The same, and how each path among it ends.
    named: BTreeSet<String>,
}

/// How many folders a path of a store goes down at most.
const DEEPEST: usize = 64;

/// Returns a path, and what is left of it without its first parts: `b.md` is no end of `modules/web.md`.
fn ends_of(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |rest| rest.split_once('/').map(|(_, rest)| rest))
        .take(DEEPEST)
}

impl Report {
    fn begin(&mut self, check: &'static str) {
        self.checked.push(check);
    }

    /// Says what no rule is about.
    fn say(&mut self, check: &'static str, level: Level, message: String, hint: String) {
        self.add(Finding { level, check, rule: None, message, hint });
    }

    fn add(&mut self, finding: Finding) {
        // A setting or a file name may hold a secret, and there may be no good settings to look for it with.
        let (message, hint) = (clean(&finding.message), clean(&finding.hint));
        if let Some(subject) = message.split('`').nth(1) {
            self.named.extend(ends_of(subject).map(str::to_owned));
            self.subjects.insert(subject.to_owned());
        }
        self.findings.push(Finding { message, hint, ..finding });
    }

    /// Tells whether a file is named already; `path` may lead to it from above the store.
    fn has_named(&self, path: &str) -> bool {
        self.named.contains(path) || ends_of(path).any(|end| self.subjects.contains(end))
    }

    /// Adds what could not be done; `hint` is for an error that has none.
    fn fail(&mut self, check: &'static str, error: &Error, hint: &str) {
        let hint = error.next_step().unwrap_or(hint).to_owned();
        self.say(check, Level::Error, error.to_string(), hint);
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
