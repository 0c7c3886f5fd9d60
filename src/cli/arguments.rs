//! The command line: the common options, and the command.

use std::path::PathBuf;

use clap::{Args, FromArgMatches, Parser, Subcommand, ValueEnum};

use super::commands::Command;
use super::version;

/// Git-friendly memory for coding agents, with a review before anything lasts
#[derive(Debug, Parser)]
#[command(
    name = "agent-memory",
    version,
    long_version = version::long(),
    propagate_version = true,
    max_term_width = 100
)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) common: Common,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Common options")]
pub(super) struct Common {
    /// Use this repository or store; the variable `AGENT_MEMORY_ROOT` does the same
    #[arg(long, global = true, value_name = "DIR")]
    pub(super) root: Vec<PathBuf>,
    /// Print one JSON document on stdout
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// Print the JSON Schema of that document, and do nothing else
    #[arg(long, global = true)]
    pub(super) schema: bool,
    /// Use colour: auto, always or never; `NO_COLOR` is respected
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true
    )]
    pub(super) color: Color,
    /// Print only the answer and warnings
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
    /// Print more on stderr
    #[arg(short, long, global = true)]
    pub(super) verbose: bool,
    /// Wait for another writer, at most this many seconds
    #[arg(long, global = true, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(..=86_400))]
    pub(super) wait: Option<u64>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

/// Parses a correct command line with only the command that it names, as clap copies the common options into every
/// command. Errors and help are left to the full parser.
pub(super) fn parse_one() -> Option<Cli> {
    let all = Command::augment_subcommands(clap::Command::new("all"));
    let named = std::env::args_os().skip(1).find_map(|argument| all.find_subcommand(argument))?;
    let one = Common::augment_args(clap::Command::new("agent-memory")).subcommand(named.clone());
    let matches = one.subcommand_required(true).try_get_matches().ok()?;
    Cli::from_arg_matches(&matches).ok()
}
