//! The help of the program: its commands in groups, and what an unknown command may have meant.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};
use clap::{Command, CommandFactory, FromArgMatches};

use super::arguments::Cli;
use crate::error::{Error, ErrorKind};

/// The groups, each with its commands in the order of use.
const GROUPS: [(&str, &[&str]); 6] = [
    (
        "Propose and review",
        &[
            "propose", "new", "edit", "cite", "confirm", "status", "review", "show", "diff",
            "apply", "reject", "rebase", "undo", "restore", "sweep",
        ],
    ),
    ("Read", &["search", "context", "ls", "toc", "log", "blame"]),
    ("Other memories", &["user", "ltm", "service"]),
    ("Teams and CI", &["check", "resolve", "ci", "read"]),
    (
        "Set up",
        &[
            "init",
            "install",
            "uninstall",
            "config",
            "mcp",
            "serve",
            "hook",
            "demo",
            "completions",
            "man",
        ],
    ),
    ("Maintenance", &["doctor", "reindex", "fmt-ids", "secrets"]),
];

/// What people and agents type who know another program, and the command that does it.
const MEANT: [(&str, &[&str]); 10] = [
    ("apply", &["approve", "accept", "merge"]),
    ("ls", &["list", "dir"]),
    ("status", &["pending", "queue"]),
    ("show", &["cat", "get", "view"]),
    ("search", &["recall", "find", "grep", "query"]),
    ("check", &["lint", "verify", "validate"]),
    ("propose", &["remember", "add", "store", "save", "write"]),
    ("reject", &["deny", "decline", "refuse", "forget"]),
    ("toc", &["index", "contents", "tree"]),
    ("undo", &["revert", "rollback"]),
];

/// Reads the command line.
pub(super) fn parse(
    words: impl Iterator<Item = impl Into<OsString> + Clone>,
) -> Result<Cli, clap::Error> {
    Cli::from_arg_matches(&grouped().try_get_matches_from(words)?)
}

/// Returns the program with a help that lists the commands in groups.
fn grouped() -> Command {
    let program = Cli::command();
    let title = clap::builder::styling::Styles::styled();
    let (title, name) = (*title.get_header(), *title.get_literal());
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for (group, commands) in GROUPS {
        text += &format!("\n{title}{group}:{title:#}\n");
        for command in commands {
            let about = program.find_subcommand(command).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            text += &format!("  {name}{command:<11}{name:#} {about}\n");
        }
    }
    text += &format!("\n{title}Options:{title:#}\n{{options}}");
    program.help_template(StyledStr::from(text))
}

/// Returns the error for a command name of another program; the hint gives our name for it.
pub(super) fn meant(error: &clap::Error) -> Option<Error> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let (command, _) = MEANT.iter().find(|(_, words)| words.contains(&typed.as_str()))?;
    let message = format!("there is no command `{typed}`");
    Some(Error::new(ErrorKind::Usage, message).hint(format!("use `agent-memory {command}`")))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_command_that_is_shown_is_in_one_group() {
        let program = Cli::command();
        let shown = program.get_subcommands().filter(|command| !command.is_hide_set());
        let shown: BTreeSet<&str> = shown.map(Command::get_name).collect();
        let grouped: Vec<&str> =
            GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        assert_eq!(grouped.len(), shown.len());
        assert_eq!(grouped.into_iter().collect::<BTreeSet<_>>(), shown);
    }

    #[test]
    fn every_command_has_one_line_and_the_whole_help_seventy() {
        let help = super::grouped().render_help().to_string();
        let lines: Vec<&str> = help.lines().collect();
        assert!(lines.len() <= 70, "{} lines", lines.len());
        assert!(lines.iter().all(|line| line.chars().count() <= 100), "{help}");
    }

    #[test]
    fn a_near_word_is_no_command_and_leads_to_one() {
        let program = Cli::command();
        for (command, words) in MEANT {
            assert!(program.find_subcommand(command).is_some(), "{command}");
            assert!(words.iter().all(|word| program.find_subcommand(word).is_none()), "{words:?}");
        }
    }
}
