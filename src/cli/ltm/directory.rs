//! `agent-memory ltm directory`

use clap::Subcommand;
use serde_json::{Value, json};

use super::input::read_json;
use super::place::LongtermPlace;
use crate::cli::call::Context;
use crate::cli::output::{DONE, GOOD, NO, Output};
use crate::cli::stdout::AnswerKind;
use crate::error::Result;
use crate::longterm::request::{DirectoryChange, DirectoryKind};
use crate::longterm::verbs;
use crate::text::count;

#[derive(Debug, Subcommand)]
pub(super) enum DirectoryCommand {
    /// Change entries: a merge patch on stdin, `{"users": {ID: {...}}, "servers": {ID: {...}}}`
    ///
    /// What is absent stays, and `null` removes.
    Set,
    /// Print all entries
    Get,
    /// Remove the entry of a person, or of a server
    Remove {
        /// Id of the person
        id: String,
        /// It is the id of a server
        #[arg(long)]
        server: bool,
    },
}

impl DirectoryCommand {
    /// Tells whether the command changes something of which its answer alone tells.
    pub(super) fn kind(&self) -> AnswerKind {
        match self {
            Self::Set | Self::Remove { .. } => AnswerKind::Change,
            Self::Get => AnswerKind::Read,
        }
    }
}

pub(super) fn run(
    command: &DirectoryCommand,
    place: &LongtermPlace,
    context: &Context,
) -> Result<u8> {
    let output = context.output;
    match command {
        DirectoryCommand::Set => {
            let patch: Value = read_json(None, context)?;
            let session = place.session_to_write(context)?;
            Ok(print(&verbs::set_directory(&session, &patch)?, output))
        }
        DirectoryCommand::Get => {
            let directory = verbs::get_directory(&place.session(context)?)?;
            output.answer(&directory, || format!("{:#}\n", json!(directory)));
            Ok(DONE)
        }
        DirectoryCommand::Remove { id, server } => {
            let kind = if *server { DirectoryKind::Server } else { DirectoryKind::User };
            let session = place.session_to_write(context)?;
            Ok(print(&verbs::remove_entry(&session, kind, id)?, output))
        }
    }
}

fn print(change: &DirectoryChange, output: Output) -> u8 {
    if output.json {
        output.document(change);
    } else if let Some(error) = &change.error {
        output.refused_for(error);
    } else {
        let entries = count(change.entries, "entry");
        output.data(&format!("{GOOD}changed{GOOD:#} {entries}\n"));
        output.warn_each(&change.warnings);
    }
    if change.error.is_none() { DONE } else { NO }
}
