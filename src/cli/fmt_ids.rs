//! `agent-memory fmt-ids`

use super::call::{Context, Exit};
use super::output::{CARE, DONE, GOOD, NO};
use crate::project::verbs::fmt_ids;
use crate::secrets::shown_name;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files, e.g. `conventions.md`; the whole store by default
    files: Vec<String>,
    /// Change nothing, and exit with 1 if an id is missing
    #[arg(long)]
    check: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let project = match args.check {
        true => context.project()?,
        false => context.project_to_write()?,
    };
    let output = context.output;
    let given = fmt_ids(project, &args.files, args.check)??;
    let is_complete = given.files.is_empty() && given.left == 0;
    let code = if args.check && !is_complete { NO } else { DONE };
    if output.json {
        output.document(&given);
        return Ok(code);
    }
    let (style, word) = if args.check { (CARE, "missing") } else { (GOOD, "given") };
    for file in &given.files {
        for id in &file.ids {
            output.data(&format!(
                "{style}{word}{style:#} {}#{}\n",
                shown_name(&file.path),
                shown_name(id)
            ));
        }
    }
    if is_complete && given.warnings.is_empty() {
        output.talk("every section has an id");
    }
    output.warn_each(&given.warnings);
    Ok(code)
}
