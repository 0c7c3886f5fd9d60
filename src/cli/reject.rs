//! `agent-memory reject`

use super::approval::ApprovalBlock;
use super::call::{Context, Exit};
use super::environment;
use super::report::{Decision, Report};
use crate::project::verbs::{RejectOptions, reject};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: super::proposal_args::ProposalArgs,
    /// Give the reason; it is told when the same text is proposed again
    #[arg(long, value_name = "TEXT", default_value = "no reason given")]
    reason: String,
    /// Keep no fingerprint, so that the same text may be proposed again
    #[arg(long)]
    allow_again: bool,
    /// Name of the person who rejects; git's `user.name` by default
    #[arg(long, value_name = "NAME")]
    approver: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let project = context.project_to_write()?;
    let agent = environment::agent().map(|(variable, _)| variable.to_owned());
    let block = if agent.is_none() { ApprovalBlock::find(project)? } else { None };
    let is_person = agent.is_none() && block.is_none();
    let rejected_by = match (agent, block, &args.approver) {
        // An agent rejects only in its own name, whatever `--approver` says.
        (Some(agent), _, _) => Some(agent),
        (None, Some(block), Some(_)) => {
            return Err(block.refuse(project, "reject --approver")?.into());
        }
        (None, Some(_), None) => None,
        (None, None, named) => named.clone().or_else(|| project.user_name().ok()?),
    };
    let options = RejectOptions {
        reason: args.reason.clone(),
        // A text that no person rejected may be proposed again.
        allow_again: args.allow_again || !is_person,
        rejected_by: rejected_by.unwrap_or_else(|| "unknown".to_owned()),
    };
    let wanted = args.which.required("status")?;
    let mut report = Report::about(&wanted);
    for each in &wanted {
        let rejected = reject(project, each, &options);
        report.add(each, rejected.map(|it| it.map(Decision::Rejected)), context.output);
    }
    Ok(report.finish(context.output))
}
