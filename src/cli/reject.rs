//! `agent-memory reject`

use super::report::Report;
use super::{Context, environment};
use crate::error::Result;
use crate::ops::{RejectOptions, Workspace, reject};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: super::Which,
    /// Why; whoever proposes the same again is told
    #[arg(long, value_name = "TEXT", default_value = "no reason given")]
    reason: String,
    /// Leave no fingerprint, so that the same may be proposed again
    #[arg(long)]
    allow_again: bool,
    /// Who says no; git's `user.name` unless given
    #[arg(long, value_name = "NAME")]
    approver: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<u8> {
    let workspace = context.workspace_to_write()?;
    let options = RejectOptions {
        reason: args.reason.clone(),
        // What an agent takes back was not refused by a person, and may be proposed again.
        allow_again: args.allow_again || environment::agent().is_some(),
        rejected_by: who(args, workspace),
    };
    let wanted = args.which.required("status")?;
    let mut report = Report::about(&wanted);
    for each in &wanted {
        report.add(each, reject(workspace, each, &options), context.output);
    }
    Ok(report.finish(context.output))
}

/// Returns who says no. An agent does so in its own name only, whatever name it gives.
fn who(args: &Args, workspace: &Workspace) -> String {
    let agent = environment::agent().map(|(variable, _)| variable.to_owned());
    let named = agent.or_else(|| args.approver.clone()).or_else(|| workspace.user_name());
    named.unwrap_or_else(|| "unknown".to_owned())
}
