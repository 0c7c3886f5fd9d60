//! Decides whether a person said yes: the only place that makes an [`Approval`].

use std::io::IsTerminal;
use std::path::PathBuf;

use super::report::{Decision, Report};
use super::{Context, Exit, environment};
use crate::contract::{Answer, Reason, Refusal};
use crate::error::Result;
use crate::project::pipeline::Approval;
use crate::project::verbs::{
    OwnSettings, Scratch, Wanted, Workspace, note_refused_approval, own_settings,
};

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
    /// Calls a verb for each proposal, in the person's name, and reports the results.
    pub(super) fn of_each<T>(
        &self,
        command: &str,
        verb: impl Fn(&Workspace, &Wanted, &Approval) -> Result<Answer<T>>,
        decision: fn(T) -> Decision,
        context: &Context,
    ) -> Exit {
        let wanted = self.which.required("log")?;
        let workspace = context.workspace_to_write()?;
        let approval = take(workspace, self.approver.as_deref(), command)??;
        let mut report = Report::about(&wanted);
        for each in &wanted {
            let answer = verb(workspace, each, &approval);
            report.add(each, answer.map(|it| it.map(decision)), context.output);
        }
        Ok(report.finish(context.output))
    }
}

/// What a printed command is given besides: where it is printed, no person can be asked who says yes.
pub(super) const APPROVER: &str = "--approver NAME";

/// Takes a yes from the person at the terminal, or from `--approver NAME` where that person's own settings believe it.
///
/// What this stops is an agent that follows its instructions. One that forges its environment, or makes a terminal of
/// its own, as the same user cannot be stopped by a program that this user may run.
pub(super) fn take(
    workspace: &Workspace,
    approver: Option<&str>,
    command: &str,
) -> Result<Answer<Approval>> {
    if let Some(no) = Objection::find(workspace)? {
        return Ok(Err(no.refuse(workspace, command)?));
    }
    let name = match approver.map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) => Ok(Some(name.to_owned())),
        // An agent that a person allowed names that person.
        None if environment::agent().is_none() && std::io::stdin().is_terminal() => {
            workspace.user_name()
        }
        None => Ok(None),
    };
    let unknown = name.as_ref().err().map(|error| format!("; git does not tell it: {error}"));
    let Ok(Some(name)) = name else {
        let unknown = unknown.unwrap_or_default();
        let message = format!("`{command}` needs the name of the person who says yes{unknown}");
        let hint = "at a terminal it is git's `user.name`; elsewhere give `--approver NAME`";
        return Ok(Err(Refusal::new(Reason::ApprovalRefused, message, hint)));
    };
    Ok(workspace.refuse_unfit_name("--approver", &name).map(|()| Approval::by(name)))
}

/// Says yes in the scratch repository of the demonstration, in which nothing is anybody's.
pub(super) fn in_demonstration(_: &Scratch) -> Approval {
    Approval::by("Ada".to_owned())
}

/// Why no name is believed, whatever it is.
#[must_use = "call `refuse`, or act in the name of no person"]
pub(super) struct Objection {
    /// The agent that runs this, with the variable that says so; none where only the terminal is missing.
    agent: Option<(&'static str, &'static str)>,
    /// The user's own settings, which could allow it.
    file: Option<PathBuf>,
    /// The folder because of which they do not count.
    inside: Option<PathBuf>,
}

impl Objection {
    /// Looks at who runs this, and where; nothing where that is a person, or where a person allowed it.
    pub(super) fn find(workspace: &Workspace) -> Result<Option<Self>> {
        let agent = environment::agent();
        if agent.is_none() && std::io::stdin().is_terminal() {
            return Ok(None);
        }
        let file = environment::user_config();
        let settings = file.as_deref().map(|file| own_settings(workspace, file)).transpose()?;
        let (is_allowed, inside) = match settings {
            Some(OwnSettings::Count(own)) => match agent {
                Some(_) => (own.allow_agents, None),
                None => (own.without_terminal, None),
            },
            Some(OwnSettings::Inside(folder)) => (false, Some(folder)),
            None => (false, None),
        };
        Ok((!is_allowed).then_some(Self { agent, file, inside }))
    }

    /// Says no, and leaves it in the log that this was tried.
    pub(super) fn refuse(self, workspace: &Workspace, command: &str) -> Result<Box<Refusal>> {
        let (message, hint) = match self.agent {
            Some((variable, agent)) => (
                format!("`{command}` needs a person, and `{variable}` says that {agent} runs this"),
                AGENT_HINT,
            ),
            None => (format!("`{command}` needs a person at a terminal"), TERMINAL_HINT),
        };
        let who = self.agent.map(|(variable, _)| variable);
        let warnings = note_refused_approval(workspace, command, who, &message)?;
        let mut refusal = Refusal::new(Reason::ApprovalRefused, message, self.hint(hint));
        refusal.warnings = warnings;
        Ok(refusal)
    }

    /// Adds to a hint why the settings that are there do not count, and where they would.
    fn hint(&self, hint: &str) -> String {
        let Some((file, inside)) = self.file.as_ref().zip(self.inside.as_ref()) else {
            return hint.to_owned();
        };
        format!(
            "{hint}; `{}` does not count, as it lies in `{}`, which a repository can fill: keep it outside of that folder, e.g. below another `XDG_CONFIG_HOME`",
            file.display(),
            inside.display()
        )
    }
}

const AGENT_HINT: &str = "ask the person to run the command in a terminal of their own; only their own configuration outside of the repository can allow agents to approve";

const TERMINAL_HINT: &str = "ask the person to run it in a terminal of their own; elsewhere `--approver NAME` counts only if their own configuration outside of the repository says `without_terminal = true` under `[approval]`";
