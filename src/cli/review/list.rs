//! What `review` prints where nobody can press a key: each proposal, and the commands that decide it.

use serde_json::{Value, json};

use super::screen;
use crate::cli::output::{DONE, Output, TITLE};
use crate::cli::{environment, worktrees};
use crate::error::Result;
use crate::ops::{
    OtherWorktree, Pending, Selection, ShownProposal, Wanted, Workspace, show_proposal,
};

/// Returns the proposals as they stand now.
pub(super) fn shown(workspace: &Workspace, chosen: &[Pending]) -> Result<Vec<ShownProposal>> {
    let mut shown = Vec::new();
    for each in chosen {
        // Who decided it meanwhile is no reason to say nothing of the others.
        shown.extend(show_proposal(workspace, &Wanted::Named(each.id.clone()))?.ok());
    }
    Ok(shown)
}

/// Says all of it in one document.
pub(super) fn document(shown: &[ShownProposal], elsewhere: Option<&OtherWorktree>) -> Value {
    let list: Vec<_> = shown
        .iter()
        .map(|each| json!({ "proposal": each, "commands": commands(each, elsewhere) }))
        .collect();
    json!({ "proposals": list })
}

/// Prints the proposals.
pub(super) fn print(
    shown: &[ShownProposal],
    elsewhere: Option<&OtherWorktree>,
    output: Output,
) -> u8 {
    if output.json {
        output.document(&document(shown, elsewhere));
        return DONE;
    }
    let columns = environment::columns();
    for (number, each) in shown.iter().enumerate() {
        let mut text = screen::text(each, &Selection::All, (number + 1, shown.len()), columns);
        text.push('\n');
        for command in commands(each, elsewhere) {
            text += &format!("  {TITLE}{}{TITLE:#}\n", crate::text::visible(&command));
        }
        output.data(&format!("{text}\n"));
    }
    if shown.is_empty() {
        output.talk("nothing waits for review");
    }
    DONE
}

/// Returns the commands that would apply, split or reject a proposal.
fn commands(shown: &ShownProposal, elsewhere: Option<&OtherWorktree>) -> Vec<String> {
    let id = &shown.pending.id;
    if let Some(worktree) = elsewhere {
        // What would land here has another digest than what would land there.
        let (name, root) = (worktrees::name(worktree), worktrees::quoted(&worktree.path));
        return vec![
            format!("agent-memory apply {id} --from-worktree {name}"),
            format!("agent-memory reject {id} --reason 'why' --root {root}"),
        ];
    }
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
