//! `doctor --upgrade`: brings a store of an earlier layout up, in the name of a person.

use serde::Serialize;

use super::answer::{Attempt, answered, logged_hash, write};
use super::project::Project;
use crate::contract::FileState;
use crate::error::Result;
use crate::project::config::FORMAT_VERSION;
use crate::project::pipeline::Approval;
use crate::project::request::Answer;
use crate::project::store::log::{Entry, LoggedFile};
use crate::project::store::{Layout, Step, Store};
use crate::project::upgrade::{FileUpgrade, STEPS, UpgradeStep};

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct Upgraded {
    #[schemars(extend("const" = "upgraded"))]
    pub status: &'static str,
    /// The version of the format that the store has now.
    pub version: u64,
    /// What was done; empty where the store had the layout already.
    pub steps: Vec<DoneUpgrade>,
    pub warnings: Vec<String>,
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct DoneUpgrade {
    pub about: &'static str,
    /// The files that were written, or moved to `state/trash/`.
    pub files: Vec<String>,
}

/// Takes each step that the store lacks as a change of its own: after a crash the next run goes on where it was cut off.
pub(crate) fn upgrade(project: &Project, approval: &Approval) -> Result<Answer<Upgraded>> {
    answered(project, || {
        let mut done = Vec::new();
        let mut warnings = project.take_warnings();
        for step in &STEPS {
            done.extend(take(step, project, approval, &mut warnings)?);
        }
        warnings.extend(project.take_warnings());
        Ok(Upgraded { status: "upgraded", version: FORMAT_VERSION, steps: done, warnings })
    })
}

fn take(
    step: &UpgradeStep,
    project: &Project,
    approval: &Approval,
    warnings: &mut Vec<String>,
) -> Attempt<Option<DoneUpgrade>> {
    let mut locked = project.lock("doctor --upgrade", None)?;
    let changed = changed(step, &project.store)?;
    if changed.is_empty() {
        return Ok(None);
    }
    let entry = Entry {
        approver: Some(approval.approver()),
        reason: Some(step.about),
        files: changed.iter().map(ChangedFile::logged).collect(),
        ..Entry::new(project.session.now, "upgraded")
    };
    let layout = project.store.layout();
    let line = entry.append_to(&layout.signed_log().tail()?);
    let steps = changed.iter().map(|file| file.step(layout)).chain([line]).collect();
    let texts = changed.iter().flat_map(|file| [file.before.as_deref(), file.after()]);
    let trace = project.trace_of(texts.flatten());
    warnings.extend(write(&mut locked, steps, trace)?);
    let files = changed.into_iter().map(|file| file.path.to_owned()).collect();
    Ok(Some(DoneUpgrade { about: step.about, files }))
}

/// A file that a step changes.
struct ChangedFile {
    path: &'static str,
    before: Option<String>,
    upgrade: FileUpgrade,
}

fn changed(step: &UpgradeStep, store: &Store) -> Result<Vec<ChangedFile>> {
    let mut changed = Vec::new();
    for path in step.files {
        let before = match store.read_any(path)? {
            FileState::Text(text) => Some(text),
            FileState::Absent => None,
            // `doctor` names it.
            FileState::Unusable(_) => continue,
        };
        let upgrade = (step.change)(path, before.as_deref());
        changed.extend(upgrade.map(|upgrade| ChangedFile { path, before, upgrade }));
    }
    Ok(changed)
}

impl ChangedFile {
    fn after(&self) -> Option<&str> {
        match &self.upgrade {
            FileUpgrade::Write(text) => Some(text),
            FileUpgrade::ToTrash => None,
        }
    }

    fn step(&self, layout: &Layout) -> Step {
        let before = self.before.as_deref();
        match &self.upgrade {
            FileUpgrade::Write(text) => Step::write(self.path, before, text.clone()),
            FileUpgrade::ToTrash => {
                Step::move_to_trash(layout, self.path, before.unwrap_or_default())
            }
        }
    }

    fn logged(&self) -> LoggedFile {
        LoggedFile {
            path: self.path.to_owned(),
            before: self.before.as_deref().map(logged_hash),
            after: self.after().map(logged_hash),
        }
    }
}
