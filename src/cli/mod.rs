//! The terminal's door: reads arguments, calls one operation, prints its answer.

mod apply;
mod approval;
mod blame;
mod check;
mod ci;
mod columns;
mod commands;
mod completions;
mod context;
mod demo;
mod diff;
mod doctor;
mod environment;
mod file_size;
mod fmt_ids;
mod help;
mod hook;
mod init;
mod install;
mod log;
mod man;
mod mcp;
mod merge_driver;
mod numbers;
mod output;
mod propose;
mod rebase;
mod reindex;
mod reject;
mod render;
mod report;
mod resolve;
mod restore;
mod review;
mod search;
mod secrets;
mod show;
mod since;
mod status;
mod sweep;
mod toc;
mod undo;
mod version;
mod worktrees;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use anstream::ColorChoice;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::contract::{Outcome, Refusal};
use crate::error::{Error, ErrorKind, Result};
use crate::project::verbs::{GitTime, Place, Reminder, Serve, Wanted, Watch, Workspace};
use crate::secrets::{clean, shown_name};
use crate::text::{visible, visible_lines};
use commands::Command;
use output::{CARE, Output};

/// Git-friendly memory for coding agents, with a review before anything lasts
#[derive(Debug, Parser)]
#[command(
    name = "agent-memory",
    version,
    long_version = version::long(),
    propagate_version = true,
    max_term_width = 100
)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Common options")]
struct Common {
    /// Repository or store to use, instead of the one that the working directory is in; the
    /// environment variable `AGENT_MEMORY_ROOT` does the same
    #[arg(long, global = true, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Print one JSON document on stdout
    #[arg(long, global = true)]
    json: bool,
    /// When to use colour; `NO_COLOR` is honoured
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: Color,
    /// Say nothing besides the answer and warnings
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Say more on stderr
    #[arg(short, long, global = true)]
    verbose: bool,
    /// Seconds to wait for another writer
    #[arg(long, global = true, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(..=86_400))]
    wait: Option<u64>,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

/// What a command runs with.
struct Context {
    output: Output,
    place: Place,
    /// Looks at the queue of the store that a command has opened.
    watch: OnceCell<Watch>,
    root: Option<PathBuf>,
    wait: Option<u64>,
    serve: Option<Serve>,
}

impl Context {
    /// Opens the store and tells what had to be said about it.
    ///
    /// It is never dropped, so a command opens it once: the process ends with it, and the system takes all back at once.
    fn workspace(&self) -> Result<&'static Workspace> {
        let workspace = self.introduce(Workspace::open(&self.place)?)?;
        Ok(Box::leak(Box::new(workspace)))
    }

    /// Opens the store for a verb that reads nothing before it has the lock.
    fn workspace_to_write(&self) -> Result<&'static Workspace> {
        let workspace = self.introduce(Workspace::open_to_write(&self.place)?)?;
        Ok(Box::leak(Box::new(workspace)))
    }

    /// Opens the store as it is at this moment, for a command that a person keeps open: each look has git's whole time.
    fn workspace_of_now(&self) -> Result<Workspace> {
        self.workspace_at(self.place.root.clone())
    }

    /// Opens the store at a root, or the one where the caller stands, as it is at this moment.
    fn workspace_at(&self, root: Option<PathBuf>) -> Result<Workspace> {
        let (now, git_time) = (environment::now()?, GitTime::default());
        let place = Place { now, root, git_time, ..self.place.clone() };
        self.introduce(Workspace::open(&place)?)
    }

    /// Reminds of what has waited for long, in one line of talk, except where the queue was just shown.
    ///
    /// An agent reads it as well as a person: it is the one who can pass it on.
    fn remind(&self, command: &Command) {
        if self.output.quiet
            || matches!(command, Command::Status(_) | Command::Review(_) | Command::Sweep(_))
        {
            return;
        }
        // A command that has answered does not fail because of this.
        let reminder = self.watch.get().and_then(|watch| watch.reminder().ok()?);
        if let Some(Reminder { count, oldest_seconds }) = reminder {
            let proposals = match count {
                1 => "a proposal has waited".to_owned(),
                many => format!("{many} proposals have waited"),
            };
            let oldest = render::span(oldest_seconds);
            self.output.talk(&format!(
                "{CARE}note:{CARE:#} {proposals} for up to {oldest}, see `agent-memory review`"
            ));
        }
    }

    fn introduce(&self, workspace: Workspace) -> Result<Workspace> {
        self.watch.get_or_init(|| workspace.watch());
        self.output.warn_each(workspace.notices());
        if self.output.verbose {
            let folder = workspace.folder().display().to_string();
            self.output.talk(&format!("store {}", shown_name(&folder)));
        }
        Ok(workspace)
    }
}

/// Runs the command line and returns its exit code: 0 done, 1 the answer is no, 2 could not.
///
/// `serve` is what `mcp` starts: one door knows nothing of the other.
pub fn run(serve: Option<Serve>) -> ExitCode {
    file_size::fail_beyond_limit();
    // A panic message could repeat what was being worked on.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        PLAIN.talk(&format!(
            "error: a bug in agent-memory, at {place}; nothing half done is visible"
        ));
    }));
    let could_not = ExitCode::from(crate::error::EXIT_COULD_NOT);
    let code = std::panic::catch_unwind(|| run_guarded(serve)).unwrap_or(could_not);
    // A client takes a 2 from a hook for an order to stop.
    if code == could_not && is_hook() { ExitCode::from(output::NO) } else { code }
}

/// Tells whether the command is `hook`, even if the rest of the command line cannot be read.
fn is_hook() -> bool {
    let matches = Cli::command().ignore_errors(true).try_get_matches();
    matches.is_ok_and(|matches| matches.subcommand_name() == Some("hook"))
}

/// How to print before the options are known.
const PLAIN: Output =
    Output { json: false, quiet: false, verbose: false, color: ColorChoice::Never };

fn run_guarded(serve: Option<Serve>) -> ExitCode {
    let cli = match parse_one().map_or_else(|| help::parse(std::env::args_os()), Ok) {
        Ok(cli) => cli,
        Err(error) => return refuse_usage(&error),
    };
    let common = &cli.common;
    let color = match common.color {
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    // An agent that shells out reads one JSON document, whatever happens.
    let json = common.json || matches!(cli.command, Command::Propose(_));
    let output = Output { json, quiet: common.quiet, verbose: common.verbose, color };
    let (root, wait) = (common.root.clone(), common.wait);
    let result = environment::place(root.clone(), wait).and_then(|place| {
        let context = Context { output, place, watch: OnceCell::new(), root, wait, serve };
        let code = match cli.command.run(&context) {
            Ok(code) => code,
            Err(Stop::Refused(refusal)) => refuse(&refusal, output),
            Err(Stop::Failed(error)) => return Err(error),
        };
        context.remind(&cli.command);
        Ok(code)
    });
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => output.error(&error),
    }
}

/// Reads a command line that has nothing wrong with it, and asks for no help: as if there were only the command that
/// it names, as the common options are copied into each that there is.
fn parse_one() -> Option<Cli> {
    let all = Command::augment_subcommands(clap::Command::new("all"));
    let named = std::env::args_os().skip(1).find_map(|argument| all.find_subcommand(argument))?;
    let one = Common::augment_args(clap::Command::new("agent-memory")).subcommand(named.clone());
    let matches = one.subcommand_required(true).try_get_matches().ok()?;
    Cli::from_arg_matches(&matches).ok()
}

fn refuse_usage(error: &clap::Error) -> ExitCode {
    let output = Output { color: ColorChoice::Auto, ..PLAIN };
    if !error.use_stderr() {
        // Help and version are our own words, so no secret is looked for in them.
        output.data(&error.render().ansi().to_string());
        return ExitCode::SUCCESS;
    }
    if let Some(meant) = help::meant(error) {
        let json = wants_json(std::env::args_os());
        return Output { json, ..output }.error(&meant);
    }
    // What it repeats must not steer the terminal, so it is asked again about what a person can see.
    // Line ends stay: by them a private key is known.
    let seen = std::env::args_os().map(|word| visible(&word.to_string_lossy()).into_owned());
    let again = help::parse(seen).err();
    let text = again.as_ref().unwrap_or(error).render().to_string();
    if !wants_json(std::env::args_os()) {
        // Escape sequences would hide where a word begins, and with it a secret.
        let shown = match (clean(&text), again) {
            (same, Some(again)) if same == text => again.render().ansi().to_string(),
            (cleaned, _) => visible_lines(&cleaned),
        };
        output.talk(shown.trim_end());
        return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
    }
    let lines = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
    let message = lines.collect::<Vec<_>>().join(" ");
    let message = message.trim_start_matches("error: ");
    let usage = Error::new(ErrorKind::Usage, message).hint("see `agent-memory --help`");
    Output { json: true, ..PLAIN }.error(&usage)
}

/// Tells whether a caller reads one JSON document, whatever happens.
fn wants_json(mut arguments: impl Iterator<Item = std::ffi::OsString>) -> bool {
    arguments.any(|argument| argument == "--json" || argument == "propose")
}

/// The exit code of a command, or why it stops early.
type Exit = std::result::Result<u8, Stop>;

/// Why a command stops early: the answer is no, or there is none.
enum Stop {
    Refused(Box<Refusal>),
    Failed(Error),
}

impl From<Box<Refusal>> for Stop {
    fn from(refusal: Box<Refusal>) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Prints a refusal and returns its exit code.
fn refuse(refusal: &Refusal, output: Output) -> u8 {
    match output.json {
        true => output.answer(&Outcome::Rejected(refusal.clone())),
        false => output.refusal(refusal),
    }
    output::NO
}

// Which proposals a command line names. As a doc comment it would be the help of each command that takes them.
#[derive(Debug, Args)]
struct Which {
    /// Ids of proposals, or unique parts of them
    ids: Vec<String>,
    /// The youngest one
    #[arg(long, conflicts_with = "ids")]
    latest: bool,
}

impl Which {
    /// Returns the proposals, in the order in which they are named.
    fn wanted(&self) -> Vec<Wanted> {
        match self.latest {
            true => vec![Wanted::Latest],
            false => {
                // Who names one twice wants it decided once.
                let mut seen = BTreeSet::new();
                let ids = self.ids.iter().filter(|id| seen.insert(*id));
                ids.cloned().map(Wanted::Named).collect()
            }
        }
    }

    /// Returns the proposals, of which there must be one at least; `list` is the command that names them.
    fn required(&self, list: &str) -> Result<Vec<Wanted>> {
        Some(self.wanted()).filter(|wanted| !wanted.is_empty()).ok_or_else(|| {
            let hint = format!(
                "give ids, unique parts of them, or `--latest`; `agent-memory {list}` lists them"
            );
            Error::new(ErrorKind::Usage, "no proposal is named").hint(hint)
        })
    }
}
