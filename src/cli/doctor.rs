//! `agent-memory doctor`

use std::collections::BTreeSet;

use super::Context;
use super::output::{BAD, CARE, DONE, GOOD, NO, TITLE};
use crate::check::Level;
use crate::error::Result;
use crate::ops::{Treatment, doctor};
use crate::text::{count, visible};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Repair first what can be repaired without a choice; never touches a memory file
    #[arg(long)]
    fix: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<u8> {
    let treatment = if args.fix { Treatment::Fix } else { Treatment::Look };
    let diagnosis = doctor(&context.place, treatment);
    let output = context.output;
    let (problems, warnings) = (diagnosis.count(Level::Error), diagnosis.count(Level::Warning));
    let code = if problems == 0 { DONE } else { NO };
    if output.json {
        output.document(&diagnosis);
        return Ok(code);
    }
    for fixed in &diagnosis.fixed {
        output.data(&format!("{GOOD}fixed{GOOD:#} {}\n", visible(fixed)));
    }
    let mut given = BTreeSet::new();
    for finding in &diagnosis.findings {
        let style = match finding.level {
            Level::Allow | Level::Warning => CARE,
            Level::Error => BAD,
        };
        let (level, check, message) = (finding.level, finding.check, visible(&finding.message));
        output.data(&format!("{style}{level}{style:#} {check}: {message}\n"));
        // The same advice under each of hundreds of findings would bury them.
        if given.insert(&finding.hint) {
            output.data(&format!("  {TITLE}hint:{TITLE:#} {}\n", visible(&finding.hint)));
        }
    }
    let checked = diagnosis.checked.join(", ");
    let verdict = match (problems, warnings) {
        (0, 0) => format!("{GOOD}healthy{GOOD:#}"),
        (0, _) => format!("{CARE}{}{CARE:#}", count(warnings, "warning")),
        (_, 0) => format!("{BAD}{}{BAD:#}", count(problems, "problem")),
        (_, _) => {
            let (problems, warnings) = (count(problems, "problem"), count(warnings, "warning"));
            format!("{BAD}{problems}{BAD:#}, {CARE}{warnings}{CARE:#}")
        }
    };
    output.data(&format!("{verdict}; looked at {checked}\n"));
    Ok(code)
}
