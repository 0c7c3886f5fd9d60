//! `agent-memory resolve`

use super::call::{Context, Exit};
use super::output::{BAD, DONE, GOOD, NO};
use crate::project::verbs::resolve;
use crate::secrets::shown_name;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files, e.g. `conventions.md`; all files in conflict by default
    files: Vec<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let project = context.project_to_write()?;
    let output = context.output;
    let resolved = resolve(project, &args.files)??;
    let code = if resolved.conflicts.is_empty() { DONE } else { NO };
    if output.json {
        output.document(&resolved);
        return Ok(code);
    }
    for path in &resolved.resolved {
        output.data(&format!("{GOOD}resolved{GOOD:#} {}\n", shown_name(path)));
    }
    for place in &resolved.conflicts {
        output.data(&format!("{BAD}conflict{BAD:#} {}\n", shown_name(place)));
    }
    if resolved.resolved.is_empty() && resolved.conflicts.is_empty() {
        output.talk("no memory file is in conflict, and none holds conflict markers");
    }
    // Only an entry with `#` has conflict markers to remove. For a whole file in conflict, a warning names the next step.
    if resolved.conflicts.iter().any(|place| place.contains('#')) {
        output.talk("edit the file, remove the conflict markers, then `git add` it");
    }
    output.warn_each(&resolved.warnings);
    Ok(code)
}
