//! Writes a report as the programs that read it want it, each format in a file of its own.

mod github;
mod gitlab;
mod json;
mod junit;
mod markdown;
mod report;
mod sarif;

use crate::contract::words;
pub use report::{CheckReport, DecidedReport, PendingReport};

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

/// Writes a report; `version` is that of this program.
pub fn write(format: Format, report: &CheckReport, version: &str) -> String {
    match format {
        Format::Json => json::write(report),
        Format::Github => github::write(report),
        Format::Gitlab => gitlab::write(report),
        Format::Sarif => sarif::write(report, version),
        Format::Junit => junit::write(report),
        Format::Markdown => markdown::write(report),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::project::check::{Levels, Remark, Rule, settle};
    use crate::secrets::Scanner;

    /// Makes a report of one finding with a message that means mischief.
    pub(in crate::project::check) fn mischief(message: &str) -> CheckReport {
        let remark = Remark::new(Rule::Schema, "a,b:%.md", message).at(3);
        CheckReport::new(
            settle(vec![remark], "".into(), &Levels::default(), &Scanner::default()),
            Vec::new(),
        )
    }

    #[test]
    fn a_summary_counts_what_matters() {
        assert_eq!(mischief("x").summary(), "1 error");
        assert_eq!(CheckReport::new(Vec::new(), Vec::new()).summary(), "clean");
    }
}
