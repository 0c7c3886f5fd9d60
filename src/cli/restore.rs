//! `agent-memory restore`

use super::approval::Said;
use super::report::Decision;
use super::{Context, Exit};
use crate::project::verbs::restore;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    said: Said,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    args.said.of_each("restore", restore, Decision::Restored, context)
}
