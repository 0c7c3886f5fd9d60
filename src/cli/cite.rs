//! `agent-memory cite`

use super::call::{Context, Exit};
use super::search::read_confidence;
use super::values::source;
use super::written::{Author, WriterArgs, finish};
use crate::contract::Confidence;
use crate::project::verbs::{Statement, evidence_request};
use serde_json::Value;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The section, or its id where no other section has it
    #[arg(value_name = "FILE#SECTION")]
    what: String,
    /// What it rests on: `src/auth.rs:10-20`, `tests/auth.rs::rotates`, an address, or with its type `commit:3f2a91c`,
    /// `user:ada`
    #[arg(value_name = "SOURCE", required = true, value_parser = source)]
    sources: Vec<Value>,
    /// Say how sure it is; in your own name `confirmed` by default, with `--stage` `inferred`
    #[arg(long, value_name = "WORD", value_parser = read_confidence)]
    confidence: Option<Confidence>,
    #[command(flatten)]
    writer: WriterArgs,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let project = context.project()?;
    let author = args.writer.author(project, "cite")??;
    let confidence = args.confidence.unwrap_or(match author {
        Author::Person(_) => Confidence::Confirmed,
        Author::Staged => Confidence::Inferred,
    });
    let said = Statement::Cited { sources: &args.sources, confidence };
    let request = evidence_request(project, &args.what, &said)??;
    Ok(finish(&author.write(project, &request)?, context))
}
