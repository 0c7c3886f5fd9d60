//! `agent-memory service delete`

use super::print::told;
use crate::cli::output::{FAINT, GOOD, Output};
use crate::error::{Error, ErrorKind, Result};
use crate::secrets::shown_name;
use crate::service::request::{Deleted, DeletedByTag, QueryParameters};
use crate::service::verbs::{self, Deletion, ServiceSession};
use crate::text::count;

// No doc comment: clap would take it for the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Id of the memory
    #[arg(required_unless_present = "tags", conflicts_with = "tags")]
    id: Option<String>,
    /// Delete all memories that have one of these tags, with commas between them
    #[arg(long, value_name = "TAGS")]
    tags: Vec<String>,
    /// Erase its text, vector and history for good; also of a memory in the trash
    #[arg(long, conflicts_with = "tags")]
    forget: bool,
}

pub(super) fn run(args: &Args, session: &ServiceSession, output: Output) -> Result<u8> {
    if !args.tags.is_empty() {
        let tags = args.tags.iter().map(|tags| ("tags".to_owned(), tags.clone()));
        let answer = verbs::delete_by_tag(session, &QueryParameters(tags.collect()));
        return told(output, answer, |deleted| print_count(deleted, output));
    }
    let Some(id) = &args.id else {
        let hint = "give the id of a memory, or `--tags TAGS`";
        return Err(Error::new(ErrorKind::Usage, "there is nothing to delete").hint(hint));
    };
    let deletion = if args.forget { Deletion::Forget } else { Deletion::Soft };
    told(output, verbs::delete(session, id, deletion), |deleted| print(deleted, output))
}

fn print(deleted: &Deleted, output: Output) {
    let id = deleted.memory_id;
    output.data(&match deleted.forgotten {
        true => format!("{GOOD}forgotten{GOOD:#} {id}\n"),
        false => format!(
            "{GOOD}deleted{GOOD:#} {id}\n  {FAINT}`agent-memory service restore {id}` brings it back{FAINT:#}\n"
        ),
    });
}

fn print_count(deleted: &DeletedByTag, output: Output) {
    let memories = count(deleted.deleted_count, "memory");
    let tags = shown_name(&deleted.tags.join(", ")).into_owned();
    output.data(&format!("{GOOD}deleted{GOOD:#} {memories} with {tags}\n"));
}
