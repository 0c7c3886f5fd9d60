//! `agent-memory context`

use super::output::DONE;
use super::{Context, Exit};
use crate::project::verbs::{BUDGET, Task, context};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The question; any text, behind `--` if it begins with a dash
    query: Vec<String>,
    /// Tokens of the whole answer at most, estimated as characters / 4, of which some 110 go for what stands around the
    /// sections; these are whole or left out
    #[arg(long, value_name = "TOKENS", default_value_t = BUDGET)]
    budget: usize,
    /// A file or folder that the work is about, relative to the repository; may be given again
    #[arg(long, value_name = "PATH")]
    scope: Vec<String>,
    /// The work is about the files that changed against the default branch
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
