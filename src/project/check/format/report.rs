//! What a check says.

use serde::Serialize;

use crate::project::check::finding::{CheckFinding, still_there};
use crate::project::check::rule::Level;
use crate::text::count;

/// The report of a check.
#[derive(Debug, Clone, Default, Serialize, schemars::JsonSchema)]
pub struct CheckReport {
    /// The version of the form of this document.
    #[schemars(skip)]
    pub schema_version: u32,
    /// Files that were looked at.
    pub files: usize,
    /// Sections in them.
    pub sections: usize,
    /// Findings that make the check fail.
    pub errors: usize,
    /// Findings that do not.
    pub warnings: usize,
    /// What was found, by file and line.
    pub findings: Vec<CheckFinding>,
    /// The pending proposals; in the check of a change those that it added.
    pub pending: Vec<PendingReport>,
    /// The proposals that the checked change decided.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decided: Vec<DecidedReport>,
    /// What could not be known here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The files that were looked at, relative to the root of the repository.
    #[serde(skip)]
    pub paths: Vec<String>,
}

impl CheckReport {
    /// Adds the report about another store.
    pub fn and(mut self, other: Self) -> Self {
        self.files += other.files;
        self.sections += other.sections;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.findings.extend(other.findings);
        self.pending.extend(other.pending);
        self.decided.extend(other.decided);
        self.notes.extend(other.notes);
        self.paths.extend(other.paths);
        self
    }
}

/// A pending proposal.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct PendingReport {
    /// Its id.
    pub id: String,
    /// What it is for.
    pub intent: String,
    /// Why, in the words of the proposer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// Who proposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Until when it can be applied, RFC 3339 UTC.
    pub expires_at: String,
    /// Whether it could be applied now.
    pub can_apply: bool,
    /// Why it cannot be applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What it would do to each file, as unified diffs.
    pub diffs: Vec<String>,
}

/// A proposal that a change decided.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct DecidedReport {
    /// Its id.
    pub id: String,
    /// `applied`, `applied in part` or `rejected`; several, with `and`, if branches disagree.
    pub decision: String,
}

impl CheckReport {
    /// Makes a report.
    pub fn new(findings: Vec<CheckFinding>, pending: Vec<PendingReport>) -> Self {
        let mut report = Self { schema_version: 1, findings, pending, ..Self::default() };
        report.count();
        report
    }

    /// Adds what the checked change decided.
    #[must_use]
    pub(crate) fn with(self, decided: Vec<DecidedReport>) -> Self {
        Self { decided, ..self }
    }

    /// Leaves only those findings that an earlier look had, too.
    #[must_use]
    pub fn seen_before(mut self, former: &Self) -> Self {
        self.findings = still_there(self.findings, &former.findings);
        self.count();
        self
    }

    fn count(&mut self) {
        let count = |level| self.findings.iter().filter(|found| found.level == level).count();
        (self.errors, self.warnings) = (count(Level::Error), count(Level::Warning));
    }

    pub(crate) fn summary(&self) -> String {
        match (self.errors, self.warnings) {
            (0, 0) => "clean".to_owned(),
            (0, warnings) => count(warnings, "warning"),
            (errors, 0) => count(errors, "error"),
            (errors, warnings) => {
                format!("{}, {}", count(errors, "error"), count(warnings, "warning"))
            }
        }
    }

    pub(crate) fn extent(&self) -> String {
        format!("{} in {}", count(self.sections, "section"), count(self.files, "file"))
    }
}
