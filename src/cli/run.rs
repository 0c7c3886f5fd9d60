//! Runs a command line from its arguments to its exit code.

use std::cell::OnceCell;
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::time::Instant;

use anstream::ColorChoice;
use clap::CommandFactory;

use super::arguments::{Cli, Color, parse_one};
use super::call::{Context, Serve, ServeHttp};
use super::commands::Command;
use super::output::{self, CARE, Output};
use super::stdout::{self, AnswerKind};
use super::{environment, file_size, help, logging, render};
use crate::error::{EXIT_COULD_NOT, Error, ErrorKind, Result};
use crate::project::verbs::{Stop, with_stores_below};
use crate::secrets::clean;
use crate::text::{visible, visible_lines};

/// Runs the command line and returns its exit code: 0 done, 1 refused, 2 failed.
///
/// `mcp` calls `serve`, and `serve` calls `serve_http`, because this room does not know the server.
pub fn run(serve: Option<Serve>, serve_http: Option<ServeHttp>) -> ExitCode {
    file_size::fail_beyond_limit();
    // The message of a panic could hold a secret, so only its location is printed.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        PLAIN.talk(&format!(
            "error: a bug in agent-memory, at {place}; nothing half done is visible"
        ));
    }));
    let could_not = ExitCode::from(EXIT_COULD_NOT);
    let code = std::panic::catch_unwind(|| run_guarded(serve, serve_http)).unwrap_or(could_not);
    // Clients take exit code 2 of a hook as an order to stop.
    if code == could_not && is_hook() { ExitCode::from(output::NO) } else { code }
}

/// Also works if the rest of the command line is wrong.
fn is_hook() -> bool {
    let matches = Cli::command().ignore_errors(true).try_get_matches();
    matches.is_ok_and(|matches| matches.subcommand_name() == Some("hook"))
}

/// For output before the options are known.
const PLAIN: Output = Output {
    json: false,
    quiet: false,
    verbose: false,
    color: ColorChoice::Never,
    kind: AnswerKind::Read,
};

fn run_guarded(serve: Option<Serve>, serve_http: Option<ServeHttp>) -> ExitCode {
    if let Some(code) = print_schema() {
        return code;
    }
    let cli = match parse_one().map_or_else(|| help::parse(std::env::args_os()), Ok) {
        Ok(cli) => cli,
        Err(error) => match bare(&error) {
            Some(cli) => cli,
            None => return refuse_usage(&error),
        },
    };
    let output = output_of(&cli);
    logging::start(output);
    let (command, begun) = (cli.command.name(), Instant::now());
    let root = cli.common.root.first().map(|root| root.display());
    tracing::info!(command, root = root.map(tracing::field::display), "command");
    let code = match run_command(&cli, output, serve, serve_http) {
        Ok(code) => code,
        Err(error) => {
            output.error(&error);
            tracing::info!(code = error.kind().code(), %error, "command failed");
            EXIT_COULD_NOT
        }
    };
    tracing::info!(command, exit = code, ms = begun.elapsed().as_millis(), "command ended");
    ExitCode::from(stdout::exit_code(code))
}

/// Reads a command line without a command as `status`, where there is a store.
fn bare(error: &clap::Error) -> Option<Cli> {
    use clap::error::ErrorKind::{
        DisplayHelpOnMissingArgumentOrSubcommand as HelpInstead, MissingSubcommand,
    };
    if !matches!(error.kind(), HelpInstead | MissingSubcommand) {
        return None;
    }
    let words = std::env::args_os().chain(["status".into()]);
    let cli = help::parse(words).ok().filter(|cli| matches!(cli.command, Command::Status(_)))?;
    let common = &cli.common;
    let session = environment::session(common.root.first().cloned(), common.wait).ok()?;
    session.layout().is_ok().then_some(cli)
}

fn output_of(cli: &Cli) -> Output {
    let common = &cli.common;
    Output {
        json: common.json || (cli.command.is_for_agents() && !is_read_by_person(&cli.command)),
        quiet: common.quiet,
        verbose: common.verbose,
        color: match common.color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        },
        kind: cli.command.kind(),
    }
}

/// Tells whether a person, and no agent, reads the answer to a proposal.
fn is_read_by_person(command: &Command) -> bool {
    matches!(command, Command::Propose(_)) && is_person_reading()
}

fn is_person_reading() -> bool {
    io::stdout().is_terminal() && environment::agent().is_none()
}

fn run_command(
    cli: &Cli,
    output: Output,
    serve: Option<Serve>,
    serve_http: Option<ServeHttp>,
) -> Result<u8> {
    let (roots, wait) = (cli.common.root.clone(), cli.common.wait);
    let takes_several = matches!(
        cli.command,
        Command::Ci(_) | Command::Check(_) | Command::Context(_) | Command::Hook(_)
    );
    if roots.len() > 1 && !takes_several {
        let message = "`--root` cannot be given several times to this command";
        return Err(Error::new(ErrorKind::Usage, message).hint("run it once for each root"));
    }
    let root = roots.first().cloned();
    let session = environment::session(root.clone(), wait)?;
    let watch = OnceCell::new();
    let program = Cli::command;
    let context = Context { output, session, watch, root, roots, wait, serve, serve_http, program };
    let code = match cli.command.run(&context) {
        Ok(code) => code,
        Err(Stop::Refused(refusal)) => {
            tracing::info!(code = %refusal.reason, "command refused");
            output.refuse(&refusal)
        }
        Err(Stop::Failed(error)) => return Err(with_stores_below(error, &context.session)),
    };
    remind(&context, &cli.command);
    Ok(code)
}

/// Reminds of proposals that are pending for long. Agents see this too: they can pass it on.
fn remind(context: &Context, command: &Command) {
    if context.output.quiet
        || matches!(command, Command::Status(_) | Command::Review(_) | Command::Sweep(_))
    {
        return;
    }
    // A reminder that fails does not fail the command.
    let reminder = context.watch.get().and_then(|watch| watch.reminder().ok()?);
    if let Some(reminder) = reminder {
        let told = render::reminded(&reminder);
        context.output.talk(&format!("{CARE}note:{CARE:#} {told}, see `agent-memory review`"));
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

/// Tells whether a caller reads one JSON document, whatever happens.
fn wants_json() -> bool {
    let words: Vec<_> = std::env::args_os().collect();
    let has = |word: &str| words.iter().any(|argument| argument == word);
    has("--json") || (has("propose") && !is_person_reading()) || (has("user") && has("call"))
}
