//! `git agent-memory …`: gives its arguments to `agent-memory` beside it, or on the path.
//!
//! Nothing of the library stands in it, so that it costs a package a few hundred kilobytes.
#![allow(clippy::print_stderr, reason = "it has no other way to say what is missing")]

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let mut command = Command::new(program());
    command.args(std::env::args_os().skip(1));
    let error = run(&mut command);
    let program = command.get_program().display();
    eprintln!("error: cannot start `{program}`: {error}");
    eprintln!("hint: install `agent-memory` beside `git-agent-memory`, or put it on the path");
    ExitCode::from(2)
}

/// Returns the program beside this one; where there is none, its name, for the path.
fn program() -> PathBuf {
    let name = format!("agent-memory{}", std::env::consts::EXE_SUFFIX);
    // What git started may be a link in a folder of links.
    let this = std::env::current_exe().and_then(|this| this.canonicalize());
    let beside = this.ok().map(|this| this.with_file_name(&name));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| OsString::from(&name).into())
}

/// Becomes the other program; returns why not.
#[cfg(unix)]
fn run(command: &mut Command) -> std::io::Error {
    std::os::unix::process::CommandExt::exec(command)
}

/// Waits for the other program and ends as it does; returns why it could not be started.
#[cfg(not(unix))]
fn run(command: &mut Command) -> std::io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(2)),
        Err(error) => error,
    }
}
