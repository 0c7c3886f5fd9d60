//! `agent-memory context`

use super::call::{Context, Exit};
use super::output::DONE;
use crate::project::verbs::{BUDGET, Task, context};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The question, in any words; behind `--` if it begins with a dash
    query: Vec<String>,
    /// Print at most this many tokens, estimated as characters / 4, of which about 110 are for the text around the
    /// sections; a section is whole or left out
    #[arg(long, value_name = "TOKENS", default_value_t = BUDGET)]
    budget: usize,
    /// Add what concerns a file or folder of the repository; may be given several times
    #[arg(long, value_name = "PATH")]
    scope: Vec<String>,
    /// Add what concerns the files that changed against the default branch
    #[arg(long)]
    changed: bool,
}

pub(super) fn run(args: &Args, context_of_command: &Context) -> Exit {
    let question = args.query.join(" ");
    let task = Task {
        question: Some(question.as_str()).filter(|question| !question.is_empty()),
        budget: args.budget,
        scope: &args.scope,
        changed: args.changed,
    };
    let pack = context(context_of_command.project()?, &task)?;
    let output = context_of_command.output;
    output.answer(&pack, || pack.text.clone());
    output.warn_each(&pack.receipt.warnings);
    Ok(DONE)
}
