//! What `review` prints without a terminal: each proposal, and the commands that decide it.

use schemars::JsonSchema;
use serde::Serialize;

use super::screen::{self, Position};
use crate::cli::approval::approver_option;
use crate::cli::output::{DONE, Output, TITLE};
use crate::cli::{environment, worktrees};
use crate::error::Result;
use crate::project::request::Reason;
use crate::project::verbs::{
    OtherWorktree, Pending, Project, Selection, ShownProposal, all_applied_here, show_chosen,
};
use crate::secrets::shown_name;

#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct ProposalListing {
    pub(super) proposals: Vec<ListedProposal>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct ListedProposal {
    #[serde(rename = "proposal")]
    shown: ShownProposal,
    commands: Vec<String>,
}

pub(super) fn of_here(
    project: &Project,
    chosen: &[Pending],
    output: Output,
) -> Result<Vec<ListedProposal>> {
    let approver = approver_option(project, output);
    let shown = show_chosen(project, project, &ids(chosen))?.into_iter();
    Ok(shown.map(|shown| ListedProposal { commands: commands(&shown, approver), shown }).collect())
}

/// Shows the proposals of another worktree as they would be applied here.
pub(super) fn of_worktree(
    project: &Project,
    worktree: &OtherWorktree,
    chosen: &[Pending],
    output: Output,
) -> Result<Vec<ListedProposal>> {
    let (applied, approver) = (all_applied_here(project)?, approver_option(project, output));
    let listed = |shown: ShownProposal| {
        let id = shown.pending.id.as_str();
        let there = chosen.iter().find(|each| each.id == id)?;
        let applied_at = applied.get(id).map(String::as_str);
        let commands = commands_for_another(&shown, worktree, there, applied_at, approver);
        Some(ListedProposal { shown, commands })
    };
    let shown = show_chosen(project, &worktree.project, &ids(chosen))?;
    Ok(shown.into_iter().filter_map(listed).collect())
}

fn ids(chosen: &[Pending]) -> Vec<&str> {
    chosen.iter().map(|each| each.id.as_str()).collect()
}

pub(super) fn print(listed: Vec<ListedProposal>, others: usize, output: Output) -> u8 {
    if output.json {
        output.document(&ProposalListing { proposals: listed });
        return DONE;
    }
    let columns = environment::columns();
    for (number, each) in listed.iter().enumerate() {
        let position =
            Position { number: number + 1, of: listed.len(), worktree: None, is_prompt: false };
        let mut text = screen::text(&each.shown, &Selection::All, position, columns);
        text.push('\n');
        for command in &each.commands {
            text += &format!("  {TITLE}{}{TITLE:#}\n", shown_name(command));
        }
        output.data(&format!("{text}\n"));
    }
    if listed.is_empty() {
        output.talk(&nothing_pending(others));
    }
    DONE
}

fn commands(shown: &ShownProposal, approver: &str) -> Vec<String> {
    let id = &shown.pending.id;
    let mut commands: Vec<String> = apply_as_shown(shown, approver).into_iter().collect();
    commands.extend(match shown.pending.readiness.reason {
        // Where the section is gone, there is nothing to merge with.
        Some(Reason::TargetDrift) if shown.diffs.is_empty() => None,
        Some(Reason::TargetDrift) => Some(format!("agent-memory rebase {id}{approver}")),
        Some(Reason::StagingExpired) => {
            Some(format!("agent-memory apply {id} --expired{approver}"))
        }
        _ => None,
    });
    let operations = shown.operations.as_array().map_or(0, Vec::len);
    if operations > 1 && shown.pending.readiness.can_apply {
        commands.push(format!("agent-memory apply {id} --only 1{approver}"));
    }
    commands.push(format!("agent-memory reject {id} --reason TEXT"));
    commands
}

/// Returns the commands that apply it here, apply it there, or reject it there.
///
/// `applied_at` is the time at which it was applied here; then it only has to leave the other queue.
fn commands_for_another(
    shown: &ShownProposal,
    worktree: &OtherWorktree,
    there: &Pending,
    applied_at: Option<&str>,
    approver: &str,
) -> Vec<String> {
    let id = &shown.pending.id;
    let name = worktrees::name(worktree);
    let root = worktrees::quoted(&worktree.root.display().to_string());
    if let Some(time) = applied_at {
        let reason = format!("'applied in another worktree at {time}'");
        return vec![format!(
            "agent-memory reject {id} --allow-again --reason {reason} --root {root}"
        )];
    }
    let here =
        apply_as_shown(shown, approver).map(|apply| format!("{apply} --from-worktree {name}"));
    let there = there
        .readiness
        .can_apply
        .then(|| format!("agent-memory apply {id}{approver} --root {root}"));
    let reject = format!("agent-memory reject {id} --reason TEXT --root {root}");
    here.into_iter().chain(there).chain([reject]).collect()
}

fn apply_as_shown(shown: &ShownProposal, approver: &str) -> Option<String> {
    let digest = shown.digest.as_ref().filter(|_| shown.pending.readiness.can_apply)?;
    Some(format!("agent-memory apply {} --digest {digest}{approver}", shown.pending.id))
}

pub(super) fn nothing_pending(others: usize) -> String {
    match others {
        0 => "nothing is pending".to_owned(),
        1 => "nothing of it is pending; 1 proposal is pending".to_owned(),
        many => format!("nothing of it is pending; {many} proposals are pending"),
    }
}
