//! What `review` prints where nobody can press a key: each proposal, and the commands that decide it.

use serde_json::json;

use super::screen;
use crate::cli::environment;
use crate::cli::output::{DONE, Output, TITLE};
use crate::error::Result;
use crate::ops::{Pending, Selection, ShownProposal, Wanted, Workspace, show_proposal};

/// Prints the proposals.
pub(super) fn print(workspace: &Workspace, chosen: &[Pending], output: Output) -> Result<u8> {
    let mut shown = Vec::new();
    for each in chosen {
        // Who decided it meanwhile is no reason to say nothing of the others.
        shown.extend(show_proposal(workspace, &Wanted::Named(each.id.clone()))?.ok());
    }
    if output.json {
        let list: Vec<_> = shown
            .iter()
            .map(|each| json!({ "proposal": each, "commands": commands(each) }))
            .collect();
        output.document(&json!({ "proposals": list }));
        return Ok(DONE);
    }
    let columns = usize::from(environment::columns());
    for (number, each) in shown.iter().enumerate() {
        let mut text = screen::text(each, &Selection::All, (number + 1, shown.len()), columns);
        text.push('\n');
        for command in commands(each) {
            text += &format!("  {TITLE}{command}{TITLE:#}\n");
        }
        output.data(&format!("{text}\n"));
    }
    if shown.is_empty() {
        output.talk("nothing waits for review");
    }
    Ok(DONE)
}

/// Returns the commands that would apply, split or reject a proposal.
fn commands(shown: &ShownProposal) -> Vec<String> {
    let id = &shown.pending.id;
    let mut commands = Vec::new();
    if shown.pending.readiness.can_apply
        && let Some(digest) = &shown.digest
    {
        commands.push(format!("agent-memory apply {id} --digest {digest}"));
    }
    let operations = shown.operations.as_array().map_or(0, Vec::len);
    if operations > 1 {
        commands.push(format!("agent-memory apply {id} --only 1"));
    }
    commands.push(format!("agent-memory reject {id} --reason 'why'"));
    commands
}
