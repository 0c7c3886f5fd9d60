//! `agent-memory review`

mod list;
pub(super) mod programs;
mod rest;
pub(super) mod screen;
mod session;
mod split;
pub(super) mod terminal;

use std::io::{self, IsTerminal};

use super::since::since;
use super::{Context, approval, worktrees};
use crate::contract::{Moment, path_in_store};
use crate::error::Result;
use crate::ops::{Pending, Wanted, Workspace, pending, show_proposal};
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
    /// Only those made since: `2026-11-20`, `2026-11-20T10:00:00Z`, `2d` or `12h` ago
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// What waits in every worktree of the repository, with the commands that decide it
    #[arg(long, conflicts_with = "ids")]
    worktrees: bool,
    /// Who decides; git's `user.name` unless given
    #[arg(long, value_name = "NAME")]
    approver: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<u8> {
    let workspace = context.workspace()?;
    if args.worktrees {
        return print_worktrees(args, context, &workspace);
    }
    let chosen = match choose(args, context, &workspace)? {
        Ok(chosen) => chosen,
        Err(refusal) => return Ok(super::refuse(&refusal, context.output)),
    };
    let at_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if context.output.json || !at_terminal {
        let queue = list::shown(&workspace, &chosen)?;
        return Ok(list::print(&queue, None, context.output));
    }
    if chosen.is_empty() {
        context.output.talk("nothing waits for review");
        return Ok(super::output::DONE);
    }
    match approval::take(&workspace, args.approver.as_deref(), "review")? {
        Ok(approval) => Session::new(context, approval, chosen).run(),
        Err(refusal) => Ok(super::refuse(&refusal, context.output)),
    }
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
        let queue = list::shown(&each.workspace, &chosen)?;
        if output.json {
            let elsewhere = Some(&each).filter(|each| !each.is_current);
            documents.push(worktrees::document(&each, list::document(&queue, elsewhere)));
            continue;
        }
        output.data(&worktrees::title(&each));
        list::print(&queue, Some(&each).filter(|each| !each.is_current), output);
    }
    if output.json {
        output.document(&serde_json::json!({ "worktrees": documents }));
    }
    Ok(super::output::DONE)
}

/// Returns the proposals to decide about: file by file, and of each file the oldest first, what is
/// superseded last.
fn choose(
    args: &Args,
    context: &Context,
    workspace: &Workspace,
) -> Result<crate::contract::Answer<Vec<Pending>>> {
    let after = args.since.as_deref().map(|text| since(text, context.place.now)).transpose()?;
    let mut chosen = Vec::new();
    for id in &args.ids {
        match show_proposal(workspace, &Wanted::Named(id.clone()))? {
            Ok(shown) => chosen.push(shown.pending),
            Err(refusal) => return Ok(Err(refusal)),
        }
    }
    if args.ids.is_empty() {
        chosen = pending(workspace)?;
    }
    let file = args.file.as_deref().map(path_in_store);
    chosen.retain(|each| {
        args.intent.as_ref().is_none_or(|intent| each.intent == *intent)
            && file.is_none_or(|file| each.files.iter().any(|other| other == file))
            && after.is_none_or(|after| {
                Moment::parse(&each.submitted_at).is_some_and(|made| made >= after)
            })
    });
    if args.ids.is_empty() {
        let order: Vec<Option<String>> =
            chosen.iter().map(|each| each.files.first().cloned()).collect();
        chosen.sort_by_key(|each| {
            let file = order.iter().position(|file| file.as_ref() == each.files.first());
            (file, each.superseded_by.is_some())
        });
    }
    Ok(Ok(chosen))
}
