//! Annotations of GitHub Actions, as workflow commands.
//!
//! A command is a line that begins with `::`, so a text from memory that could begin a line of its own
//! would be a command too: line ends and `%` are escaped everywhere, `:` and `,` in properties.

use super::report::CheckReport;
use crate::project::check::finding::CheckFinding;
use crate::project::check::rule::Level;
use crate::text::count;

/// Annotations of one kind that are shown for a step; what comes after is in the log only.
const SHOWN: usize = 10;

/// Writes one annotation a finding, errors first, and a total where not all will be shown.
pub(super) fn write(report: &CheckReport) -> String {
    let mut text = String::new();
    for level in [Level::Error, Level::Warning] {
        for finding in report.findings.iter().filter(|finding| finding.level == level) {
            text += &annotation(finding);
        }
    }
    if report.errors > SHOWN || report.warnings > SHOWN {
        let total = format!(
            "{} in all; GitHub shows the first {SHOWN} of each kind, the log has the others",
            report.summary()
        );
        text += &format!("::notice title=agent-memory check::{}\n", data(&total));
    }
    if !report.pending.is_empty() {
        let waits = format!("pending: {}", count(report.pending.len(), "proposal"));
        text += &format!("::notice title=agent-memory review::{}\n", data(&waits));
    }
    text
}

fn annotation(finding: &CheckFinding) -> String {
    let kind = match finding.level {
        Level::Error => "error",
        Level::Warning | Level::Allow => "warning",
    };
    let place = match (finding.line, finding.column) {
        (Some(line), Some(column)) => format!(",line={line},endLine={line},col={column}"),
        (Some(line), None) => format!(",line={line},endLine={line}"),
        (None, _) => String::new(),
    };
    let message = format!("{}\n{}", finding.message, finding.repair.line());
    let (file, title) = (property(&finding.path), property(finding.rule.name()));
    format!("::{kind} file={file}{place},title={title}::{}\n", data(&message))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::check::format::tests::mischief;

    #[test]
    fn a_text_cannot_give_a_command() {
        assert_eq!(
            write(&mischief("50%::stop-commands::x")),
            "::error file=a%2Cb%3A%25.md,line=3,endLine=3,title=schema::50%25::stop-commands::x%0Aby hand: correct the section, or the schema if the rule is the mistake\n"
        );
        assert_eq!(data("50%\r\n::stop-commands::x"), "50%25%0D%0A::stop-commands::x");
    }
}
