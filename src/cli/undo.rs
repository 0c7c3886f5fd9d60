//! `agent-memory undo`

use super::{Context, approval};
use crate::error::Result;
use crate::ops::undo;

/// Take applied proposals back, as long as their sections have not changed since
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: super::Which,
    /// Who says so; at a terminal git's `user.name` unless given
    #[arg(long, value_name = "NAME")]
    approver: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<u8> {
    let wanted = args.which.required()?;
    let workspace = context.workspace_to_write()?;
    let approval = match approval::take(&workspace, args.approver.as_deref(), "undo")? {
        Ok(approval) => approval,
        Err(refusal) => return Ok(super::refuse(&refusal, context.output)),
    };
    let mut report = super::Report::default();
    for each in &wanted {
        report.add(each, undo(&workspace, each, &approval), context.output);
    }
    Ok(report.finish(context.output))
}
