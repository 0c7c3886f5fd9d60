//! Writes a report as the programs that read it want it, each format in a file of its own.

mod github;
mod gitlab;
mod junit;
mod markdown;
mod sarif;

use serde::Serialize;

use super::finding::{Finding, still_there};
use super::rule::Level;
use crate::contract::words;
use crate::secrets::shown_json;
use crate::text::count;

words! {
    /// Who reads the report.
    Format {
        /// A program, one document.
        Json = "json",
        /// GitHub Actions: annotations.
        Github = "github",
        /// GitLab: code quality.
        Gitlab = "gitlab",
        /// Code scanning: SARIF 2.1.0.
        Sarif = "sarif",
        /// Test reports: JUnit XML.
        Junit = "junit",
        /// People: a comment on a pull request.
        Markdown = "markdown",
    }
}

/// The report of a check.
#[derive(Debug, Clone, Default, Serialize, schemars::JsonSchema)]
pub struct Report {
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
    pub findings: Vec<Finding>,
    /// The pending proposals.
    pub pending: Vec<Waiting>,
    /// What could not be known here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The files that were looked at, relative to the root of the repository.
    #[serde(skip)]
    pub paths: Vec<String>,
}

/// A pending proposal.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Waiting {
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

impl Report {
    /// Makes a report.
    pub fn new(findings: Vec<Finding>, pending: Vec<Waiting>) -> Self {
        let mut report = Self { schema_version: 1, findings, pending, ..Self::default() };
        report.count();
        report
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

/// Writes a report; `version` is that of this program.
pub fn write(format: Format, report: &Report, version: &str) -> String {
    match format {
        Format::Json => {
            let text = serde_json::to_string_pretty(report).expect("a report is plain data");
            shown_json(&text) + "\n"
        }
        Format::Github => github::write(report),
        Format::Gitlab => gitlab::write(report),
        Format::Sarif => sarif::write(report, version),
        Format::Junit => junit::write(report),
        Format::Markdown => markdown::write(report),
    }
}

/// Lays out a JSON document, fit for a terminal too.
fn document(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("a report is plain data");
    crate::text::escape_json(&text).into_owned() + "\n"
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::project::check::{Levels, Remark, Rule, settle};
    use crate::secrets::Scanner;

    /// Makes a report of one finding with a message that means mischief.
    pub(in crate::project::check) fn mischief(message: &str) -> Report {
        let remark = Remark::new(Rule::Schema, "a,b:%.md", message).at(3);
        Report::new(settle(vec![remark], "", &Levels::default(), &Scanner::default()), Vec::new())
    }

    #[test]
    fn a_summary_counts_what_matters() {
        assert_eq!(mischief("x").summary(), "1 error");
        assert_eq!(Report::new(Vec::new(), Vec::new()).summary(), "clean");
    }
}
