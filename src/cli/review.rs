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

use super::values::no_such;
use super::worktrees::Worktrees;
use super::{Context, Exit, approval, environment, worktrees};
use crate::contract::Intent;
use crate::error::Result;
use crate::project::verbs::Project;
pub(super) use list::Listing;
use queue::{Queued, choose};
use session::Session;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: super::Which,
    /// Show only proposals with this intent
    #[arg(long, value_name = "INTENT", value_parser = read_intent)]
    intent: Option<Intent>,
    /// Show only proposals that change this file
    #[arg(long, value_name = "FILE")]
    file: Option<String>,
    /// Show only proposals made since a day, month or time (`2026-11-20`, `2026-11-20T10:00:00Z`), an age ago (`12h`,
    /// `7d`, `2w`), `yesterday`, `3 days ago`, `last week` or `this month`
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Review the pending proposals of every worktree of the repository; a proposal is applied in the current
    /// worktree, if it fits there, and rejected in its own
    #[arg(long, conflicts_with_all = ["ids", "latest"])]
    worktrees: bool,
    /// Name of the person who decides; git's `user.name` by default
    #[arg(long, value_name = "NAME")]
    approver: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let project = context.project()?;
    let output = context.output;
    let at_terminal = output.at_terminal();
    let (left, unknown) = project.left_behind_proposals();
    output.warn_each(&unknown);
    if !left.is_empty() {
        output.talk(super::status::left_behind(&left, environment::columns()).trim_end());
    }
    if args.worktrees {
        return match at_terminal {
            true => decide(args, context, project, every_queue(args, context, project)?),
            false => print_worktrees(args, context, project),
        };
    }
    let chosen = choose(args, context, project)??;
    match at_terminal {
        true => {
            let queue = (Queued::here(chosen.pending), chosen.others);
            decide(args, context, project, queue)
        }
        false => Ok(list::print(list::of_here(project, &chosen.pending)?, chosen.others, output)),
    }
}

fn read_intent(text: &str) -> std::result::Result<Intent, String> {
    let names = Intent::ALL.iter().map(|intent| intent.name());
    Intent::parse(text).ok_or_else(|| no_such("intent", text, names))
}

fn nothing_pending(others: usize) -> String {
    match others {
        0 => "nothing waits for review".to_owned(),
        1 => "nothing of it waits; 1 proposal waits".to_owned(),
        many => format!("nothing of it waits; {many} proposals wait"),
    }
}

/// Asks about one proposal after another; `others` is the number of pending ones that were not asked for.
fn decide(
    args: &Args,
    context: &Context,
    project: &Project,
    (queue, others): (Vec<Queued>, usize),
) -> Exit {
    if queue.is_empty() {
        context.output.talk(&nothing_pending(others));
        return Ok(super::output::DONE);
    }
    let approval = approval::obtain(project, args.approver.as_deref(), "review")??;
    Ok(Session::new(context, approval, queue).run()?)
}

/// Returns the chosen proposals of all worktrees, and the number of the others.
fn every_queue(args: &Args, context: &Context, project: &Project) -> Result<(Vec<Queued>, usize)> {
    let (mut queue, mut others) = (Vec::new(), 0);
    for each in worktrees::open(project, context)? {
        match choose(args, context, &each.project)? {
            Ok(chosen) => {
                queue.extend(Queued::in_worktree(&each, chosen.pending));
                others += chosen.others;
            }
            Err(refusal) => context.output.refusal(&refusal),
        }
    }
    Ok((queue, others))
}

fn print_worktrees(args: &Args, context: &Context, project: &Project) -> Exit {
    let output = context.output;
    let mut documents = Vec::new();
    for each in worktrees::open(project, context)? {
        let chosen = choose(args, context, &each.project)??;
        output.warn_each(&each.project.branches_unknown());
        let listed = match each.is_current {
            true => list::of_here(project, &chosen.pending)?,
            false => list::of_worktree(project, &each, &chosen.pending)?,
        };
        if output.json {
            documents.push(worktrees::document(&each, Listing { proposals: listed }));
            continue;
        }
        output.data(&worktrees::title(&each));
        list::print(listed, chosen.others, output);
    }
    if output.json {
        output.document(&Worktrees { worktrees: documents, left_behind: None });
    }
    Ok(super::output::DONE)
}
