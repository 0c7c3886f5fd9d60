//! `agent-memory service export`

use std::path::PathBuf;

use clap::ValueEnum;

use super::print::answered;
use crate::cli::call::Context;
use crate::cli::output::{DONE, GOOD, Output};
use crate::error::{Error, ErrorKind, Result};
use crate::secrets::shown_name;
use crate::service::request::MemoryExport;
use crate::service::verbs::{self, ExportForm, ExportTarget, ServiceSession};
use crate::text::count;

// No doc comment: clap would take it for the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Folder that is new or empty; without it stdout
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Choose the form: JSON Lines, which `import` reads, or Markdown, a page a memory
    #[arg(long, value_name = "FORM", default_value = "jsonl")]
    format: ExportFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    Jsonl,
    Markdown,
}

pub(super) fn run(args: &Args, session: &ServiceSession, context: &Context) -> Result<u8> {
    let output = context.output;
    let form = match args.format {
        ExportFormat::Jsonl => ExportForm::Lines,
        ExportFormat::Markdown => ExportForm::Markdown,
    };
    if let Some(folder) = &args.folder {
        let folder = context.session.folder.join(folder);
        let report = verbs::export(session, form, ExportTarget::Folder(&folder));
        return answered(output, report, |report| print(report, output));
    }
    if output.json {
        let message = "`--json` reports about a folder, and there is none";
        let hint = "name a folder; without `--json` the lines go to stdout, each of them JSON";
        return Err(Error::new(ErrorKind::Usage, message).hint(hint));
    }
    verbs::export(session, form, ExportTarget::Text(&mut |text| output.data(text)))?;
    Ok(DONE)
}

fn print(report: &MemoryExport, output: Output) {
    let MemoryExport { exported, relations, folder, .. } = report;
    let (memories, relations) = (count(*exported, "memory"), count(*relations, "relation"));
    let folder = shown_name(folder.as_deref().unwrap_or_default()).into_owned();
    output.data(&format!("{GOOD}exported{GOOD:#} {memories} and {relations} to {folder}\n"));
}
