//! `agent-memory apply`

use std::io::IsTerminal;
use std::ops::RangeInclusive;

use super::numbers::range;
use super::output::Output;
use super::render::diff;
use super::report::Report;
use super::{Context, Exit, approval};
use crate::contract::ContentHash;
use crate::error::{Error, ErrorKind, Result};
use crate::project::verbs::{
    ApplyOptions, CommitLimit, Selection, Wanted, Way, Workspace, apply_all, apply_by,
    find_worktree, show_from,
};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: super::Which,
    /// All that wait and can land, oldest first; not what expired, unless with `--expired`, nor what was
    /// edited where it waits, was not proposed here, was decided here before, is superseded or was decided on
    /// another branch
    #[arg(long, conflicts_with_all = ["ids", "latest", "digest", "force", "only", "from_worktree"])]
    all: bool,
    /// Who says yes; at a terminal git's `user.name` unless given
    #[arg(long, value_name = "NAME")]
    approver: Option<String>,
    /// Land exactly what has this digest (`show --json` prints it), or nothing
    #[arg(long, value_name = "DIGEST")]
    digest: Option<String>,
    /// Land a proposal that has waited too long
    #[arg(long)]
    expired: bool,
    /// Overwrite sections that changed since; the difference is printed first
    #[arg(long)]
    force: bool,
    /// Land only these operations, e.g. `1,3` or `2-4` (`review` shows the numbers); the others are refused
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = range)]
    only: Vec<RangeInclusive<u16>>,
    /// Why the operations that are left out are refused
    #[arg(long, value_name = "TEXT", requires = "only")]
    reason: Option<String>,
    /// Make a git commit of the files of the proposal, and of nothing else; your hooks run, and what you have
    /// staged stays staged
    #[arg(long)]
    commit: bool,
    /// Take the proposal from the worktree on this branch, or at this path, and land it here
    #[arg(long, value_name = "BRANCH|PATH")]
    from_worktree: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let wanted = if args.all { Vec::new() } else { args.which.required("status")? };
    let options = options(args, wanted.len())?;
    // What `--force` overwrites is shown before the lock is taken.
    let workspace = match args.force {
        true => context.workspace()?,
        false => context.workspace_to_write()?,
    };
    let approval = approval::take(workspace, args.approver.as_deref(), "apply")??;
    let from = match &args.from_worktree {
        Some(name) => Some(find_worktree(workspace, &context.place, name)?),
        None => None,
    };
    if args.all {
        let (approval, options) = (&approval, &options);
        let way = Way { approval, options, commit: limit(args), from: None };
        return apply_every(workspace, &way, context.output);
    }
    let mut report = Report::about(&wanted);
    for each in &wanted {
        let mut options = options.clone();
        if options.force {
            show_what_goes(each, (workspace, from.as_ref()), &mut options, context)?;
        }
        let (approval, options, from) = (&approval, &options, from.as_ref());
        let way = Way { approval, options, commit: limit(args), from };
        report.add_applied(each, apply_by(workspace, each, &way), context.output);
    }
    Ok(report.finish(context.output))
}

/// Returns how long a commit may take; at a terminal the person ends it.
fn limit(args: &Args) -> Option<CommitLimit> {
    let is_person = std::io::stdin().is_terminal() || std::io::stderr().is_terminal();
    args.commit.then_some(if is_person { CommitLimit::Person } else { CommitLimit::ALONE })
}

fn apply_every(workspace: &Workspace, way: &Way<'_>, output: Output) -> Exit {
    let mut report = Report::about_all();
    let left = apply_all(workspace, way, |id, answer| {
        report.add_applied(&Wanted::Named(id.to_string()), answer, output);
    })?;
    Ok(report.finish_all(&left, output))
}

/// Shows what `--force` is about to overwrite.
fn show_what_goes(
    wanted: &Wanted,
    (workspace, from): (&Workspace, Option<&Workspace>),
    options: &mut ApplyOptions,
    context: &Context,
) -> Result<()> {
    if let Ok(shown) = show_from(workspace, from.unwrap_or(workspace), wanted, &options.selection)?
    {
        shown.diffs.iter().for_each(|file| context.output.insist(diff(&file.diff).trim_end()));
        // What was shown is what lands, even if the files change this very moment.
        let digest = options.digest.take();
        options.digest = digest.or(shown.digest.as_deref().and_then(ContentHash::parse));
    }
    Ok(())
}

fn options(args: &Args, count: usize) -> Result<ApplyOptions> {
    let digest = match &args.digest {
        None => None,
        Some(_) if count > 1 => {
            return Err(Error::new(ErrorKind::Usage, "`--digest` goes with one proposal")
                .hint("apply them one by one"));
        }
        Some(text) => {
            Some(ContentHash::parse(text).filter(|_| text.len() == 64).ok_or_else(|| {
                Error::new(ErrorKind::Usage, "`--digest` is not a digest of 64 hex digits")
                    .hint("`agent-memory show ID --json` prints it")
            })?)
        }
    };
    let (expired, force) = (args.expired, args.force);
    Ok(ApplyOptions {
        digest,
        expired,
        force,
        selection: selection(args, count)?,
        reason: args.reason.clone(),
    })
}

/// Reads which operations land.
fn selection(args: &Args, count: usize) -> Result<Selection> {
    if args.only.is_empty() {
        return Ok(Selection::All);
    }
    if count > 1 {
        return Err(Error::new(ErrorKind::Usage, "`--only` goes with one proposal")
            .hint("apply them one by one"));
    }
    let numbers = args.only.iter().cloned().flatten();
    Ok(Selection::Operations(numbers.map(|number| usize::from(number) - 1).collect()))
}
