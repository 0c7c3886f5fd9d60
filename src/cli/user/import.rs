//! `agent-memory user import`

use std::path::PathBuf;

use clap::ValueEnum;

use super::print::told_if;
use crate::cli::call::Context;
use crate::cli::environment;
use crate::cli::output::{BAD, FAINT, GOOD, Output, TITLE};
use crate::error::{Error, ErrorKind, Result};
use crate::personal::request::{ImportRefusal, ImportReport, ImportStatus, ImportedEntry};
use crate::personal::verbs::{self, ImportMode, ImportSource, PersonalSession};
use crate::secrets::shown_name;

// No doc comment: clap would take it for the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Folder of Markdown files; folders in it are read too
    #[arg(value_name = "DIR", required_unless_present = "from", conflicts_with = "from")]
    folder: Option<PathBuf>,
    /// Import what this tool remembers
    #[arg(long, value_name = "TOOL")]
    from: Option<OtherTool>,
    /// With `--from claude`: the project that it is about, by default the working directory
    #[arg(long, value_name = "DIR", requires = "from")]
    project: Option<PathBuf>,
    /// Say what would be imported, and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// A tool with a memory of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OtherTool {
    Claude,
    Gemini,
}

pub(super) fn run(args: &Args, session: &PersonalSession, context: &Context) -> Result<u8> {
    let mode = if args.dry_run { ImportMode::DryRun } else { ImportMode::Write };
    let answer = verbs::import(session, &source(args, context)?, mode);
    let is_whole = |report: &ImportReport| report.rejected == 0;
    told_if(context.output, answer, is_whole, |report| print(report, context.output))
}

fn source(args: &Args, context: &Context) -> Result<ImportSource> {
    let named = |path: &PathBuf| context.session.folder.join(path);
    match (args.from, &args.folder) {
        (Some(OtherTool::Claude), _) => Ok(ImportSource::Claude {
            settings: environment::claude_folder()?,
            project: args.project.as_ref().map_or_else(|| context.session.folder.clone(), named),
        }),
        (Some(OtherTool::Gemini), _) if args.project.is_some() => {
            let message = "`--project` is for `--from claude`";
            let hint = "leave it out: Gemini CLI has one list for all projects";
            Err(Error::new(ErrorKind::Usage, message).hint(hint))
        }
        (Some(OtherTool::Gemini), _) => Ok(ImportSource::Gemini(environment::gemini_file()?)),
        (None, Some(folder)) => Ok(ImportSource::Folder(named(folder))),
        (None, None) => {
            Err(Error::new(ErrorKind::Usage, "there is no source").hint("name a folder"))
        }
    }
}

fn print(report: &ImportReport, output: Output) {
    let ImportReport { created, unchanged, rejected, dry_run, .. } = report;
    let mut text: String = report.entries.iter().map(|entry| lines_of(entry, *dry_run)).collect();
    let (created, ending) = match dry_run {
        true => (format!("{created} would be created"), "; nothing was written"),
        false => (format!("{created} created"), ""),
    };
    text +=
        &format!("{FAINT}{created}, {unchanged} unchanged, {rejected} refused{ending}{FAINT:#}\n");
    output.data(&text);
    output.warn_each(&report.warnings);
}

fn lines_of(entry: &ImportedEntry, dry_run: bool) -> String {
    let ImportedEntry { status, name, renamed, refusal, .. } = entry;
    let (style, word) = match status {
        ImportStatus::Created if dry_run => (GOOD, "would create"),
        ImportStatus::Created => (GOOD, "created"),
        ImportStatus::Unchanged => (GOOD, "unchanged"),
        ImportStatus::Rejected => (BAD, "refused"),
    };
    let from = shown_name(&entry.from);
    match refusal {
        Some(ImportRefusal { reason, message, hint }) => {
            let (message, hint) = (shown_name(message), shown_name(hint));
            format!(
                "{style}{word}{style:#} {from}: {message} [{reason}]\n  {TITLE}hint:{TITLE:#} {hint}\n"
            )
        }
        None => {
            let renamed = if *renamed { " (renamed)" } else { "" };
            format!("{style}{word}{style:#} {name}{FAINT}  from {from}{renamed}{FAINT:#}\n")
        }
    }
}
