//! `agent-memory ltm update` and `agent-memory ltm create`

use std::path::PathBuf;

use super::input::{read_context_file, read_json};
use super::place::LongtermPlace;
use crate::cli::call::Context;
use crate::cli::output::{DONE, NO};
use crate::error::{EXIT_COULD_NOT, Error, ErrorKind, Result};
use crate::longterm::request::{LongtermAnswer, LongtermCall, LongtermTool};
use crate::longterm::verbs;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Read the document from a file; `-` is stdin
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Read the context from this file, for a host with one conversation
    #[arg(long, value_name = "FILE")]
    context: Option<PathBuf>,
}

pub(super) fn run(
    args: &Args,
    tool: LongtermTool,
    place: &LongtermPlace,
    context: &Context,
) -> Result<u8> {
    let mut call: LongtermCall = read_json(args.file.as_deref(), context)?;
    if let Some(file) = &args.context {
        if !call.context.is_null() {
            let message = "the context is given twice, in the document and with `--context`";
            return Err(Error::new(ErrorKind::Usage, message).hint("leave one of them out"));
        }
        call.context = read_context_file(file, context)?;
    }
    let answer: LongtermAnswer = match place.session_to_write(context) {
        Ok(session) => verbs::answer(&session, tool, &call),
        Err(error) => verbs::unanswered(tool, &error),
    };
    context.output.print_json(&answer);
    Ok(match answer.success {
        true => DONE,
        false if answer.is_failure() => EXIT_COULD_NOT,
        false => NO,
    })
}
