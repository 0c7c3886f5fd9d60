//! `agent-memory user export`

use std::path::PathBuf;

use super::print::told_if;
use crate::cli::output::Output;
use crate::error::Result;
use crate::personal::request::ExportReport;
use crate::personal::verbs::{self, PersonalSession};
use crate::secrets::shown_name;
use crate::text::count;

// No doc comment: clap would take it for the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Folder that is new or empty
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(args: &Args, session: &PersonalSession, output: Output) -> Result<u8> {
    let is_whole = |report: &ExportReport| report.left_out == 0;
    told_if(output, verbs::export(session, &args.folder), is_whole, |report| {
        let entries = count(report.exported, "entry");
        let left_out = match report.left_out {
            0 => String::new(),
            many => format!(", {many} left out"),
        };
        let folder = shown_name(&report.folder);
        output.data(&format!("exported {entries} to {folder}{left_out}\n"));
        output.warn_each(&report.warnings);
    })
}
