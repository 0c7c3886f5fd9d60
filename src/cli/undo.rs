//! `agent-memory undo`

pub(super) use super::approval::NamedProposals as Args;
use super::call::{Context, Exit};
use super::report::Decision;
use crate::project::verbs::undo;

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    args.for_each("undo", undo, Decision::Undone, context)
}
