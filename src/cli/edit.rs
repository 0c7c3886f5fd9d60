//! `agent-memory edit`

use super::call::{Context, Exit};
use super::draft::DraftArgs;
use crate::project::verbs::edit_draft;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The section, or its id where no other section has it
    #[arg(value_name = "FILE#SECTION")]
    what: String,
    #[command(flatten)]
    draft: DraftArgs,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let project = context.project()?;
    let author = args.draft.author(project, "edit")??;
    let draft = edit_draft(project, &args.what)??;
    args.draft.write(&draft, &author, project, context)
}
