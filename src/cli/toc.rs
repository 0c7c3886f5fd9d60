//! `agent-memory toc`

use super::call::{Context, Exit};
use super::output::DONE;
use crate::project::verbs::toc;

#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_: &Args, context: &Context) -> Exit {
    let toc = toc(context.project()?)?;
    context.output.answer(&toc, || toc.to_markdown());
    if !context.output.json {
        context.output.warn_each(&toc.warnings);
    }
    Ok(DONE)
}
