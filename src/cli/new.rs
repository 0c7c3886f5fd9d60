//! `agent-memory new`

use clap::ValueEnum;

use super::call::{Context, Exit};
use super::draft::DraftArgs;
use crate::project::verbs::{NewKind, new_draft};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What it is
    #[arg(value_enum)]
    kind: WrittenKind,
    /// Its heading
    title: Option<String>,
    #[command(flatten)]
    draft: DraftArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum WrittenKind {
    /// What was decided, when, and whether it still holds
    Decision,
    /// What went wrong and may again
    Pitfall,
    /// How code is written here
    Convention,
    /// What a part of the code does: a file of its own
    Module,
    /// A note of today, in `sessions/`
    Note,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let kind = match args.kind {
        WrittenKind::Decision => NewKind::Decision,
        WrittenKind::Pitfall => NewKind::Pitfall,
        WrittenKind::Convention => NewKind::Convention,
        WrittenKind::Module => NewKind::Module,
        WrittenKind::Note => NewKind::Note,
    };
    let project = context.project()?;
    let author = args.draft.author(project, "new")??;
    let draft = new_draft(project, kind, args.title.as_deref())??;
    args.draft.write(&draft, &author, project, context)
}
