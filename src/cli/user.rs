//! `agent-memory user`

mod doctor;
mod export;
mod import;
pub(super) mod person;
pub(super) mod print;
mod promote;
mod purge;
mod search;
pub(super) mod session_index;
mod upsert;

use clap::Subcommand;
use serde_json::json;

use super::awaited::say_what_is_awaited;
use super::call::{Context, Exit};
use super::output::{DONE, NO, Output};
use super::stdout::AnswerKind;
use super::values::entry_type;
use crate::chain::ChainVerdict;
use crate::error::Result;
use crate::personal::request::{EntryChange, EntryType};
use crate::personal::verbs::{self, PersonalSession, ToolAnswer, call, read_call};
pub(super) use doctor::diagnose;
use print::{told, told_if, verdict_text};

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
    #[command(aliases = ["add", "set"])]
    Upsert(upsert::Args),
    /// Move an entry to the trash
    #[command(aliases = ["rm", "remove"])]
    Delete {
        /// Name of the entry
        name: String,
        /// Delete only the text with this hash
        #[arg(long, value_name = "HASH")]
        if_hash: Option<String>,
    },
    /// Print an entry; without a name the index
    #[command(aliases = ["show", "get"])]
    Read {
        /// Name of the entry
        name: Option<String>,
    },
    /// List the entries
    #[command(alias = "ls")]
    List {
        /// Only those of one type
        #[arg(long = "type", value_name = "TYPE", value_parser = entry_type)]
        kind: Option<EntryType>,
    },
    /// Search the entries for those that answer a question best
    Search(search::Args),
    /// Bring back the entry that was deleted last under a name, or an older copy
    Restore {
        /// Name of the entry, or of a file in the trash
        name: String,
    },
    /// Remove an entry for good, with its copies in the trash and all old texts
    ///
    /// It needs a person at a terminal, or their own settings allow it, and no command brings the entry back. It asks
    /// first. What stays is a line of the log for each change, with the name of the entry and hashes of its texts.
    Purge(purge::Args),
    /// Take back the latest change, of all entries or of one
    Undo {
        /// Name of the entry; without it the latest change of all
        name: Option<String>,
        /// The same as no name
        #[arg(long, conflicts_with = "name")]
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
    /// Propose an entry for the memory of this project
    ///
    /// It stays pending until a person decides, and the entry stays as it is. It needs a person at a terminal, or their own
    /// settings allow it.
    Promote(promote::Args),
    /// Answer one request of a tool: JSON on stdin, JSON on stdout
    ///
    /// The request is `{"tool": "read_user_memory", "arguments": {"name": "x"}}`, with `update_user_memory` likewise, or the
    /// bare arguments of `update_user_memory`, such as `{"action": "delete", "name": "x"}`.
    Call,
    /// Make an entry of each Markdown file of a folder, or of what another tool remembers
    ///
    /// It reads the memory of Claude Code, the list of Gemini CLI, an export, or a folder of notes, and changes nothing
    /// there. A file with front matter is copied as it is. Where something is refused, such as a file with a secret, it is
    /// named, the rest is imported, and the exit code is 1. A second run changes nothing.
    Import(import::Args),
    /// Copy the index and all entries into a new folder
    ///
    /// Where an entry cannot be read, such as a link, it is named and left out, and the exit code is 1.
    Export(export::Args),
    /// Print the folder of this memory
    Path,
}

impl Args {
    /// Tells whether the command changes something of which its answer alone tells.
    pub(super) fn kind(&self) -> AnswerKind {
        match &self.command {
            UserCommand::Upsert(_) | UserCommand::Delete { .. } | UserCommand::Restore { .. } => {
                AnswerKind::Change
            }
            UserCommand::Purge(_) | UserCommand::Undo { .. } | UserCommand::Promote(_) => {
                AnswerKind::Change
            }
            UserCommand::Call | UserCommand::Import(_) | UserCommand::Export(_) => {
                AnswerKind::Change
            }
            UserCommand::Read { .. } | UserCommand::List { .. } | UserCommand::Search(_) => {
                AnswerKind::Read
            }
            UserCommand::Log { .. } | UserCommand::Path => AnswerKind::Read,
        }
    }

    pub(super) fn is_call(&self) -> bool {
        matches!(self.command, UserCommand::Call)
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let session = person::session(&args.person, context)?;
    let output = context.output;
    let tell_change = |change: &EntryChange| print::change(change, args.person.id(), output);
    Ok(match &args.command {
        UserCommand::Promote(args) => promote::run(args, &session, context)?,
        UserCommand::Upsert(upsert) => upsert::run(upsert, &session, args.person.id(), context)?,
        UserCommand::Delete { name, if_hash } => {
            let request = json!({ "action": "delete", "name": name, "if_hash": if_hash });
            told(output, verbs::update(&session, &request), tell_change)?
        }
        UserCommand::Read { name } => {
            let read = verbs::read(&session, &json!({ "name": name }));
            told(output, read, |answer| print::read(answer, output))?
        }
        UserCommand::List { kind } => {
            told(output, verbs::list(&session, *kind), |list| print::list(list, output))?
        }
        UserCommand::Search(args) => search::run(args, &session, output)?,
        UserCommand::Restore { name } => told(output, verbs::restore(&session, name), tell_change)?,
        UserCommand::Purge(args) => purge::run(args, &session, context)?,
        UserCommand::Undo { name, .. } => {
            told(output, verbs::undo(&session, name.as_deref()), tell_change)?
        }
        UserCommand::Log { verify: true, .. } => verify_log(&session, output)?,
        UserCommand::Log { limit, .. } => {
            told(output, verbs::log(&session, *limit), |log| print::log(log, output))?
        }
        UserCommand::Call => {
            say_what_is_awaited("a request", output);
            let answer = call(&session, &read_call()?)?;
            output.document(&answer);
            if let ToolAnswer::Rejected(_) = answer { NO } else { DONE }
        }
        UserCommand::Import(args) => import::run(args, &session, context)?,
        UserCommand::Export(args) => export::run(args, &session, output)?,
        UserCommand::Path => told(output, verbs::path(&session), |folder| {
            output.data(&format!("{}\n", folder.path));
        })?,
    })
}

fn verify_log(session: &PersonalSession, output: Output) -> Result<u8> {
    let print = |verdict: &ChainVerdict| output.data(&verdict_text(verdict));
    told_if(output, verbs::verify_log(session), |verdict| verdict.unbroken, print)
}
