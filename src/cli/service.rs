//! `agent-memory service`

mod delete;
mod export;
mod fields;
mod import;
mod place;
mod print;
mod promote;
mod recall;
mod relate;
mod show;
mod store;
mod update;

use clap::Subcommand;

use super::call::{Context, Exit};
use super::output::Output;
use super::stdout::AnswerKind;
use super::values::at_least_one;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::QueryParameters;
use crate::service::verbs::{self, ServiceSession, ServiceStore};
use print::{answered, told};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    place: place::ServicePlace,
    #[command(subcommand)]
    command: ServiceCommand,
}

#[derive(Debug, Subcommand)]
enum ServiceCommand {
    /// Store a memory
    ///
    /// Where no type is given, it is found by what the text says.
    #[command(alias = "add")]
    Store(store::Args),
    /// Recall the memories that answer a question best
    #[command(alias = "search")]
    Recall(recall::Args),
    /// Print a memory
    #[command(aliases = ["show", "read"])]
    Get {
        /// Id of the memory
        id: String,
    },
    /// Change a memory; what is not named stays
    #[command(alias = "set")]
    Update(update::Args),
    /// Move a memory to the trash, or all memories with a tag
    ///
    /// A deleted memory can be restored for 30 days.
    #[command(aliases = ["rm", "remove"])]
    Delete(delete::Args),
    /// List the tags, the most used first
    Tags {
        /// Print at most this many
        #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 50, value_parser = at_least_one)]
        limit: usize,
    },
    /// Relate a memory to another
    Relate(relate::Args),
    /// Show what was done with a memory, oldest first
    #[command(alias = "log")]
    History {
        /// Id of the memory
        id: String,
    },
    /// Take back the last change of a memory
    ///
    /// A deleted memory is restored, and one that was stored is deleted. To undo again takes back the undo.
    Undo {
        /// Id of the memory
        id: String,
    },
    /// List the deleted memories, the last deleted first
    Trash {
        /// Print at most this many, up to 200
        #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 50, value_parser = at_least_one)]
        limit: usize,
        /// Skip this many
        #[arg(long, value_name = "COUNT", default_value_t = 0)]
        offset: usize,
    },
    /// Restore a deleted memory, with its relations
    Restore {
        /// Id of the memory
        id: String,
    },
    /// Import memories from a backup or an export
    ///
    /// It reads the archive that `/backup` of an AutoMem server returns, each of the two files in it alone, and JSON Lines
    /// as `export` writes them. Ids, times and types stay as they are. What is there already stays as it is: an id with
    /// the same content is skipped. What is refused, such as a memory with a secret, is named, the rest is imported, and
    /// the exit code is 1. A relation whose ends are missing, or whose type is unknown, is dropped and named.
    Import(import::Args),
    /// Export all memories with the relations that were set between them
    Export(export::Args),
    /// Count memories, relations, vectors and jobs
    Stats,
    /// Propose a memory for the project of the working directory
    ///
    /// It stays pending until a person decides, and the memory stays as it is. It needs a person at a terminal, or their own
    /// settings allow it.
    Promote(promote::Args),
}

impl Args {
    /// Tells whether the command changes something of which its answer alone tells.
    pub(super) fn kind(&self) -> AnswerKind {
        match &self.command {
            ServiceCommand::Store(_) | ServiceCommand::Update(_) | ServiceCommand::Delete(_) => {
                AnswerKind::Change
            }
            ServiceCommand::Relate(_) | ServiceCommand::Undo { .. } => AnswerKind::Change,
            ServiceCommand::Restore { .. } | ServiceCommand::Import(_) => AnswerKind::Change,
            ServiceCommand::Promote(_) => AnswerKind::Change,
            ServiceCommand::Recall(_) | ServiceCommand::Get { .. } => AnswerKind::Read,
            ServiceCommand::Tags { .. } | ServiceCommand::History { .. } => AnswerKind::Read,
            ServiceCommand::Trash { .. } | ServiceCommand::Export(_) => AnswerKind::Read,
            ServiceCommand::Stats => AnswerKind::Read,
        }
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let session = args.place.session(context)?;
    let code = carry_out(&args.command, &session, context);
    finish_jobs(&session.store, session.now, context.output);
    code
}

fn carry_out(command: &ServiceCommand, session: &ServiceSession, context: &Context) -> Exit {
    let output = context.output;
    Ok(match command {
        ServiceCommand::Store(args) => store::run(args, session, output)?,
        ServiceCommand::Recall(args) => recall::run(args, session, context)?,
        ServiceCommand::Get { id } => {
            told(output, verbs::get(session, id), |got| show::memory(&got.memory, output))?
        }
        ServiceCommand::Update(args) => update::run(args, session, output)?,
        ServiceCommand::Delete(args) => delete::run(args, session, output)?,
        ServiceCommand::Tags { limit } => {
            answered(output, verbs::tags(session, *limit), |tags| show::tags(tags, output))?
        }
        ServiceCommand::Relate(args) => relate::run(args, session, output)?,
        ServiceCommand::History { id } => {
            let history = verbs::whole_history(session, id);
            told(output, history, |history| show::history(history, output))?
        }
        ServiceCommand::Undo { id } => {
            told(output, verbs::undo(session, id), |undone| show::undone(undone, output))?
        }
        ServiceCommand::Trash { limit, offset } => {
            let parameters = [("limit", limit), ("offset", offset)];
            let parameters = parameters.map(|(name, value)| (name.to_owned(), value.to_string()));
            let trash = verbs::trash(session, &QueryParameters(parameters.to_vec()));
            answered(output, trash, |trash| show::trash(trash, output))?
        }
        ServiceCommand::Restore { id } => {
            told(output, verbs::restore(session, id), |back| show::restored(back, output))?
        }
        ServiceCommand::Import(args) => import::run(args, session, context)?,
        ServiceCommand::Export(args) => export::run(args, session, context)?,
        ServiceCommand::Stats => {
            answered(output, verbs::stats(session), |stats| show::stats(stats, output))?
        }
        ServiceCommand::Promote(args) => promote::run(args, session, context)?,
    })
}

/// Does what is due, as no server may run: what was stored is enriched, and what was read is noted. The answer is printed
/// already, so that a job that fails fails no command.
fn finish_jobs(store: &ServiceStore, now: Timestamp, output: Output) {
    /// Each does up to 20 jobs.
    const ROUNDS: usize = 5_000;
    let work = || -> Result<()> {
        for _ in 0..ROUNDS {
            if verbs::work(store, now)? == 0 {
                break;
            }
        }
        Ok(())
    };
    if let Err(error) = work() {
        output.warn(&format!("not all memories are enriched yet: {error}"));
    }
}
