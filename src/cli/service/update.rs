//! `agent-memory service update`

use serde_json::Value;

use super::fields::MemoryFields;
use super::print::told;
use super::show;
use super::store::text_of_stdin;
use crate::cli::output::Output;
use crate::error::{Error, ErrorKind, Result};
use crate::service::verbs::{self, ServiceSession};

// No doc comment: clap would take it for the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Id of the memory
    id: String,
    /// The new text; `-` reads it from stdin
    #[arg(long, value_name = "TEXT")]
    content: Option<String>,
    #[command(flatten)]
    fields: MemoryFields,
}

pub(super) fn run(args: &Args, session: &ServiceSession, output: Output) -> Result<u8> {
    let mut body = args.fields.body();
    let content = match args.content.as_deref() {
        Some("-") => Some(text_of_stdin(output)?),
        content => content.map(str::to_owned),
    };
    body.extend(content.map(|content| ("content".to_owned(), content.into())));
    if body.is_empty() {
        let message = "there is nothing to change";
        let hint = "name what changes, such as `--content TEXT` or `--tags a,b`";
        return Err(Error::new(ErrorKind::Usage, message).hint(hint));
    }
    let answer = verbs::update(session, &args.id, Value::Object(body));
    told(output, answer, |updated| show::updated(updated, output))
}
