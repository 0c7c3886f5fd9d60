//! `agent-memory context`

use schemars::JsonSchema;
use serde::Serialize;

use super::call::{Context, Exit};
use super::output::DONE;
use super::user::session_index::session_index;
use super::values::tokens;
use crate::personal::request::IndexReceipt;
use crate::personal::verbs::Injected;
use crate::project::verbs::{DEFAULT_BUDGET, Pack, Task, context_of_all};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The question, in any words; behind `--` if it begins with a dash
    query: Vec<String>,
    /// Print at most this many tokens, estimated for each script, of which about 150 are for the text around the
    /// sections; a section is whole or left out
    #[arg(long, value_name = "TOKENS", default_value_t = DEFAULT_BUDGET, allow_negative_numbers = true, value_parser = tokens)]
    budget: usize,
    /// Add what concerns a file or folder of the repository; may be given several times
    #[arg(long, value_name = "PATH")]
    scope: Vec<String>,
    /// Add sections that name a file changed on this branch; those that cite one come first anyway
    #[arg(long)]
    changed: bool,
    /// Add the notes of other branches
    #[arg(long, requires = "query")]
    all_branches: bool,
}

pub(super) fn run(args: &Args, context_of_command: &Context) -> Exit {
    let question = args.query.join(" ");
    let projects = context_of_command.projects()?;
    let injects = projects.iter().all(|project| project.injects_user_memory());
    let index = match question.trim().is_empty() && injects {
        true => session_index(context_of_command, &context_of_command.session, args.budget, None),
        false => Injected::default(),
    };
    let task = Task {
        question: Some(question.as_str()).filter(|question| !question.is_empty()),
        budget: args.budget,
        before: &index.text,
        scope: &args.scope,
        changed: args.changed,
        all_branches: args.all_branches,
    };
    let mut pack = context_of_all(&projects, &task)?;
    pack.receipt.warnings.extend(index.warnings);
    let output = context_of_command.output;
    let document = ContextDocument { pack: &pack, user_index: index.receipt.as_ref() };
    output.answer(&document, || pack.text.clone());
    output.warn_each(&pack.receipt.warnings);
    Ok(DONE)
}

/// What an agent reads before it works. Without a question, `text` begins with the person's own memory.
#[derive(Serialize, JsonSchema)]
pub(super) struct ContextDocument<'a> {
    #[serde(flatten)]
    pack: &'a Pack,
    /// What of the person's own memory is in `text`, and what is not; absent where none of it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    user_index: Option<&'a IndexReceipt>,
}
