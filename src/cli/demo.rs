//! `agent-memory demo`

use std::path::Path;
use std::process::{Command, Stdio};

use super::output::{DONE, NO, TITLE};
use super::{Context, environment};
use crate::error::{Error, ErrorKind, Result};
use crate::ops::{DEMO_REQUEST, Scratch};

#[derive(Debug, clap::Args)]
pub(super) struct Args {}

/// One step: what is about to happen, and the arguments.
const STEPS: [(&str, &[&str]); 7] = [
    ("a store in a git repository", &["init", "--quiet"]),
    (
        "an agent proposes a decision; it has to wait for a person",
        &["propose", "--file", "request.json"],
    ),
    ("what waits", &["status"]),
    ("what it would change", &["show", "--latest"]),
    ("a person says yes", &["apply", "--latest", "--approver", "Ada"]),
    ("and everyone finds it", &["search", "how long do access tokens live"]),
    ("who decided what", &["log"]),
];

pub(super) fn run(_: &Args, context: &Context) -> Result<u8> {
    if context.output.json {
        return Err(Error::new(ErrorKind::Usage, "`demo` is for people, and prints no JSON")
            .hint("run it without `--json`"));
    }
    let scratch = Scratch::make(DEMO_REQUEST)?;
    let program = environment::program()?;
    for (about, arguments) in STEPS {
        let words: Vec<String> = arguments
            .iter()
            .map(|word| if word.contains(' ') { format!("'{word}'") } else { (*word).to_owned() })
            .collect();
        context
            .output
            .data(&format!("\n{TITLE}# {about}{TITLE:#}\n$ agent-memory {}\n", words.join(" ")));
        if !run_step(&program, arguments, scratch.folder())? {
            context.output.talk("the demonstration stopped here");
            return Ok(NO);
        }
    }
    Ok(DONE)
}

fn run_step(program: &Path, arguments: &[&str], folder: &Path) -> Result<bool> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    // The scratch repository is ours alone, so saying yes in it approves nothing of anybody's.
    for variable in environment::agent_variables().chain(["AGENT_MEMORY_NOW"]) {
        command.env_remove(variable);
    }
    // Named, not searched for: a temporary folder may lie inside a repository that has a store.
    command.env("AGENT_MEMORY_ROOT", folder);
    let status = command
        .status()
        .map_err(|error| Error::new(ErrorKind::Io, "could not run").at(program).because(error))?;
    Ok(status.success())
}
