//! `agent-memory user export`

use std::path::PathBuf;

use super::print::told;
use crate::cli::output::Output;
use crate::error::Result;
use crate::personal::verbs::{self, PersonalSession};
use crate::secrets::shown_name;

// No doc comment: clap would take it for the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Folder that is new or empty
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(args: &Args, session: &PersonalSession, output: Output) -> Result<u8> {
    told(output, verbs::export(session, &args.folder), |report| {
        let entries = match report.exported {
            1 => "1 entry".to_owned(),
            many => format!("{many} entries"),
        };
        output.data(&format!("exported {entries} to {}\n", shown_name(&report.folder)));
        output.warn_each(&report.warnings);
    })
}
