//! `agent-memory config`

use clap::Subcommand;

use super::approval;
use super::call::{Context, Exit};
use super::output::{DONE, FAINT, GOOD};
use super::stdout::AnswerKind;
use crate::project::verbs::config::{Setting, change_setting, settings};
use crate::secrets::shown_name;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    /// Print a setting, or all: what `config.toml` says, else the default
    Get {
        /// Name of the setting, e.g. `staging.track`
        key: Option<String>,
    },
    /// Write a setting into `config.toml`; a list is written as `email,phone`
    Set {
        /// Name of the setting, e.g. `staging.track`
        key: String,
        /// The new value
        value: String,
        /// Name of the person who decides; at a terminal git's `user.name` by default
        #[arg(long, value_name = "NAME")]
        approver: Option<String>,
    },
}

impl Args {
    pub(super) fn kind(&self) -> AnswerKind {
        match self.command {
            ConfigCommand::Get { .. } => AnswerKind::Read,
            ConfigCommand::Set { .. } => AnswerKind::Change,
        }
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    match &args.command {
        ConfigCommand::Get { key } => get(key.as_deref(), context),
        ConfigCommand::Set { key, value, approver } => {
            set(key, value, approver.as_deref(), context)
        }
    }
}

fn get(key: Option<&str>, context: &Context) -> Exit {
    let list = settings(context.project()?, key)??;
    context.output.answer(&list, || match (key, list.settings.as_slice()) {
        // Alone it is for scripts.
        (Some(_), [only]) => format!("{}\n", shown(only)),
        (_, all) => all.iter().map(line).collect(),
    });
    Ok(DONE)
}

fn line(setting: &Setting) -> String {
    let origin =
        if setting.is_default { format!("  {FAINT}default{FAINT:#}") } else { String::new() };
    format!("{} = {}{origin}\n", shown_name(&setting.key), shown(setting))
}

fn shown(setting: &Setting) -> String {
    let value = setting.value.as_str().map_or_else(|| setting.value.to_string(), str::to_owned);
    shown_name(&value).into_owned()
}

fn set(key: &str, value: &str, approver: Option<&str>, context: &Context) -> Exit {
    let project = context.project_to_write()?;
    let approval = approval::obtain(project, approver, "config set")??;
    let changed = change_setting(project, key, value, &approval)??;
    if context.output.json {
        context.output.document(&changed);
        return Ok(DONE);
    }
    let said = if changed.changed { "set" } else { "is already" };
    context.output.data(&format!("{GOOD}{said}{GOOD:#} {}", line(&changed.setting)));
    context.output.warn_each(&changed.warnings);
    Ok(DONE)
}
