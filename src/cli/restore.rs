//! `agent-memory restore`

pub(super) use super::approval::NamedProposals as Args;
use super::report::Decision;
use super::{Context, Exit};
use crate::project::verbs::restore;

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    args.for_each("restore", restore, Decision::Restored, context)
}
