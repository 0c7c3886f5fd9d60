//! `git agent-memory …`: a command of git.

use std::path::Path;
#[cfg(unix)]
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::support::Sandbox;

/// The folder of both programs.
fn programs() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_git-agent-memory")).parent().unwrap()
}

/// Runs `git agent-memory` with one more folder on the path.
fn git(sandbox: &Sandbox, folder: &Path, arguments: &[&str]) -> Output {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(folder.to_path_buf()).chain(std::env::split_paths(&path));
    let mut command = Command::new("git");
    command.arg("agent-memory").args(arguments).current_dir(sandbox.project());
    command.env_clear().envs(sandbox.variables()).env("PATH", std::env::join_paths(path).unwrap());
    command.output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn git_passes_arguments_and_exit_codes_on() {
    let sandbox = Sandbox::new();
    let output = git(&sandbox, programs(), &["status"]);
    assert!(said(&output).starts_with("nothing is pending\n"), "{output:?}");
    assert_eq!(output.status.code(), Some(0));
    let output = git(&sandbox, programs(), &["show", "nothing.md", "--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(git(&sandbox, programs(), &["no-such-verb"]).status.code(), Some(2));
}

/// Puts a program alone into a folder. Another process does it: a child that is started here at the same
/// moment would hold the copy open, and no program runs that is open for writing.
#[cfg(unix)]
fn alone(sandbox: &Sandbox, program: &str) -> PathBuf {
    let folder = sandbox.root().join(Path::new(program).file_name().unwrap());
    std::fs::create_dir(&folder).unwrap();
    assert!(Command::new("cp").arg(program).arg(&folder).status().unwrap().success());
    folder
}

#[cfg(unix)]
#[test]
fn the_program_is_found_on_the_path() {
    let sandbox = Sandbox::new();
    let folder = alone(&sandbox, env!("CARGO_BIN_EXE_git-agent-memory"));
    let output = git(&sandbox, &folder, &["status"]);
    assert_eq!(output.status.code(), Some(2));
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(talk.contains("hint: install `agent-memory` beside"), "{talk}");
    let other = alone(&sandbox, env!("CARGO_BIN_EXE_agent-memory"));
    let both = std::env::join_paths([&folder, &other]).unwrap();
    let mut command = Command::new(folder.join("git-agent-memory"));
    command.arg("status").current_dir(sandbox.project()).env_clear().env("PATH", both);
    assert!(said(&command.output().unwrap()).starts_with("nothing is pending"), "{command:?}");
}

#[cfg(unix)]
#[test]
fn a_link_to_the_program_leads_to_its_folder() {
    let sandbox = Sandbox::new();
    let folder = sandbox.root().join("links");
    std::fs::create_dir(&folder).unwrap();
    let link = folder.join("git-agent-memory");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_git-agent-memory"), link).unwrap();
    assert_eq!(git(&sandbox, &folder, &["status"]).status.code(), Some(0));
}

#[test]
fn the_small_program_holds_nothing_of_the_large_one() {
    let size = |path: &str| std::fs::metadata(path).unwrap().len();
    let small = size(env!("CARGO_BIN_EXE_git-agent-memory"));
    let large = size(env!("CARGO_BIN_EXE_agent-memory"));
    assert!(small * 4 < large, "{small} beside {large} bytes");
}

/// What git tells an alias or a hook of a linked worktree: where its folder is, and not where the work tree begins.
#[test]
fn a_worktree_is_known_by_what_lies_around_the_store() {
    let sandbox = Sandbox::new();
    sandbox.commit("base");
    sandbox.git(&["worktree", "add", "-q", "-b", "other", "../w"]);
    let folder = sandbox.root().join("w");
    let store = folder.join(".agent-memory/conventions.md");
    let text = std::fs::read_to_string(&store).unwrap();
    std::fs::write(&store, text + "\n## Twice\n\nOne.\n\n## Twice\n\nTwo.\n").unwrap();
    let inside = sandbox.git(&["-C", "../w", "rev-parse", "--absolute-git-dir"]);
    let mut command = sandbox.process(&["check", "--base", "HEAD", "--json"]);
    command.current_dir(&folder).env("GIT_DIR", inside.trim());
    let output = command.output().unwrap();
    assert!(said(&output).contains(".agent-memory/conventions.md"), "{output:?}");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}
