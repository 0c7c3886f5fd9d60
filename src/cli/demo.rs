//! `agent-memory demo`

use std::path::Path;
use std::process::{Command, Stdio};

use super::call::{Context, Exit};
use super::output::{DONE, NO, TITLE};
use super::{approval, environment, render};
use crate::error::{Error, ErrorKind, Result};
use crate::project::request::Outcome;
use crate::project::verbs::{
    ApplyOptions, DEMO_REQUEST, Kept, Project, Scratch, Session, Wanted, apply,
};

#[derive(Debug, clap::Args)]
pub(super) struct Args {}

/// The step that a person runs at a terminal; the demonstration runs it without one.
const APPROVE: [&str; 4] = ["apply", "--latest", "--approver", "Ada"];

/// What each step shows, and its arguments.
const STEPS: [(&str, &[&str]); 7] = [
    ("a store in a git repository", &["init", "--quiet"]),
    (
        "an agent proposes a decision; a person has to decide",
        &["propose", "--file", "request.json"],
    ),
    ("what is pending", &["status"]),
    ("what it would change", &["show", "--latest"]),
    ("a person says yes", &APPROVE),
    ("and everyone finds it", &["search", "how long do access tokens live"]),
    ("who decided what", &["log"]),
];

pub(super) fn run(_: &Args, context: &Context) -> Exit {
    if context.output.json {
        return Err(Error::new(ErrorKind::Usage, "`demo` is for people, and prints no JSON")
            .hint("run it without `--json`")
            .into());
    }
    let scratch = Scratch::make(DEMO_REQUEST)?;
    let program = std::env::current_exe()
        .map_err(|error| Error::new(ErrorKind::Io, "cannot find this program").because(error))?;
    for (about, arguments) in STEPS {
        let words: Vec<String> = arguments
            .iter()
            .map(|word| if word.contains(' ') { format!("'{word}'") } else { (*word).to_owned() })
            .collect();
        context
            .output
            .data(&format!("\n{TITLE}# {about}{TITLE:#}\n$ agent-memory {}\n", words.join(" ")));
        let is_done = match arguments == APPROVE {
            true => approve(&scratch, context)?,
            false => run_step(&program, arguments, scratch.folder())?,
        };
        if !is_done {
            context.output.talk("the demonstration stopped here");
            return Ok(NO);
        }
    }
    Ok(DONE)
}

fn run_step(program: &Path, arguments: &[&str], folder: &Path) -> Result<bool> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    let agents = environment::AGENTS.iter().map(|(variable, _)| *variable);
    for variable in agents.chain(["AGENT_MEMORY_NOW"]) {
        command.env_remove(variable);
    }
    // The root is named, because a temporary folder may be inside a repository that has a store.
    command.env("AGENT_MEMORY_ROOT", folder);
    let status = command
        .status()
        .map_err(|error| Error::new(ErrorKind::Io, "could not run").at(program).because(error))?;
    Ok(status.success())
}

/// Approves in this process, because another process would ask for a person.
fn approve(scratch: &Scratch, context: &Context) -> Result<bool> {
    let folder = scratch.folder().to_owned();
    let root = Some(folder.clone());
    let session = Session { folder, root, kept: Kept::default(), ..context.session.clone() };
    let project = Project::open_to_write(&session)?;
    let approval = approval::in_demonstration(scratch);
    let outcome = apply(&project, &Wanted::Latest, &approval, &ApplyOptions::default())?;
    render::outcome(&outcome, context.output);
    Ok(matches!(outcome, Outcome::Applied(_)))
}
