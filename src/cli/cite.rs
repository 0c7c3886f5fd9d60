//! `agent-memory cite`

use super::call::{Context, Exit};
use super::search::read_confidence;
use super::values::source;
use super::written::{Author, WriterArgs, finish};
use crate::contract::Confidence;
use crate::error::{Error, ErrorKind};
use crate::project::verbs::{Citation, cite_request};
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
    /// Replace this `ref` of the section, whose file is gone or whose lines stand elsewhere
    #[arg(long, value_name = "REF")]
    was: Option<String>,
    #[command(flatten)]
    writer: WriterArgs,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    if args.was.is_some() && args.sources.len() != 1 {
        let message = "`--was` names what one source replaces";
        return Err(Error::new(ErrorKind::Usage, message).hint("name one SOURCE").into());
    }
    let project = context.project()?;
    let author = args.writer.author(project, "cite")??;
    let confidence = args.confidence.unwrap_or(match author {
        Author::Person(_) => Confidence::Confirmed,
        Author::Staged => Confidence::Inferred,
    });
    let citation = Citation { sources: args.sources.clone(), confidence, was: args.was.clone() };
    let request = cite_request(project, &args.what, citation)??;
    Ok(finish(&author.write(project, &request)?, context))
}
