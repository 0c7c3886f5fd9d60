//! `agent-memory uninstall`

use serde::Serialize;

use super::call::{Context, Exit};
use super::output::{DONE, NO};
use super::{environment, install, program_list};
use crate::clients::{Client, ClientScope};
use crate::error::{ErrorKind, Result};
use crate::project::verbs::{
    Act, ClientListing, GitSetup, InstallState, Installation, LeftHook, install_git,
};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The program to take out; without a name those that are set up are listed
    #[arg(value_parser = install::programs())]
    program: Option<String>,
    /// Take out what `install` wrote for every client, and the settings of git
    #[arg(long, conflicts_with = "program")]
    all: bool,
    /// Take it out of all your projects, instead of this one
    #[arg(long)]
    user: bool,
    /// Print what would change, and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// What was taken out at once.
#[derive(Serialize, schemars::JsonSchema)]
pub(super) struct Uninstalled {
    status: &'static str,
    #[serde(flatten)]
    done: Installation,
    /// What was unset in the settings of git, and removed from its hooks.
    settings: Vec<String>,
    /// The hooks that a person has to edit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left: Vec<LeftHook>,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let as_install = install::Args::to_uninstall(args.program.clone(), args.user, args.dry_run);
    match (&args.program, args.all) {
        (Some(_), _) => install::run(&as_install, context),
        (None, true) => take_out_all(args, &as_install, context),
        (None, false) => {
            let home = args.user.then(environment::home).transpose()?;
            program_list::run(ClientListing::Installed, home.as_deref(), context)
        }
    }
}

fn take_out_all(args: &Args, as_install: &install::Args, context: &Context) -> Exit {
    // Before a file of a client is written: git may not be able to answer.
    settings(args, context, false)?;
    let mut done = install::carry_out(as_install, Client::ALL, context)?;
    done.files.retain(|file| file.state != InstallState::Current);
    let is_refused = done.is_refused();
    let setup = match is_refused {
        true => GitSetup::default(),
        false => settings(args, context, !args.dry_run)?,
    };
    let output = context.output;
    let is_left = install::is_left(&setup);
    let code = if is_refused || is_left { NO } else { DONE };
    let is_nothing = done.files.is_empty() && setup.changed.is_empty();
    if output.json {
        let status = match (is_refused, is_left, is_nothing, args.dry_run) {
            (true, ..) => "refused",
            (false, true, ..) => "left",
            (false, false, true, _) => "current",
            (false, false, false, true) => "planned",
            (false, false, false, false) => "done",
        };
        let GitSetup { changed: settings, left } = setup;
        output.document(&Uninstalled { status, done, settings, left });
        return Ok(code);
    }
    install::print_settings(as_install, &setup, output);
    install::print(as_install, &done, output);
    if is_nothing && setup.left.is_empty() {
        output.data("nothing to do\n");
    }
    Ok(code)
}

/// Takes our settings out of git; without a store or a repository there are none.
fn settings(args: &Args, context: &Context, writes: bool) -> Result<GitSetup> {
    let scope = if args.user { ClientScope::User } else { ClientScope::Project };
    match install_git(&context.session, scope, Act::Uninstall, writes) {
        Err(error) if error.kind() == ErrorKind::StoreNotFound => Ok(GitSetup::default()),
        setup => setup,
    }
}
