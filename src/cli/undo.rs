//! `agent-memory undo`

use super::Context;
use super::approval::Said;
use crate::error::Result;
use crate::project::verbs::undo;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    said: Said,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<u8> {
    args.said.of_each("undo", undo, context)
}
