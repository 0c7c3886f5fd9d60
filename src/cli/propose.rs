//! `agent-memory propose`

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::output::{DONE, NO};
use super::{Context, Exit};
use crate::contract::{Outcome, request_schema, response_schema};
use crate::project::verbs::{propose, read_request};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Read the request from a file instead; `-` is stdin
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print the JSON Schemas of request and answer, and propose nothing
    #[arg(long)]
    schema: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    if args.schema {
        let (request, response) = (request_schema(), response_schema());
        context.output.print_json(&json!({"request": request, "response": response}));
        return Ok(DONE);
    }
    let file = args.file.as_deref().filter(|file| *file != Path::new("-"));
    if file.is_none() && std::io::stdin().is_terminal() {
        context.output.talk("reading a request from the terminal, end it with Ctrl-D; `--schema` prints what it may hold");
    }
    let bytes = read_request(file)?;
    let project = context.project_to_write()?;
    let outcome = propose(project, bytes)?;
    context.output.print_json(&outcome);
    Ok(match outcome {
        Outcome::Applied(_) | Outcome::Staged(_) => DONE,
        Outcome::Rejected(_) => NO,
    })
}
