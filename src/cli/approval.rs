//! Decides whether a person approves: the only place that makes an [`Approval`].

use std::io::IsTerminal;
use std::path::Path;

use super::call::{Context, Exit};
use super::environment;
use super::output::Output;
use super::report::{Decision, Report};
use crate::config::OwnSettings;
use crate::error::Result;
use crate::personal::request::{EntryReason, EntryRefusal, PersonPresent};
use crate::personal::verbs::EntryAnswer;
use crate::project::request::{Answer, Reason, Refusal};
use crate::project::verbs::{Approval, Project, Scratch, Wanted, note_refused_approval};

// A doc comment here would become the help of each command that flattens this.
#[derive(Debug, clap::Args)]
pub(super) struct NamedProposals {
    #[command(flatten)]
    which: super::proposal_args::ProposalArgs,
    /// Name of the person who decides; at a terminal git's `user.name` by default
    #[arg(long, value_name = "NAME")]
    approver: Option<String>,
}

impl NamedProposals {
    /// Calls a verb for each proposal, in the person's name, and reports the results.
    pub(super) fn for_each<T>(
        &self,
        command: &str,
        verb: impl Fn(&Project, &Wanted, &Approval) -> Result<Answer<T>>,
        decision: fn(T) -> Decision,
        context: &Context,
    ) -> Exit {
        let wanted = self.which.required("log")?;
        let project = context.project_to_write()?;
        let approval = obtain(project, self.approver.as_deref(), command)??;
        let mut report = Report::about(&wanted);
        for each in &wanted {
            let answer = verb(project, each, &approval);
            report.add(each, answer.map(|it| it.map(decision)), context.output);
        }
        Ok(report.finish(context.output))
    }
}

/// Returns what a printed command needs besides, to be run from here: the name of the person where no terminal tells it.
/// Where only a terminal lets a person decide, it needs nothing there.
pub(super) fn approver_option(project: &Project, output: Output) -> &'static str {
    match ApprovalBlock::find(project) {
        Ok(None) if !is_person_at_terminal() => " --approver NAME",
        Ok(_) => "",
        Err(error) => {
            output.warn(&error.to_string());
            ""
        }
    }
}

pub(super) fn is_person_at_terminal() -> bool {
    environment::agent().is_none() && std::io::stdin().is_terminal()
}

/// Returns an approval if stdin is a terminal and no agent is found, or if the user's own settings allow it. The name
/// is `--approver NAME`; at a terminal git's `user.name` by default.
///
/// This stops an agent that follows its instructions. It cannot stop an agent that runs as the same user and forges
/// its environment or a terminal.
pub(super) fn obtain(
    project: &Project,
    approver: Option<&str>,
    command: &str,
) -> Result<Answer<Approval>> {
    project.refuse_newer()?;
    if let Some(block) = ApprovalBlock::find(project)? {
        return Ok(Err(block.refuse(project, command)?));
    }
    let name = match approver.map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) => Ok(Some(name.to_owned())),
        // An agent that may approve has to name the person.
        None if is_person_at_terminal() => project.user_name(),
        None => Ok(None),
    };
    let unknown =
        name.as_ref().err().map(|error| format!("; git could not read `user.name`: {error}"));
    let Ok(Some(name)) = name else {
        let unknown = unknown.unwrap_or_default();
        let message = format!("`{command}` needs the name of the person who decides{unknown}");
        let hint = "at a terminal it is git's `user.name`; elsewhere give `--approver NAME`";
        return Ok(Err(Refusal::new(Reason::ApprovalRefused, message, hint)));
    };
    Ok(project.refuse_unfit_name("--approver", &name).map(|()| Approval::by(name)))
}

/// The scratch repository of the demonstration belongs to no person.
pub(super) fn in_demonstration(_: &Scratch) -> Approval {
    Approval::by("Ada".to_owned())
}

/// Why this process cannot approve, whatever `--approver` says.
#[must_use = "call `refuse`, or act in the name of no person"]
pub(super) struct ApprovalBlock {
    /// The agent that runs this, with its variable; none if only the terminal is missing.
    agent: Option<(&'static str, &'static str)>,
    /// Why the user's own settings do not count, for the hint.
    settings_fault: String,
}

impl ApprovalBlock {
    /// Returns nothing if a person runs this, or a person allowed it.
    pub(super) fn find(project: &Project) -> Result<Option<Self>> {
        Self::find_in(&project.folders())
    }

    /// The same for what is of no project; the settings of the user do not count where a repository around one of
    /// these folders can write them.
    fn find_in(standing: &[&Path]) -> Result<Option<Self>> {
        if is_person_at_terminal() {
            return Ok(None);
        }
        let agent = environment::agent();
        let file = environment::user_config();
        let settings = file.as_deref().map(|file| OwnSettings::read(file, standing)).transpose()?;
        let mut settings_fault = String::new();
        let is_allowed = match (settings, file) {
            (Some(OwnSettings::Count(own)), _) if agent.is_some() => own.allow_agents,
            (Some(OwnSettings::Count(own)), _) => own.without_terminal,
            (Some(OwnSettings::Inside(folder)), Some(file)) => {
                settings_fault = format!(
                    "; `{}` is ignored, because it is inside `{}`, where a repository can write files: keep it outside of that folder, e.g. below another `XDG_CONFIG_HOME`",
                    file.display(),
                    folder.display()
                );
                false
            }
            (Some(OwnSettings::Inside(_)) | None, _) => false,
        };
        Ok((!is_allowed).then_some(Self { agent, settings_fault }))
    }

    /// Refuses, and logs the attempt.
    pub(super) fn refuse(self, project: &Project, command: &str) -> Result<Box<Refusal>> {
        let message = self.message(command);
        let hint = if self.agent.is_some() { AGENT_HINT } else { TERMINAL_HINT };
        let variable = self.agent.map(|(variable, _)| variable);
        let warnings = note_refused_approval(project, command, variable, &message)?;
        let mut refusal =
            Refusal::new(Reason::ApprovalRefused, message, hint.to_owned() + &self.settings_fault);
        refusal.warnings = warnings;
        Ok(refusal)
    }

    fn message(&self, command: &str) -> String {
        match self.agent {
            Some((variable, agent)) => {
                format!("`{command}` needs a person, and `{variable}` says that {agent} runs this")
            }
            None => format!("`{command}` needs a person at a terminal"),
        }
    }
}

/// Says that a person runs this in a matter of personal memory, or allowed it; `standing` are the folders in which the
/// command works.
pub(super) fn person_present(standing: &[&Path], command: &str) -> EntryAnswer<PersonPresent> {
    let Some(block) = ApprovalBlock::find_in(standing)? else {
        return Ok(Ok(PersonPresent::seen()));
    };
    let hint = PERSONAL_HINT.to_owned() + &block.settings_fault;
    Ok(Err(EntryRefusal::new(EntryReason::ApprovalRefused, block.message(command), hint)))
}

const PERSONAL_HINT: &str = "ask the person to run it in a terminal of their own; elsewhere their own settings may allow it with `without_terminal = true` under `[approval]`, to an agent with `allow_agents = true`";

const AGENT_HINT: &str = "ask the person to run the command in a terminal of their own; only their own configuration outside of the repository can allow agents to approve";

const TERMINAL_HINT: &str = "ask the person to run it in a terminal of their own; elsewhere `--approver NAME` counts only if their own configuration outside of the repository says `without_terminal = true` under `[approval]`";
