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
mod schema;
mod search;
mod secrets;
mod show;
mod status;
mod sweep;
mod toc;
mod undo;
mod values;
mod version;
mod worktrees;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use anstream::ColorChoice;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::contract::{Failure, Refusal};
use crate::error::{Error, ErrorKind, Result};
use crate::project::verbs::{GitTime, Project, Reminder, Serve, Session, Stop, Wanted, Watch};
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

#[derive(Debug, Args)]
#[command(next_help_heading = "Common options")]
struct Common {
    /// Use this repository or store, instead of the one of the working directory; the environment variable
    /// `AGENT_MEMORY_ROOT` does the same
    #[arg(long, global = true, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Print one JSON document on stdout
    #[arg(long, global = true)]
    json: bool,
    /// Print the JSON Schema of that document, and do nothing else
    #[arg(long, global = true)]
    schema: bool,
    /// Choose when to use colour; `NO_COLOR` is respected
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: Color,
    /// Print only the answer and warnings
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Print more on stderr
    #[arg(short, long, global = true)]
    verbose: bool,
    /// Wait for another writer, at most this many seconds
    #[arg(long, global = true, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(..=86_400))]
    wait: Option<u64>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

struct Context {
    output: Output,
    session: Session,
    /// The queue of the store that a command has opened.
    watch: OnceCell<Watch>,
    root: Option<PathBuf>,
    wait: Option<u64>,
    serve: Option<Serve>,
}

impl Context {
    /// Opens the store and prints its notices.
    ///
    /// It is never dropped, because the process ends with the command. So call this once.
    fn project(&self) -> Result<&'static Project> {
        let project = self.introduce(Project::open(&self.session)?)?;
        Ok(Box::leak(Box::new(project)))
    }

    /// Opens the store for a verb that reads nothing before it has the lock.
    fn project_to_write(&self) -> Result<&'static Project> {
        let project = self.introduce(Project::open_to_write(&self.session)?)?;
        Ok(Box::leak(Box::new(project)))
    }

    /// Opens the store as it is now, for a review that stays open for long; git gets its full time limit again.
    fn project_at(&self, root: Option<PathBuf>) -> Result<Project> {
        let (now, git_time) = (environment::now()?, GitTime::default());
        let session = Session { now, root, git_time, ..self.session.clone() };
        self.introduce(Project::open(&session)?)
    }

    /// Reminds of proposals that are pending for long. Agents see this too: they can pass it on.
    fn remind(&self, command: &Command) {
        if self.output.quiet
            || matches!(command, Command::Status(_) | Command::Review(_) | Command::Sweep(_))
        {
            return;
        }
        // A reminder that fails does not fail the command.
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

    fn introduce(&self, project: Project) -> Result<Project> {
        self.watch.get_or_init(|| project.watch());
        self.output.warn_each(&project.take_warnings());
        if self.output.verbose {
            let folder = project.folder().display().to_string();
            self.output.talk(&format!("store {}", shown_name(&folder)));
        }
        Ok(project)
    }
}

/// Runs the command line and returns its exit code: 0 done, 1 refused, 2 failed.
///
/// `mcp` calls `serve`, because this room does not know the server.
pub fn run(serve: Option<Serve>) -> ExitCode {
    file_size::fail_beyond_limit();
    // The message of a panic could hold a secret, so only its location is printed.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        PLAIN.talk(&format!(
            "error: a bug in agent-memory, at {place}; nothing half done is visible"
        ));
    }));
    let could_not = ExitCode::from(crate::error::EXIT_COULD_NOT);
    let code = std::panic::catch_unwind(|| run_guarded(serve)).unwrap_or(could_not);
    // Clients take exit code 2 of a hook as an order to stop.
    if code == could_not && is_hook() { ExitCode::from(output::NO) } else { code }
}

/// Also works if the rest of the command line is wrong.
fn is_hook() -> bool {
    let matches = Cli::command().ignore_errors(true).try_get_matches();
    matches.is_ok_and(|matches| matches.subcommand_name() == Some("hook"))
}

/// For output before the options are known.
const PLAIN: Output =
    Output { json: false, quiet: false, verbose: false, color: ColorChoice::Never };

fn run_guarded(serve: Option<Serve>) -> ExitCode {
    if let Some(code) = print_schema() {
        return code;
    }
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
    // An agent that runs `propose` always reads one JSON document.
    let json = common.json || matches!(cli.command, Command::Propose(_));
    let output = Output { json, quiet: common.quiet, verbose: common.verbose, color };
    let (root, wait) = (common.root.clone(), common.wait);
    let result = environment::session(root.clone(), wait).and_then(|session| {
        let context = Context { output, session, watch: OnceCell::new(), root, wait, serve };
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

/// Prints a JSON Schema where `--schema` asks for one; the rest of the command line need not be complete.
fn print_schema() -> Option<ExitCode> {
    let mut options = std::env::args_os().take_while(|argument| argument != "--");
    options.find(|argument| argument == "--schema")?;
    let matches = Cli::command().ignore_errors(true).try_get_matches().ok()?;
    let name = matches.subcommand_name()?;
    Some(match Command::schema(name) {
        Some(schema) => {
            PLAIN.print_json(&schema);
            ExitCode::SUCCESS
        }
        None => {
            let message = format!("`{name}` prints no JSON document of ours");
            let error = Error::new(ErrorKind::Usage, message).hint("run it without `--schema`");
            Output { json: wants_json(), ..PLAIN }.error(&error)
        }
    })
}

/// Parses a correct command line with only the command that it names, as clap copies the common options into every
/// command. Errors and help are left to the full parser.
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
        // Help and version are our own texts and hold no secret.
        output.data(&error.render().ansi().to_string());
        return ExitCode::SUCCESS;
    }
    if let Some(meant) = help::meant(error) {
        let json = wants_json();
        return Output { json, ..output }.error(&meant);
    }
    // The error repeats arguments, which must not control the terminal, so it is built again from visible text.
    // Line ends stay, because the rule for private keys needs them.
    let seen = std::env::args_os().map(|word| visible(&word.to_string_lossy()).into_owned());
    let again = help::parse(seen).err();
    let text = again.as_ref().unwrap_or(error).render().to_string();
    if !wants_json() {
        // Escape sequences could hide the start of a word, and so a secret.
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

/// The exit code of a command, or why it stops early.
type Exit = std::result::Result<u8, Stop>;

/// Tells whether a caller reads one JSON document, whatever happens.
fn wants_json() -> bool {
    std::env::args_os().any(|argument| argument == "--json" || argument == "propose")
}

/// Prints a refusal and returns its exit code.
fn refuse(refusal: &Refusal, output: Output) -> u8 {
    match output.json {
        true => output.document(&Failure::from(refusal.clone())),
        false => output.refusal(refusal),
    }
    output::NO
}

// A doc comment would become the help of each command that flattens this.
#[derive(Debug, Args)]
struct Which {
    /// Ids of proposals, or unique parts of them
    ids: Vec<String>,
    /// Take the newest one
    #[arg(long, conflicts_with = "ids")]
    latest: bool,
}

impl Which {
    fn wanted(&self) -> Vec<Wanted> {
        if self.latest {
            return vec![Wanted::Latest];
        }
        // A proposal that is named twice is decided once.
        let mut seen = BTreeSet::new();
        let ids = self.ids.iter().filter(|id| seen.insert(*id));
        ids.cloned().map(Wanted::Named).collect()
    }

    /// Returns at least one proposal; `list` is the command that lists their ids.
    fn required(&self, list: &str) -> Result<Vec<Wanted>> {
        Some(self.wanted()).filter(|wanted| !wanted.is_empty()).ok_or_else(|| {
            let hint = format!(
                "give ids, unique parts of them, or `--latest`; `agent-memory {list}` lists them"
            );
            Error::new(ErrorKind::Usage, "no proposal is named").hint(hint)
        })
    }
}
