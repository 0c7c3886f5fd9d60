//! `agent-memory propose`

use std::path::{Path, PathBuf};

use super::Context;
use super::output::{DONE, NO};
use crate::contract::Outcome;
use crate::error::Result;
use crate::ops::{propose, read_request};

/// Propose an edit: one JSON request on stdin, one JSON answer on stdout
///
/// The answer is `applied`, `staged` (a person has to look) or `rejected` (with a reason and a hint).
/// The schemas of both stand in `schemas/wire/`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Read the request from a file instead; `-` is stdin
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<u8> {
    let file = args.file.as_deref().filter(|file| *file != Path::new("-"));
    let bytes = read_request(file)?;
    let workspace = context.workspace()?;
    let outcome = propose(&workspace, bytes)?;
    context.output.document(&outcome);
    Ok(match outcome {
        Outcome::Applied(_) | Outcome::Staged(_) => DONE,
        Outcome::Rejected(_) => NO,
    })
}
