//! `agent-memory sweep`

use super::call::{Context, Exit};
use super::output::{CARE, DONE};
use crate::project::verbs::{Swept, sweep};
use crate::text::count;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let output = context.output;
    let swept = sweep(context.project_to_write()?, args.dry_run)??;
    if output.json {
        output.document(&swept);
        return Ok(DONE);
    }
    let word = if swept.dry_run { "would sweep" } else { "swept" };
    swept.swept.iter().for_each(|each| {
        let kept = each.kept_in.as_ref().map(|path| format!(", kept in {path}"));
        let (id, why) = (&each.id, each.why());
        let kept = kept.unwrap_or_default();
        output.data(&format!("{CARE}{word}{CARE:#} {id}, {why}{kept}\n"));
    });
    output.talk(&summary(&swept));
    output.warn_each(&swept.warnings);
    Ok(DONE)
}

fn summary(swept: &Swept) -> String {
    let left = match swept.left {
        1 => "1 proposal is pending".to_owned(),
        many => format!("{} are pending", count(many, "proposal")),
    };
    if swept.swept.is_empty() { format!("nothing has expired, {left}") } else { left }
}
