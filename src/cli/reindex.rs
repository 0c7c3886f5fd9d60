//! `agent-memory reindex`

use super::call::{Context, Exit};
use super::output::{DONE, GOOD};
use crate::project::verbs::reindex;
use crate::text::count;

#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_: &Args, context: &Context) -> Exit {
    let output = context.output;
    let done = reindex(context.project()?)?;
    if output.json {
        output.document(&done);
        return Ok(DONE);
    }
    let (sections, files) = (count(done.sections, "section"), count(done.files, "file"));
    output.data(&format!("{GOOD}indexed{GOOD:#} {sections} in {files}\n"));
    output.warn_each(&done.warnings);
    Ok(DONE)
}
