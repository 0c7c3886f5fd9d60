//! `agent-memory toc`

use super::Context;
use super::output::DONE;
use crate::error::Result;
use crate::project::verbs::toc;

#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_: &Args, context: &Context) -> Result<u8> {
    let output = context.output;
    let toc = toc(context.workspace()?)?;
    match output.json {
        true => output.document(&toc),
        false => output.data(&toc.to_markdown()),
    }
    Ok(DONE)
}
