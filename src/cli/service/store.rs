//! `agent-memory service store`

use std::io::IsTerminal;

use serde_json::Value;

use super::fields::MemoryFields;
use super::print::told;
use crate::cli::awaited::say_what_is_awaited;
use crate::cli::output::{FAINT, GOOD, Output};
use crate::error::{Error, ErrorKind, Result};
use crate::secrets::shown_name;
use crate::service::request::Stored;
use crate::service::verbs::{self, ServiceSession, read_text};

// No doc comment: clap would take it for the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The text; `-`, or none where stdin is no terminal, reads it from stdin
    content: Option<String>,
    /// A UUID of your own; the same text under the same id is stored once
    #[arg(long, value_name = "UUID")]
    id: Option<String>,
    #[command(flatten)]
    fields: MemoryFields,
}

pub(super) fn run(args: &Args, session: &ServiceSession, output: Output) -> Result<u8> {
    let mut body = args.fields.body();
    body.insert("content".to_owned(), content(args.content.as_deref(), output)?.into());
    body.extend(args.id.as_deref().map(|id| ("id".to_owned(), id.into())));
    let answer = verbs::store(session, Value::Object(body), None);
    told(output, answer, |stored| print(stored, output))
}

/// Reads a text, and says so where none comes.
pub(super) fn text_of_stdin(output: Output) -> Result<String> {
    say_what_is_awaited("a text", output);
    read_text()
}

/// Returns the text of the command line, else of stdin.
fn content(given: Option<&str>, output: Output) -> Result<String> {
    match given {
        Some("-") => text_of_stdin(output),
        Some(text) => Ok(text.to_owned()),
        None if std::io::stdin().is_terminal() => {
            let hint = "give it behind `store`, or send it on stdin";
            Err(Error::new(ErrorKind::Usage, "there is no text to store").hint(hint))
        }
        None => text_of_stdin(output),
    }
}

fn print(stored: &Stored, output: Output) {
    let word = if stored.duplicate { "stored before" } else { "stored" };
    let (id, kind, confidence) = (stored.memory_id, shown_name(&stored.kind), stored.confidence);
    output.data(&format!(
        "{GOOD}{word}{GOOD:#} {id}\n  {FAINT}{kind}, confidence {confidence}{FAINT:#}\n"
    ));
    output.warn_each(&stored.warnings);
}
