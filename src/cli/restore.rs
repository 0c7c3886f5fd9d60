//! `agent-memory restore`

use super::Context;
use super::approval::Said;
use crate::error::Result;
use crate::project::verbs::restore;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    said: Said,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<u8> {
    args.said.of_each("restore", restore, context)
}
