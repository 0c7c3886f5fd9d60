//! Decides whether a person said yes: the only place that makes an [`Approval`].

use std::io::IsTerminal;

use super::report::{Decision, Report};
use super::{Context, environment};
use crate::contract::{Answer, Reason, Refusal};
use crate::error::Result;
use crate::ops::{Wanted, Workspace, allows_agents, note_refused_approval};
use crate::pipeline::Approval;

// Proposals, and the person who says something about them; no doc comment, as with `Which`.
#[derive(Debug, clap::Args)]
pub(super) struct Said {
    #[command(flatten)]
    which: super::Which,
    /// Who says so; at a terminal git's `user.name` unless given
    #[arg(long, value_name = "NAME")]
    approver: Option<String>,
}

impl Said {
    /// Does a verb to each of the proposals, in the name of the person, and tells what became of them.
    pub(super) fn of_each<T: Into<Decision>>(
        &self,
        command: &str,
        verb: impl Fn(&Workspace, &Wanted, &Approval) -> Result<T>,
        context: &Context,
    ) -> Result<u8> {
        let wanted = self.which.required("log")?;
        let workspace = context.workspace_to_write()?;
        let approval = match take(workspace, self.approver.as_deref(), command)? {
            Ok(approval) => approval,
            Err(refusal) => return Ok(super::refuse(&refusal, context.output)),
        };
        let mut report = Report::about(&wanted);
        for each in &wanted {
            report.add(each, verb(workspace, each, &approval), context.output);
        }
        Ok(report.finish(context.output))
    }
}

/// What a printed command is given besides: where it is printed, nobody can be asked who says yes.
pub(super) const APPROVER: &str = "--approver NAME";

/// Takes a yes, from `--approver NAME` or from the person at the terminal.
///
/// What this stops is an agent that follows its instructions. One that forges its environment as the
/// same user cannot be stopped by a program that this user may run.
pub(super) fn take(
    workspace: &Workspace,
    approver: Option<&str>,
    command: &str,
) -> Result<Answer<Approval>> {
    if let Some((variable, agent)) = environment::agent() {
        let allowed = match environment::user_config() {
            Some(path) => allows_agents(workspace, &path)?,
            None => false,
        };
        if !allowed {
            let message =
                format!("`{command}` needs a person, and `{variable}` says that {agent} runs this");
            let warnings = note_refused_approval(workspace, command, variable, &message)?;
            let hint = "ask the person to run the command in a terminal of their own; only their own configuration outside of the repository can allow agents to approve";
            let mut refusal = Refusal::new(Reason::ApprovalRefused, message, hint);
            refusal.warnings = warnings;
            return Ok(Err(refusal));
        }
    }
    let name = match approver.map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) => Some(name.to_owned()),
        None if std::io::stdin().is_terminal() => workspace.user_name(),
        None => None,
    };
    let Some(name) = name else {
        let message = format!("`{command}` needs the name of the person who says yes");
        let hint = "at a terminal it is git's `user.name`; elsewhere give `--approver NAME`";
        return Ok(Err(Refusal::new(Reason::ApprovalRefused, message, hint)));
    };
    Ok(workspace.refuse_unfit_name("--approver", &name).map(|()| Approval::by(name)))
}
