//! `agent-memory propose`

use std::path::{Path, PathBuf};

use super::awaited::say_what_is_awaited;
use super::call::{Context, Exit};
use super::output::{DONE, NO};
use crate::project::request::Outcome;
use crate::project::verbs::{propose, read_request};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Read the request from a file; `-` is stdin
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let file = args.file.as_deref().filter(|file| *file != Path::new("-"));
    if file.is_none() {
        say_what_is_awaited("a request (`--schema` prints what it may hold)", context.output);
    }
    let bytes = read_request(file)?;
    let project = context.project_to_write()?;
    let outcome = propose(project, bytes)?;
    context.output.document(&outcome);
    Ok(match outcome {
        Outcome::Applied(_) | Outcome::Staged(_) => DONE,
        Outcome::Rejected(_) => NO,
    })
}
