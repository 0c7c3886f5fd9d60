//! `agent-memory ltm`

mod directory;
mod filter;
mod forget;
mod input;
mod list;
mod place;
mod tools;
mod transfer;
mod watch;

pub(super) use input::read_context_file;
pub(super) use place::longterm_host;

use clap::Subcommand;

use super::call::{Context, Exit};
use super::output::{BAD, DONE, GOOD, NO};
use super::stdout::AnswerKind;
use super::user::print::verdict_text;
use crate::longterm::request::{LongtermTool, MemoryNumber};
use crate::longterm::verbs;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    place: place::LongtermPlace,
    #[command(subcommand)]
    command: LongtermCommand,
}

#[derive(Debug, Subcommand)]
enum LongtermCommand {
    /// Change or delete a memory as a model asks for it: JSON on stdin, JSON on stdout
    ///
    /// The document is `{"context": {...}, "arguments": {"memory_id": 1, "memory_content": "...", "target_user": "..."}}`. An empty
    /// content deletes. The exit code is 0 for done, 1 for no, 2 where it could not be answered.
    Update(tools::Args),
    /// Add a memory as a model asks for it: JSON on stdin, JSON on stdout
    ///
    /// The document is `{"context": {...}, "arguments": {"memory_content": "...", "memory_scope": "target_user", "target_user": "..."}}`.
    Create(tools::Args),
    /// Print what a prompt may have of the memories of a conversation
    Context(list::ContextArgs),
    /// List memories, the newest first
    List(filter::FilterArgs),
    /// Show and change what is known of people and servers
    #[command(subcommand)]
    Directory(directory::DirectoryCommand),
    /// Restore a deleted memory under its number
    Restore {
        /// Number of the memory, the N of `ID:N`
        #[arg(value_name = "ID", value_parser = number)]
        number: MemoryNumber,
    },
    /// Erase all that is remembered of a person or a server, for good
    ///
    /// It asks first. Deleted memories are erased too. Numbers stay, and hashes in the log.
    Forget(forget::Args),
    /// Show the changes, oldest first
    Log {
        /// Check that no change is missing or changed; exit with 1 if one is
        #[arg(long)]
        verify: bool,
    },
    /// Print all changes, then each as it happens, one JSON document a line
    ///
    /// A line has number, time, event, keys, the number of the memory and a hash, and no text of a memory.
    Watch(watch::Args),
    /// Print how many times what is kept under a key was changed
    ///
    /// A host that caches memories reads them again when the number is another.
    Generation {
        /// Keys such as `server:s1` and `user:u1`; all without one
        #[arg(value_parser = generation_key)]
        keys: Vec<String>,
    },
    /// Add the memories of an export, under their numbers
    ///
    /// What is refused, such as a number that is in use, is named, the rest is imported, and the exit code is 1.
    Import(transfer::ImportArgs),
    /// Print memories as JSON Lines, all of them by default
    Export(filter::FilterArgs),
}

fn number(text: &str) -> Result<MemoryNumber, String> {
    let number = text.strip_prefix("ID:").unwrap_or(text).parse().ok().and_then(MemoryNumber::new);
    number.ok_or_else(|| "a number of a memory is a whole number above 0".to_owned())
}

fn generation_key(text: &str) -> Result<String, String> {
    let kinds = ["server:", "user:"];
    let is_key = kinds.iter().any(|kind| text.strip_prefix(kind).is_some_and(|id| !id.is_empty()));
    is_key.then(|| text.to_owned()).ok_or_else(|| "a key is `server:ID` or `user:ID`".to_owned())
}

impl Args {
    /// Tells whether the command changes something of which its answer alone tells.
    pub(super) fn kind(&self) -> AnswerKind {
        match &self.command {
            LongtermCommand::Update(_) | LongtermCommand::Create(_) => AnswerKind::Change,
            LongtermCommand::Restore { .. } | LongtermCommand::Forget(_) => AnswerKind::Change,
            LongtermCommand::Import(_) => AnswerKind::Change,
            LongtermCommand::Directory(command) => command.kind(),
            LongtermCommand::Context(_) | LongtermCommand::List(_) => AnswerKind::Read,
            LongtermCommand::Log { .. } | LongtermCommand::Watch(_) => AnswerKind::Read,
            LongtermCommand::Generation { .. } | LongtermCommand::Export(_) => AnswerKind::Read,
        }
    }

    /// A program that runs one of these always reads one JSON document.
    pub(super) fn is_call(&self) -> bool {
        matches!(self.command, LongtermCommand::Update(_) | LongtermCommand::Create(_))
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let output = context.output;
    let session = || args.place.session(context);
    let session_to_write = || args.place.session_to_write(context);
    Ok(match &args.command {
        LongtermCommand::Update(call) => {
            tools::run(call, LongtermTool::Update, &args.place, context)?
        }
        LongtermCommand::Create(call) => {
            tools::run(call, LongtermTool::Create, &args.place, context)?
        }
        LongtermCommand::Context(asked) => list::context(asked, &session()?, context)?,
        LongtermCommand::List(asked) => list::run(asked, &session()?, context)?,
        LongtermCommand::Directory(command) => directory::run(command, &args.place, context)?,
        LongtermCommand::Restore { number } => {
            let restored = verbs::restore(&session_to_write()?, *number)?;
            output.answer(&restored, || match &restored.error {
                Some(error) => format!("{BAD}rejected{BAD:#} {number}: {error}\n"),
                None => format!("{GOOD}restored{GOOD:#} {number}\n"),
            });
            if restored.error.is_none() { DONE } else { NO }
        }
        LongtermCommand::Forget(asked) => forget::run(asked, &session_to_write()?, output)?,
        LongtermCommand::Log { verify: false } => list::log(&session()?, output)?,
        LongtermCommand::Log { verify: true } => {
            let verdict = verbs::verify_log(&session()?)?;
            output.answer(&verdict, || verdict_text(&verdict));
            if verdict.unbroken { DONE } else { NO }
        }
        LongtermCommand::Watch(asked) => watch::run(asked, &args.place, context)?,
        LongtermCommand::Generation { keys } => {
            let generations = verbs::generations(&session()?, keys)?;
            output.answer(&generations, || list::lines_of(&generations));
            DONE
        }
        LongtermCommand::Import(asked) => transfer::import(asked, &session_to_write()?, context)?,
        LongtermCommand::Export(asked) => transfer::export(asked, &session()?, context)?,
    })
}
