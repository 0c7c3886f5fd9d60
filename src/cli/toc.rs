//! `agent-memory toc`

use super::output::DONE;
use super::{Context, Exit};
use crate::project::verbs::toc;

#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_: &Args, context: &Context) -> Exit {
    let output = context.output;
    let toc = toc(context.workspace()?)?;
    match output.json {
        true => output.document(&toc),
        false => output.data(&toc.to_markdown()),
    }
    Ok(DONE)
}
