//! `agent-memory user`

pub(super) mod person;
mod print;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::json;

use super::call::{Context, Exit};
use super::output::{DONE, NO, Output};
use super::review::programs::{edit_text, page};
use crate::error::{Error, ErrorKind, Result};
use crate::personal::request::{EntryChange, EntryType};
use crate::personal::verbs::{
    self, CALL_BYTES, EntryAnswer, PersonalSession, ReadAnswer, call, read_input,
};
use crate::text::visible_lines;
use print::{change_text, entry_table, log_text};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    person: person::Named,
    #[command(subcommand)]
    command: UserCommand,
}

#[derive(Debug, Subcommand)]
enum UserCommand {
    /// Make an entry, or replace it
    ///
    /// The body is read from stdin; at a terminal an editor opens.
    Upsert {
        /// Name of the entry: A-Z, a-z, 0-9, `_` and `-`
        name: String,
        /// What it is for: `user`, `feedback`, `project` or `reference`
        #[arg(long = "type", value_name = "TYPE")]
        kind: String,
        /// The one line that the index shows
        #[arg(long, value_name = "TEXT")]
        description: String,
        /// Read the body from a file; `-` is stdin
        #[arg(short, long, value_name = "FILE")]
        file: Option<PathBuf>,
        /// Replace only the text with this hash
        #[arg(long, value_name = "HASH")]
        if_hash: Option<String>,
    },
    /// Move an entry to the trash
    Delete {
        /// Name of the entry
        name: String,
        /// Delete only the text with this hash
        #[arg(long, value_name = "HASH")]
        if_hash: Option<String>,
    },
    /// Print an entry; without a name the index
    Read {
        /// Name of the entry
        name: Option<String>,
    },
    /// List the entries
    List {
        /// Only those of one type
        #[arg(long = "type", value_name = "TYPE", value_parser = parse_type)]
        kind: Option<EntryType>,
    },
    /// Bring back the entry that was deleted last under a name
    Restore {
        /// Name of the entry
        name: String,
    },
    /// Take back the latest change
    Undo {
        /// It is always the latest one; for those who know `agent-memory undo --latest`
        #[arg(long)]
        latest: bool,
    },
    /// Show the changes, newest first
    Log {
        /// Show at most this many
        #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
        limit: usize,
        /// Check that no change is missing or changed; exit with 1 if one is
        #[arg(long)]
        verify: bool,
    },
    /// Answer one request of a tool: JSON on stdin, JSON on stdout
    ///
    /// The request is `{"tool": "update_user_memory", "arguments": {"name": "x", ...}}`, with `read_user_memory` likewise, or the
    /// bare arguments of `update_user_memory`.
    Call,
    /// Print the folder of this memory
    Path,
}

impl Args {
    pub(super) fn is_call(&self) -> bool {
        matches!(self.command, UserCommand::Call)
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let session = person::session(&args.person, context)?;
    let output = context.output;
    let of_change = |change: &EntryChange| change_text(change, args.person.id());
    Ok(match &args.command {
        UserCommand::Upsert { name, kind, description, file, if_hash } => {
            let body = read_body(file.as_deref())?;
            let request = json!({
                "action": "upsert", "name": name, "type": kind, "description": description,
                "body": body, "if_hash": if_hash,
            });
            told(output, verbs::update(&session, &request), of_change)?
        }
        UserCommand::Delete { name, if_hash } => {
            let request = json!({ "action": "delete", "name": name, "if_hash": if_hash });
            told(output, verbs::update(&session, &request), of_change)?
        }
        UserCommand::Read { name } => print_read(&session, name.as_deref(), output)?,
        UserCommand::List { kind } => told(output, verbs::list(&session, *kind), entry_table)?,
        UserCommand::Restore { name } => told(output, verbs::restore(&session, name), of_change)?,
        UserCommand::Undo { .. } => told(output, verbs::undo(&session), of_change)?,
        UserCommand::Log { verify: true, .. } => print_verdict(&session, output)?,
        UserCommand::Log { limit, .. } => told(output, verbs::log(&session, *limit), log_text)?,
        UserCommand::Call => {
            let answer = call(&session, &read_input(None, CALL_BYTES)?)?;
            output.document(&answer);
            if answer.is_rejected() { NO } else { DONE }
        }
        UserCommand::Path => {
            told(output, verbs::folder(&session), |folder| format!("{}\n", folder.path))?
        }
    })
}

/// Prints an answer, or why there is none; returns the exit code.
fn told<T: serde::Serialize + verbs::Warned>(
    output: Output,
    answer: EntryAnswer<T>,
    text: impl FnOnce(&T) -> String,
) -> Result<u8> {
    let answer = match answer? {
        Ok(answer) => answer,
        Err(refusal) => return Ok(print::refuse(output, &refusal)),
    };
    output.answer(&answer, || text(&answer));
    if !output.json {
        output.warn_each(answer.warnings());
    }
    Ok(DONE)
}

fn print_read(session: &PersonalSession, name: Option<&str>, output: Output) -> Result<u8> {
    let answer: ReadAnswer = match verbs::read(session, &json!({ "name": name }))? {
        Ok(answer) => answer,
        Err(refusal) => return Ok(print::refuse(output, &refusal)),
    };
    if output.json {
        output.document(&answer);
        return Ok(DONE);
    }
    let text = match answer.text() {
        "" => String::new(),
        text => format!("{}\n", visible_lines(text.trim_end_matches('\n'))),
    };
    match std::io::stdout().is_terminal() {
        true => page(&text, output),
        false => output.data(&text),
    }
    output.warn_each(verbs::Warned::warnings(&answer));
    Ok(DONE)
}

fn print_verdict(session: &PersonalSession, output: Output) -> Result<u8> {
    let verdict = match verbs::verify_log(session)? {
        Ok(verdict) => verdict,
        Err(refusal) => return Ok(print::refuse(output, &refusal)),
    };
    output.answer(&verdict, || print::verdict_text(&verdict));
    Ok(if verdict.unbroken { DONE } else { NO })
}

/// Reads a body from a file or stdin; at a terminal the person writes it.
fn read_body(file: Option<&Path>) -> Result<String> {
    let file = file.filter(|file| *file != Path::new("-"));
    if file.is_none() && std::io::stdin().is_terminal() {
        return edit_text("");
    }
    let bytes = read_input(file, CALL_BYTES)?;
    String::from_utf8(bytes)
        .map_err(|_| Error::new(ErrorKind::Usage, "the body is not UTF-8").hint("send a text"))
}

fn parse_type(word: &str) -> std::result::Result<EntryType, String> {
    EntryType::parse(word).ok_or_else(|| format!("allowed are {}", EntryType::NAMES.join(", ")))
}
