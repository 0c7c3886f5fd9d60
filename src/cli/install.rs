//! `agent-memory install`

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use serde::Serialize;

use super::call::{Context, Exit};
use super::output::{BAD, CARE, DONE, FAINT, GONE, GOOD, NO, Output, TITLE};
use super::user::person;
use super::{environment, program_list, render};
use crate::clients::{Client, ClientScope};
use crate::error::{Error, ErrorKind, Result};
use crate::project::verbs::{
    Act, ClientListing, GitSetup, InstallOptions, InstallState, Installation, InstalledFile,
    LeftHook, Session, install, install_git,
};
use crate::secrets::shown_name;

#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// The program to set up; without a name those that are found here are listed
    #[arg(value_parser = programs())]
    program: Option<String>,
    /// Add hooks: a session begins with what to read, and ends with a reminder to record what was learned; with `git`
    /// a check runs before each commit
    #[arg(long, requires = "program")]
    hooks: bool,
    /// Set it up for all your projects, instead of for this one
    #[arg(long)]
    user: bool,
    /// Let Claude Code keep its own memory in the folder of your entries
    #[arg(long, requires_all = ["user", "program"])]
    memory: bool,
    /// Print what would change, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Exit with 1 if something is missing or out of date, and write nothing
    #[arg(long, conflicts_with = "dry_run", requires = "program")]
    check: bool,
    /// Remove what was set up, as `uninstall` does
    #[arg(long, conflicts_with = "check", requires = "program")]
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

pub(super) fn programs() -> PossibleValuesParser {
    PROGRAMS.map(|(name, about)| PossibleValue::new(name).help(about)).into()
}

impl Args {
    /// What `uninstall` means, as options of `install`.
    pub(super) fn to_uninstall(program: Option<String>, user: bool, dry_run: bool) -> Self {
        Self { program, hooks: false, user, memory: false, dry_run, check: false, uninstall: true }
    }

    fn act(&self) -> Act {
        match self.uninstall {
            true => Act::Uninstall,
            false => Act::Install { hooks: self.hooks },
        }
    }

    fn home(&self) -> Result<Option<PathBuf>> {
        self.user.then(environment::home).transpose()
    }

    fn writes(&self) -> bool {
        !self.dry_run && !self.check
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let home = args.home()?;
    let home = home.as_deref();
    let Some(program) = &args.program else {
        return program_list::run(ClientListing::Found, home, context);
    };
    let Some(client) = Client::parse(program) else { return run_git(args, context) };
    let done = carry_out(args, &[client], context)?;
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

/// Sets up clients of this project, and prints what was written; returns whether it was not refused.
pub(super) fn set_up(clients: &[Client], session: &Session, output: Output) -> Result<bool> {
    let act = Act::Install { hooks: false };
    let options = InstallOptions { clients, home: None, act, memory: None, writes: true };
    let done = install(session, &options)?;
    print(&Args::default(), &done, output);
    Ok(!done.is_refused())
}

/// Writes the files of clients, or plans to.
pub(super) fn carry_out(
    args: &Args,
    clients: &[Client],
    context: &Context,
) -> Result<Installation> {
    let home = args.home()?;
    let home = home.as_deref();
    let memory = memory_folder(args, clients, context)?;
    let memory = memory.as_deref();
    let options = InstallOptions { clients, home, act: args.act(), memory, writes: args.writes() };
    install(&context.session, &options)
}

/// Returns the folder of the person's entries, if Claude Code is to keep its own memory there, or to stop that.
fn memory_folder(args: &Args, clients: &[Client], context: &Context) -> Result<Option<String>> {
    let is_claude = |client: &&Client| **client == Client::Claude;
    if let Some(other) = clients.iter().find(|client| args.memory && !is_claude(client)) {
        return Err(no_memory(other.title()));
    }
    let is_wanted =
        args.memory || (args.uninstall && args.user && clients.contains(&Client::Claude));
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

pub(super) fn print(args: &Args, done: &Installation, output: Output) {
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
    /// The hooks that a person has to edit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left: Vec<LeftHook>,
}

fn run_git(args: &Args, context: &Context) -> Exit {
    let output = context.output;
    if args.memory {
        return Err(no_memory("Git").into());
    }
    let scope = if args.user { ClientScope::User } else { ClientScope::Project };
    let setup = install_git(&context.session, scope, args.act(), args.writes())?;
    let is_told = (args.check && !setup.changed.is_empty()) || is_left(&setup);
    let code = if is_told { NO } else { DONE };
    if output.json {
        let GitSetup { changed, left } = setup;
        output.document(&ClientSettings { changed, left });
        return Ok(code);
    }
    print_settings(args, &setup, output);
    let changed = &setup.changed;
    if changed.is_empty() && setup.left.is_empty() {
        output.data("nothing to do\n");
    }
    if args.dry_run && !changed.is_empty() {
        output.talk("nothing was written");
    }
    Ok(code)
}

/// Tells whether something of ours is certainly left behind.
pub(super) fn is_left(setup: &GitSetup) -> bool {
    setup.left.iter().any(|hook| hook.holds_ours)
}

pub(super) fn print_settings(args: &Args, setup: &GitSetup, output: Output) {
    let would = if args.dry_run { "would be " } else { "" };
    let (style, word) = match (args.check, args.uninstall) {
        (true, _) => (CARE, "missing"),
        (false, true) => (GONE, "unset"),
        (false, false) => (GOOD, "set"),
    };
    let changed = setup.changed.iter();
    changed.for_each(|line| output.data(&format!("{style}{would}{word}{style:#} {line}\n")));
    for LeftHook { message, hint, .. } in &setup.left {
        output
            .insist(&format!("{CARE}left alone:{CARE:#} {message}\n{TITLE}hint:{TITLE:#} {hint}"));
    }
}
