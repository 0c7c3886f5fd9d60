//! `agent-memory review`

mod args;
mod list;
pub(super) mod page;
pub(super) mod programs;
mod prompts;
mod questions;
mod queue;
mod reading;
mod rest;
pub(super) mod screen;
mod split;
mod state;
mod steps;
mod tally;
pub(super) mod terminal;
mod verdict;
mod words;

use super::call::{Context, Exit};
use super::worktrees::WorktreeQueues;
use super::{approval, environment, worktrees};
use crate::error::Result;
use crate::project::verbs::Project;
pub(super) use args::Args;
pub(super) use list::ProposalListing;
use list::nothing_pending;
use queue::{Queued, choose};
use state::Review;

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
            true => {
                let (queue, others) = every_queue(args, context, project)?;
                decide(args, context, project, queue, others)
            }
            false => print_worktrees(args, context, project),
        };
    }
    let chosen = choose(args, context, project)??;
    match at_terminal {
        true => {
            let queue = Queued::here(chosen.pending);
            decide(args, context, project, queue, chosen.others)
        }
        false => {
            Ok(list::print(list::of_here(project, &chosen.pending, output)?, chosen.others, output))
        }
    }
}

/// Asks about one proposal after another; `others` is the number of pending ones that were not asked for.
fn decide(
    args: &Args,
    context: &Context,
    project: &Project,
    queue: Vec<Queued>,
    others: usize,
) -> Exit {
    if queue.is_empty() {
        context.output.talk(&nothing_pending(others));
        return Ok(super::output::DONE);
    }
    let approval = approval::obtain(project, args.approver.as_deref(), "review")??;
    Ok(Review::new(context, approval, queue).run()?)
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
            true => list::of_here(project, &chosen.pending, output)?,
            false => list::of_worktree(project, &each, &chosen.pending, output)?,
        };
        if output.json {
            documents.push(worktrees::document(&each, ProposalListing { proposals: listed }));
            continue;
        }
        output.data(&worktrees::title(&each));
        list::print(listed, chosen.others, output);
    }
    if output.json {
        output.document(&WorktreeQueues { worktrees: documents, left_behind: None });
    }
    Ok(super::output::DONE)
}
