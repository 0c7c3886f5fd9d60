//! `doctor`: what is wrong with a store, and what to do about it.

mod decisions;
mod derived;
mod ground;
mod memory;
mod repair;

use serde::Serialize;

use super::{Place, Workspace};
use crate::contract::words;
use crate::error::{Error, ErrorKind, Result};
use crate::schema::{Catalog, SectionRules};
use crate::secrets::clean;
use crate::store::{Layout, is_settled};

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
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

words! {
    /// How bad a finding is.
    Level {
        /// Something to look at when there is time.
        Warning = "warning",
        /// Something does not work.
        Error = "error",
    }
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
    let opened = Workspace::open(place).and_then(|workspace| {
        workspace.catalog()?;
        Ok(workspace)
    });
    let workspace = match opened {
        Ok(workspace) => workspace,
        Err(error) => {
            if error.kind() == ErrorKind::StoreDamaged {
                report.begin("journal");
            }
            report.fail(&error, "correct the file");
            if let Ok(layout) = place.layout() {
                look_without_settings(&layout, &mut report);
            }
            return report.finish(None);
        }
    };
    check_schemas(&workspace, &mut report);
    if begun {
        report.fixed.push("finished the changes in `state/journal`, as every command does".into());
    }
    workspace.notices.iter().for_each(|notice| {
        report.add(
            Level::Warning,
            notice.clone(),
            "look at what was kept and delete it".to_owned(),
        );
    });
    if treatment == Treatment::Fix
        && let Err(error) = repair::repair(&workspace, &mut report)
    {
        report.fail(&error, "look at the file");
    }
    // Taking the lock would remove the leftovers that this is about.
    if let Err(error) = ground::check_disk(workspace.store.layout(), &mut report) {
        report.fail(&error, "look at the disk");
    }
    let checks: [fn(&Workspace, &mut Report) -> Result<()>; 7] = [
        memory::check_files,
        derived::check_contents,
        derived::check_index,
        decisions::check_queue,
        |workspace, report| memory::check_rejections(workspace.store.layout(), report),
        |workspace, report| decisions::check_log(workspace.store.layout(), report),
        ground::check_git,
    ];
    for check in checks {
        if let Err(error) = look(&workspace, check, &mut report) {
            report.fail(&error, "look at the file");
        }
    }
    report.finish(Some(workspace.shown_folder()))
}

/// Names the expressions of schemas that nothing can be held against.
fn check_schemas(workspace: &Workspace, report: &mut Report) {
    for category in workspace.catalog.get().into_iter().flat_map(Catalog::categories) {
        let unusable = category.section.as_ref().map(SectionRules::unusable);
        for expression in unusable.unwrap_or_default() {
            let name = &category.name;
            let message = format!("`schemas/{name}.toml`: `{expression}` is too large to compile");
            report.add(Level::Error, message, "nothing fits it; write a shorter one".to_owned());
        }
    }
}

/// Looks at what needs no settings to be understood.
fn look_without_settings(layout: &Layout, report: &mut Report) {
    for check in [ground::check_disk, memory::check_rejections, decisions::check_log] {
        if let Err(error) = check(layout, report) {
            report.fail(&error, "look at the file");
        }
    }
}

/// Checks one thing. Others may write while it looks here and there, so what it finds must be there under
/// the lock too.
fn look(
    workspace: &Workspace,
    check: fn(&Workspace, &mut Report) -> Result<()>,
    report: &mut Report,
) -> Result<()> {
    let mut looked = report.clone();
    let result = check(workspace, &mut looked);
    if result.is_err() || looked.findings.len() > report.findings.len() {
        // Where the lock cannot be had, what was seen is all there is to say.
        if let Ok(_locked) = workspace.lock("doctor", None) {
            return check(workspace, report);
        }
    }
    *report = looked;
    result
}

/// What was found so far.
#[derive(Clone, Default)]
struct Report {
    checked: Vec<&'static str>,
    fixed: Vec<String>,
    findings: Vec<Finding>,
}

impl Report {
    fn begin(&mut self, check: &'static str) {
        self.checked.push(check);
    }

    fn add(&mut self, level: Level, message: String, hint: String) {
        let check = self.checked.last().copied().unwrap_or_default();
        // A setting or a file name may hold a secret, and there may be no good settings to look for it with.
        let (message, hint) = (clean(&message), clean(&hint));
        self.findings.push(Finding { level, check, message, hint });
    }

    /// Tells whether what a message begins with is named already.
    fn has_named(&self, message: &str) -> bool {
        let subject = |text: &str| text.split('`').nth(1).map(str::to_owned);
        let named = self.findings.iter().filter_map(|finding| subject(&finding.message));
        subject(message).is_some_and(|path| named.into_iter().any(|each| each == path))
    }

    /// Adds what could not be done; `hint` is for an error that has none.
    fn fail(&mut self, error: &Error, hint: &str) {
        let hint = error.next_step().unwrap_or(hint).to_owned();
        self.add(Level::Error, error.to_string(), hint);
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
