//! `agent-memory merge-driver`

use std::path::PathBuf;

use super::call::{Context, Exit};
use super::output::{DONE, NO};
use crate::project::verbs::{Driven, drive};
use crate::secrets::shown_name;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The common version (%O)
    base: PathBuf,
    /// Our version; the result is written here (%A)
    ours: PathBuf,
    /// Their version (%B)
    theirs: PathBuf,
    /// Path of the file in the repository (%P)
    path: String,
    /// Length of the conflict markers (%L)
    #[arg(default_value_t = 7, value_parser = clap::value_parser!(u8).range(1..=100))]
    marker: u8,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let driven = Driven {
        base: &args.base,
        ours: &args.ours,
        theirs: &args.theirs,
        path: &args.path,
        marker: args.marker.into(),
    };
    let (conflicts, faults) = drive(&driven, &context.session)?;
    context.output.warn_each(&faults);
    for title in &conflicts {
        context.output.talk(&format!(
            "conflict in {}#{}",
            shown_name(&args.path),
            shown_name(title)
        ));
    }
    Ok(if conflicts.is_empty() { DONE } else { NO })
}
