//! `agent-memory doctor --user`

use super::person::{Named, session};
use super::print::told_if;
use crate::cli::call::{Context, Exit};
use crate::cli::findings::{FindingLine, print_findings, print_fixed};
use crate::cli::output::{BAD, CARE, GOOD, Output};
use crate::personal::request::{PersonalDiagnosis, PersonalFinding};
use crate::personal::verbs;
use crate::secrets::shown_name;
use crate::text::count;

pub(in crate::cli) fn diagnose(named: &Named, fix: bool, context: &Context) -> Exit {
    let (session, output) = (session(named, context)?, context.output);
    let answer = if fix { verbs::repair(&session) } else { verbs::diagnose(&session) };
    let print = |diagnosis: &_| print(diagnosis, output);
    Ok(told_if(output, answer, |diagnosis| diagnosis.healthy, print)?)
}

fn print(diagnosis: &PersonalDiagnosis, output: Output) {
    let PersonalDiagnosis { folder, healthy, checked, fixed, findings } = diagnosis;
    if folder.is_none() {
        output.data(&format!("{GOOD}healthy{GOOD:#}; nothing is stored for this person\n"));
        return;
    }
    print_fixed(fixed, output);
    print_findings(findings.iter().map(finding_line), output);
    let verdict = match healthy {
        true => format!("{GOOD}healthy{GOOD:#}"),
        false => format!("{BAD}{}{BAD:#}", count(findings.len(), "finding")),
    };
    output.data(&format!("{verdict}; looked at {}\n", checked.join(", ")));
}

fn finding_line(finding: &PersonalFinding) -> FindingLine<'_> {
    let PersonalFinding { check, message, hint, .. } = finding;
    FindingLine { line: format!("{CARE}{check}{CARE:#}: {}", shown_name(message)), hint }
}
