//! The findings of a diagnosis while it is made.

use std::collections::BTreeSet;

use super::diagnosis::{Diagnosis, DoctorFinding};
use crate::error::Error;
use crate::project::check::Level;
use crate::secrets::clean;

#[derive(Clone, Default)]
pub(super) struct DoctorReport {
    checked: Vec<&'static str>,
    pub(super) fixed: Vec<String>,
    pub(super) findings: Vec<DoctorFinding>,
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

impl DoctorReport {
    pub(super) fn begin(&mut self, check: &'static str) {
        self.checked.push(check);
    }

    pub(super) fn warn(
        &mut self,
        check: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.note(check, Level::Warning, message.into(), hint.into());
    }

    pub(super) fn note(
        &mut self,
        check: &'static str,
        level: Level,
        message: String,
        hint: String,
    ) {
        self.add(DoctorFinding { level, check, rule: None, message, hint });
    }

    pub(super) fn add(&mut self, finding: DoctorFinding) {
        // A setting or file name may hold a secret, and the settings of the scanner may be invalid.
        let (message, hint) = (clean(&finding.message), clean(&finding.hint));
        if let Some(subject) = message.split('`').nth(1) {
            self.named.extend(ends_of(subject).map(str::to_owned));
            self.subjects.insert(subject.to_owned());
        }
        self.findings.push(DoctorFinding { message, hint, ..finding });
    }

    /// Tells whether a finding names a file already; `path` may start above the store.
    pub(super) fn has_named(&self, path: &str) -> bool {
        self.named.contains(path) || ends_of(path).any(|end| self.subjects.contains(end))
    }

    /// Adds an error; `hint` is for one without a hint.
    pub(super) fn fail(&mut self, check: &'static str, error: &Error, hint: &str) {
        let hint = error.next_step().unwrap_or(hint).to_owned();
        self.note(check, Level::Error, error.to_string(), hint);
    }

    pub(super) fn finish(self, store: Option<String>) -> Diagnosis {
        Diagnosis {
            store,
            healthy: self.findings.is_empty(),
            checked: self.checked,
            fixed: self.fixed,
            findings: self.findings,
        }
    }
}
