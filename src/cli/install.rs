//! `agent-memory install`

use clap::builder::{PossibleValue, PossibleValuesParser};
use serde::Serialize;

use super::call::{Context, Exit};
use super::output::{BAD, CARE, DONE, FAINT, GONE, GOOD, NO, Output, TITLE};
use super::user::person;
use super::{environment, render};
use crate::clients::{Client, ClientScope};
use crate::error::{Error, ErrorKind, Result};
use crate::project::verbs::{
    Act, InstallOptions, InstallState, Installation, InstalledFile, install, install_git,
};
use crate::secrets::shown_name;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The program to set up
    #[arg(value_parser = programs())]
    program: String,
    /// Add hooks: a session begins with what to read, and ends with a reminder to record what was learned; with `git`
    /// a check runs before each commit
    #[arg(long)]
    hooks: bool,
    /// Set it up for all your projects, instead of for this one
    #[arg(long)]
    user: bool,
    /// Let Claude Code keep its own memory in the folder of your entries
    #[arg(long, requires = "user")]
    memory: bool,
    /// Print what would change, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Exit with 1 if something is missing or out of date, and write nothing
    #[arg(long, conflicts_with = "dry_run")]
    check: bool,
    /// Remove what was set up
    #[arg(long, conflicts_with = "check")]
    uninstall: bool,
}

/// The programs with their help. All but git run agents.
const PROGRAMS: [(&str, &str); 10] = [
    ("claude", "Claude Code"),
    ("codex", "Codex"),
    ("cursor", "Cursor"),
    ("gemini", "Gemini CLI"),
    ("copilot", "Copilot, in the terminal and in the cloud"),
    ("opencode", "OpenCode"),
    ("vscode", "Visual Studio Code"),
    ("zed", "Zed"),
    ("git", "Git, so that memory files merge section by section"),
    ("agents", "Any other agent that reads `AGENTS.md`"),
];

fn programs() -> PossibleValuesParser {
    PROGRAMS.map(|(name, about)| PossibleValue::new(name).help(about)).into()
}

impl Args {
    fn act(&self) -> Act {
        match self.uninstall {
            true => Act::Uninstall,
            false => Act::Install { hooks: self.hooks },
        }
    }

    fn writes(&self) -> bool {
        !self.dry_run && !self.check
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let Some(client) = Client::parse(&args.program) else { return run_git(args, context) };
    let home = args.user.then(environment::home).transpose()?;
    let home = home.as_deref();
    let memory = memory_folder(args, client, context)?;
    let memory = memory.as_deref();
    let options = InstallOptions { client, home, act: args.act(), memory, writes: args.writes() };
    let done = install(&context.session, &options)?;
    let code = match done.is_refused() || (args.check && done.changes()) {
        true => NO,
        false => DONE,
    };
    match context.output.json {
        true => context.output.document(&document(args, &done)),
        false => print(args, &done, context.output),
    }
    Ok(code)
}

/// Returns the folder of the person's entries, if Claude Code is to keep its own memory there, or to stop that.
fn memory_folder(args: &Args, client: Client, context: &Context) -> Result<Option<String>> {
    if args.memory && client != Client::Claude {
        return Err(no_memory(client.title()));
    }
    let is_wanted = args.memory || (args.uninstall && args.user && client == Client::Claude);
    if !is_wanted {
        return Ok(None);
    }
    let person = person::session(&person::Named::default(), context)?;
    let folder = match &person.user {
        Some(user) => person.memory_folder(user).display().to_string(),
        // Without a user there is no folder whose setting could be removed.
        None if args.uninstall => return Ok(None),
        None => {
            let hint = "unset `AGENT_MEMORY_USER`, or set it to an id";
            return Err(Error::new(ErrorKind::Usage, "no user is signed in").hint(hint));
        }
    };
    if args.memory && environment::names_claude_folder() {
        let message =
            "`CLAUDE_CONFIG_DIR` names another folder than `~/.claude`, to which `install` writes";
        let hint =
            format!("set `autoMemoryDirectory` to `{folder}` in its `settings.json` by hand");
        return Err(Error::new(ErrorKind::Usage, message).hint(hint));
    }
    Ok(Some(folder))
}

fn no_memory(program: &str) -> Error {
    let message = format!("{program} keeps no memory that can lie elsewhere");
    Error::new(ErrorKind::Usage, message).hint("give `--memory` to `install claude` alone")
}

#[derive(Serialize, schemars::JsonSchema)]
pub(super) struct Installed<'a> {
    status: &'static str,
    #[serde(flatten)]
    done: &'a Installation,
}

fn document<'a>(args: &Args, done: &'a Installation) -> Installed<'a> {
    let status = match (done.is_refused(), done.changes(), args.check, args.dry_run) {
        (true, ..) => "refused",
        (false, false, ..) => "current",
        (false, true, true, _) => "drift",
        (false, true, false, true) => "planned",
        (false, true, false, false) => "done",
    };
    Installed { status, done }
}

fn print(args: &Args, done: &Installation, output: Output) {
    let counts = |file: &&InstalledFile| file.fault.is_some() || !done.is_refused();
    done.files.iter().filter(counts).for_each(|file| print_file(args, file, output));
    if done.is_refused() {
        output.insist(&format!("{BAD}refused:{BAD:#} nothing was written"));
        return;
    }
    if done.scope == ClientScope::User {
        output.talk(&format!("in {}", shown_name(&done.root)));
    }
    if args.dry_run && done.changes() {
        output.talk("nothing was written");
    }
    done.notes.iter().for_each(|note| output.talk(&format!("{TITLE}note:{TITLE:#} {note}")));
}

fn print_file(args: &Args, file: &InstalledFile, output: Output) {
    let path = shown_name(&file.path);
    if let Some(fault) = &file.fault {
        let line = fault.line.map(|line| format!(":{line}")).unwrap_or_default();
        output.insist(&format!(
            "{BAD}refused:{BAD:#} {path}{line}: {} [{}]\n{TITLE}hint:{TITLE:#} {}",
            shown_name(&fault.message),
            fault.code,
            shown_name(&fault.hint)
        ));
        return;
    }
    let changes =
        matches!(file.state, InstallState::Created | InstallState::Changed | InstallState::Removed);
    let would = if args.dry_run && changes { "would be " } else { "" };
    let (style, word) = match (file.state, args.check) {
        (InstallState::Created, true) => (CARE, "missing"),
        (InstallState::Changed, true) => (CARE, "outdated"),
        (InstallState::Created | InstallState::Changed, false) => (GOOD, file.state.name()),
        (InstallState::Removed, _) => (GONE, file.state.name()),
        // It may not be there at all.
        (InstallState::Current, _) if args.uninstall => (FAINT, "unchanged"),
        (InstallState::Current | InstallState::Kept | InstallState::Refused, _) => {
            (FAINT, file.state.name())
        }
    };
    let why = match file.kept_for.as_slice() {
        [] => String::new(),
        others => {
            let names: Vec<&str> = others.iter().map(|other| other.title()).collect();
            format!(", needed by {}", names.join(", "))
        }
    };
    output.data(&format!("{style}{would}{word}{style:#} {path}{why}\n"));
    if args.dry_run {
        output.data(&render::diff(&file.diff));
    }
}

/// What was set or unset in the settings of git.
#[derive(Serialize, schemars::JsonSchema)]
pub(super) struct ClientSettings {
    changed: Vec<String>,
}

fn run_git(args: &Args, context: &Context) -> Exit {
    let output = context.output;
    if args.memory {
        return Err(no_memory("Git").into());
    }
    let scope = if args.user { ClientScope::User } else { ClientScope::Project };
    let changed = install_git(&context.session, scope, args.act(), args.writes())?;
    let code = if args.check && !changed.is_empty() { NO } else { DONE };
    if output.json {
        output.document(&ClientSettings { changed });
        return Ok(code);
    }
    let would = if args.dry_run { "would be " } else { "" };
    let (style, word) = match (args.check, args.uninstall) {
        (true, _) => (CARE, "missing"),
        (false, true) => (GONE, "unset"),
        (false, false) => (GOOD, "set"),
    };
    changed.iter().for_each(|line| output.data(&format!("{style}{would}{word}{style:#} {line}\n")));
    if changed.is_empty() {
        output.data("nothing to do\n");
    }
    if args.dry_run && !changed.is_empty() {
        output.talk("nothing was written");
    }
    Ok(code)
}
