//! `agent-memory review`

mod interrupt;
mod list;
pub(super) mod page;
pub(super) mod programs;
mod prompts;
mod queue;
mod reading;
mod rest;
pub(super) mod screen;
mod session;
mod split;
mod steps;
mod tally;
pub(super) mod terminal;
mod verdict;
mod words;

use std::io::{self, IsTerminal};

use super::{Context, approval, worktrees};
use crate::error::Result;
use crate::ops::Workspace;
use queue::{Waiting, choose};
use session::Session;

/// Decide about what waits, one proposal after another
///
/// At a terminal each proposal is shown with its difference, and one key decides; `?` lists the keys.
/// Elsewhere it prints every proposal with the commands that would apply, split or reject it.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Ids of proposals, or unique parts of them; all that wait unless given
    ids: Vec<String>,
    /// Only those of this intent
    #[arg(long, value_name = "INTENT")]
    intent: Option<String>,
    /// Only those that touch this file
    #[arg(long, value_name = "FILE")]
    file: Option<String>,
    /// Only those made since a day, month or time (`2026-11-20`, `2026-11-20T10:00:00Z`), an age ago
    /// (`12h`, `7d`, `2w`), `today`, `yesterday` or `last week`
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// What waits in every worktree of the repository; it is applied where one stands, if it fits there, and
    /// rejected where it waits
    #[arg(long, conflicts_with = "ids")]
    worktrees: bool,
    /// Who decides; git's `user.name` unless given
    #[arg(long, value_name = "NAME")]
    approver: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<u8> {
    let workspace = context.workspace()?;
    let output = context.output;
    let at_terminal = !output.json && io::stdin().is_terminal() && io::stdout().is_terminal();
    if args.worktrees {
        return match at_terminal {
            true => decide(args, context, &workspace, every_queue(args, context, &workspace)?),
            false => print_worktrees(args, context, &workspace),
        };
    }
    let chosen = match choose(args, context, &workspace)? {
        Ok(chosen) => chosen,
        Err(refusal) => return Ok(super::refuse(&refusal, output)),
    };
    match at_terminal {
        true => decide(args, context, &workspace, Waiting::here(chosen)),
        false => Ok(list::print(&list::of_here(&workspace, &chosen)?, output)),
    }
}

/// Asks about one proposal after another.
fn decide(
    args: &Args,
    context: &Context,
    workspace: &Workspace,
    queue: Vec<Waiting>,
) -> Result<u8> {
    if queue.is_empty() {
        context.output.talk("nothing waits for review");
        return Ok(super::output::DONE);
    }
    match approval::take(workspace, args.approver.as_deref(), "review")? {
        Ok(approval) => Session::new(context, approval, queue).run(),
        Err(refusal) => Ok(super::refuse(&refusal, context.output)),
    }
}

/// Returns what waits in all worktrees, one worktree after the other.
fn every_queue(args: &Args, context: &Context, workspace: &Workspace) -> Result<Vec<Waiting>> {
    let mut queue = Vec::new();
    for each in worktrees::open(workspace, context)? {
        match choose(args, context, &each.workspace)? {
            Ok(chosen) => queue.extend(Waiting::in_worktree(&each, chosen)),
            Err(refusal) => context.output.refusal(&refusal),
        }
    }
    Ok(queue)
}

/// Prints what waits in each worktree.
fn print_worktrees(args: &Args, context: &Context, workspace: &Workspace) -> Result<u8> {
    let output = context.output;
    let mut documents = Vec::new();
    for each in worktrees::open(workspace, context)? {
        let chosen = match choose(args, context, &each.workspace)? {
            Ok(chosen) => chosen,
            Err(refusal) => return Ok(super::refuse(&refusal, output)),
        };
        let listed = match each.is_current {
            true => list::of_here(workspace, &chosen)?,
            false => list::of_worktree(workspace, &each, &chosen)?,
        };
        if output.json {
            documents.push(worktrees::document(&each, list::document(&listed)));
            continue;
        }
        output.data(&worktrees::title(&each));
        list::print(&listed, output);
    }
    if output.json {
        output.document(&serde_json::json!({ "worktrees": documents }));
    }
    Ok(super::output::DONE)
}
