//! `agent-memory restore`

pub(super) use super::approval::NamedProposals as Args;
use super::call::{Context, Exit};
use super::report::Decision;
use crate::project::verbs::restore;

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    args.for_each("restore", restore, Decision::Restored, context)
}
