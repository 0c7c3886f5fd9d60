//! `agent-memory confirm`

use serde::Serialize;

use super::call::{Context, Exit};
use super::output::DONE;
use super::render;
use super::written::{WriterArgs, code};
use crate::project::request::Outcome;
use crate::project::verbs::{Statement, evidence_request};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The sections, or their ids where no other section has them
    #[arg(value_name = "FILE#SECTION", required = true)]
    what: Vec<String>,
    #[command(flatten)]
    writer: WriterArgs,
}

/// What became of each section, in the order in which they were named.
#[derive(Serialize, schemars::JsonSchema)]
pub(super) struct Confirmed {
    results: Vec<Outcome>,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let project = context.project()?;
    let author = args.writer.author(project, "confirm")??;
    let mut results = Vec::new();
    for what in &args.what {
        let outcome = match evidence_request(project, what, &Statement::StillTrue)? {
            Ok(request) => author.write(project, &request)?,
            Err(refusal) => Outcome::Rejected(*refusal),
        };
        if !context.output.json {
            render::told(&outcome, context.output);
        }
        results.push(outcome);
    }
    let worst = results.iter().map(code).max().unwrap_or(DONE);
    if context.output.json {
        context.output.document(&Confirmed { results });
    }
    Ok(worst)
}
