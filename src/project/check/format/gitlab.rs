//! Code quality of GitLab: a list of issues, known by fingerprints that do not move with lines.

use serde_json::{Value, json};

use super::json::document;
use super::report::CheckReport;
use crate::project::check::finding::CheckFinding;
use crate::project::check::rule::{Level, Rule};

pub(super) fn write(report: &CheckReport) -> String {
    document(&report.findings.iter().map(issue).collect::<Vec<Value>>())
}

fn issue(finding: &CheckFinding) -> Value {
    let severity = match (finding.level, finding.rule) {
        (Level::Error, Rule::Secret) => "critical",
        (Level::Error, _) => "major",
        (Level::Warning | Level::Allow, _) => "minor",
    };
    json!({
        "description": format!("{}; {}", finding.message, finding.repair.line()),
        "check_name": finding.rule,
        "fingerprint": finding.fingerprint,
        "severity": severity,
        "location": {
            "path": finding.path,
            // An issue stands on a line, even where it is about the whole file.
            "lines": { "begin": finding.line.unwrap_or(1) },
        },
    })
}
