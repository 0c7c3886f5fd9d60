//! What is different at a terminal: colour, and a yes that needs no `--approver`.
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

use std::process::{Command, Stdio};

use crate::requests::convention;
use crate::support::{Sandbox, Terminal};

#[test]
fn a_terminal_gets_colour() {
    let sandbox = waiting();
    if let Some(text) = at_a_terminal(&sandbox, "status", &[]) {
        assert!(text.contains("\u{1b}[32mstore"), "{text}");
    }
}

#[test]
fn an_argument_does_not_steer_the_terminal_that_it_is_repeated_on() {
    let sandbox = waiting();
    let evil = "\u{1b}]0;title\u{7}\u{9b}31m\u{1b}[2Jend";
    if let Some(text) = at_a_terminal(&sandbox, "--color \"$EVIL\" status", &[("EVIL", evil)]) {
        let shown = "<U+001B>]0;title<U+0007><U+009B>31m<U+001B>[2Jend";
        assert!(text.contains(shown) && text.contains("\u{1b}[1m"), "{text:?}");
        assert!(!text.contains(['\u{7}', '\u{9b}']) && !text.contains("\u{1b}[2J"), "{text:?}");
    }
}

#[test]
fn no_color_is_honoured_at_a_terminal() {
    let sandbox = waiting();
    if let Some(text) = at_a_terminal(&sandbox, "status", &[("NO_COLOR", "1")]) {
        assert!(!text.contains('\u{1b}') && text.contains("store"), "{text}");
    }
}

#[test]
fn never_means_never_at_a_terminal() {
    let sandbox = waiting();
    if let Some(text) = at_a_terminal(&sandbox, "--color never diff", &[]) {
        assert!(!text.contains('\u{1b}') && text.contains("+## Errors"), "{text}");
    }
}

#[test]
fn at_a_terminal_git_knows_who_says_yes() {
    let sandbox = waiting();
    sandbox.git(&["config", "user.name", "Grace"]);
    if at_a_terminal(&sandbox, "apply --latest", &[]).is_some() {
        let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
        assert_eq!(log["decisions"][0]["approver"], "Grace");
    }
}

#[test]
fn an_agent_at_a_terminal_is_still_an_agent() {
    let sandbox = waiting();
    sandbox.git(&["config", "user.name", "Grace"]);
    if let Some(text) = at_a_terminal(&sandbox, "apply --latest", &[("CLAUDECODE", "1")]) {
        assert!(text.contains("approval_refused"), "{text}");
    }
}

#[test]
fn a_no_fits_into_the_window_and_stays_one_line_for_a_program() {
    let sandbox = waiting();
    let whole = [
        "refused: no pending proposal is called `nothing` [staging_not_found]",
        "hint: `agent-memory status` lists what is pending, `agent-memory log` what was decided",
    ];
    let piped = sandbox.run(&["apply", "nothing", "--approver", "Ada"]).expect_code(1);
    assert_eq!(piped.stderr, whole.map(|line| line.to_owned() + "\n").concat());
    sandbox.git(&["config", "user.name", "Grace"]);
    for columns in [45, 60] {
        let (shown, code) = Terminal::run(&sandbox, "apply nothing", columns, &[]).end();
        assert_eq!(code, 1);
        assert!(shown.lines().all(|line| line.chars().count() <= columns.into()), "{shown}");
        let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&whole.join(" ")), "{shown}");
    }
}

fn waiting() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox
}

/// Runs a command at a terminal that `script` makes; nothing where there is no `script`.
fn at_a_terminal(sandbox: &Sandbox, arguments: &str, variables: &[(&str, &str)]) -> Option<String> {
    let mut command = Command::new("script");
    let program = format!("{} {arguments}", env!("CARGO_BIN_EXE_agent-memory"));
    command.args(["--quiet", "--command", &program, "/dev/null"]).current_dir(sandbox.project());
    command.env_clear().env("PATH", std::env::var_os("PATH")?).env("TERM", "xterm-256color");
    command
        .env("HOME", sandbox.root().join("home"))
        .env("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z");
    command.env("SHELL", "/bin/sh").envs(variables.iter().copied()).stdin(Stdio::null());
    match command.output() {
        Ok(output) => Some(String::from_utf8(output.stdout).unwrap()),
        Err(error) => {
            println!("skipped: there is no `script`: {error}");
            None
        }
    }
}
