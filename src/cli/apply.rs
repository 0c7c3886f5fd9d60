//! `agent-memory apply`

use std::io::IsTerminal;
use std::ops::RangeInclusive;

use super::approval;
use super::call::{Context, Exit};
use super::render::diff;
use super::report::Report;
use super::values::range;
use crate::contract::ContentHash;
use crate::error::{Error, ErrorKind, Result};
use crate::project::verbs::{
    ApplyOptions, CommitLimit, Project, Selection, Wanted, Way, apply_all, apply_by, dry_run,
    find_worktree, pending_ids, show_from,
};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: super::proposal_args::ProposalArgs,
    /// Apply all pending proposals that can be applied, oldest first; not those that expired (unless with
    /// `--expired`), were edited in the queue, were not proposed here, were decided here before, are superseded, or
    /// were decided on another branch
    #[arg(long, conflicts_with_all = ["ids", "latest", "digest", "force", "only", "from_worktree"])]
    all: bool,
    /// Name of the person who approves; at a terminal git's `user.name` by default
    #[arg(long, value_name = "NAME")]
    approver: Option<String>,
    /// Apply exactly what has this digest (`show --json` prints it), or nothing
    #[arg(long, value_name = "DIGEST")]
    digest: Option<String>,
    /// Apply proposals that have expired, too
    #[arg(long)]
    expired: bool,
    /// Overwrite sections that changed since; the diff is printed first
    #[arg(long)]
    force: bool,
    /// Apply only these operations, e.g. `1,3` or `2-4` (`review` shows the numbers), and reject the others
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = range)]
    only: Vec<RangeInclusive<u16>>,
    /// Give the reason why the other operations are rejected
    #[arg(long, value_name = "TEXT", requires = "only")]
    reason: Option<String>,
    /// Make a git commit of the files of the proposal, and of nothing else; your hooks run, and what you have
    /// staged stays staged
    #[arg(long)]
    commit: bool,
    /// Say what would be applied, and write nothing; it needs no approval. With `--all`, each as if it were applied alone
    #[arg(long, conflicts_with = "commit")]
    dry_run: bool,
    /// Take the proposal from the worktree on this branch, or at this path, and apply it here
    #[arg(long, value_name = "BRANCH|PATH")]
    from_worktree: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let wanted = if args.all { Vec::new() } else { args.which.required("status")? };
    let options = options(args, wanted.len())?;
    if args.dry_run {
        return try_out(args, &wanted, &options, context);
    }
    // What `--force` overwrites is shown before the lock is taken.
    let project = match args.force {
        true => context.project()?,
        false => context.project_to_write()?,
    };
    let approval = approval::obtain(project, args.approver.as_deref(), "apply")??;
    let find = |name: &String| find_worktree(project, &context.session, name);
    let from = args.from_worktree.as_ref().map(find).transpose()?;
    if args.all {
        let (approval, options) = (&approval, &options);
        let way = Way { approval, options, commit: limit(args), from: None };
        let mut report = Report::about_all();
        let left = apply_all(project, &way, |id, answer| {
            report.add_applied(&Wanted::Named(id.to_string()), answer, context.output);
        })?;
        return Ok(report.finish_all(&left, context.output));
    }
    let mut report = Report::about(&wanted);
    for each in &wanted {
        let mut options = options.clone();
        if options.force {
            show_what_goes(each, project, from.as_ref(), &mut options, context)?;
        }
        let (approval, options, from) = (&approval, &options, from.as_ref());
        let way = Way { approval, options, commit: limit(args), from };
        report.add_applied(each, apply_by(project, each, &way), context.output);
    }
    Ok(report.finish(context.output))
}

fn try_out(args: &Args, wanted: &[Wanted], options: &ApplyOptions, context: &Context) -> Exit {
    let project = context.project()?;
    let find = |name: &String| find_worktree(project, &context.session, name);
    let from = args.from_worktree.as_ref().map(find).transpose()?;
    let home = from.as_ref().unwrap_or(project);
    let all = match args.all {
        true => pending_ids(home)?.into_iter().map(Wanted::Named).collect(),
        false => wanted.to_vec(),
    };
    let mut report = if args.all { Report::about_all() } else { Report::about(&all) };
    for each in &all {
        let answer = dry_run(project, home, each, options).map(|outcome| (outcome, None));
        report.add_applied(each, answer, context.output);
    }
    Ok(if args.all {
        report.finish_all(&[], context.output)
    } else {
        report.finish(context.output)
    })
}

/// A person at a terminal can end a slow commit, so it has no limit there.
fn limit(args: &Args) -> Option<CommitLimit> {
    let is_person = std::io::stdin().is_terminal() || std::io::stderr().is_terminal();
    args.commit.then_some(if is_person { CommitLimit::Person } else { CommitLimit::ALONE })
}

fn show_what_goes(
    wanted: &Wanted,
    project: &Project,
    from: Option<&Project>,
    options: &mut ApplyOptions,
    context: &Context,
) -> Result<()> {
    // If it cannot be shown, it cannot be applied either, and `apply` says why.
    if let Ok(shown) = show_from(project, from.unwrap_or(project), wanted, &options.selection)? {
        shown.diffs.iter().for_each(|file| context.output.insist(diff(&file.diff).trim_end()));
        // Exactly what was shown is applied, even if the files change now.
        let digest = options.digest.take();
        options.digest = digest.or(shown.digest.as_deref().and_then(ContentHash::parse));
    }
    Ok(())
}

fn options(args: &Args, count: usize) -> Result<ApplyOptions> {
    let alone = [("--digest", args.digest.is_some()), ("--only", !args.only.is_empty())];
    if let Some((name, _)) = alone.iter().find(|(_, is_given)| *is_given && count > 1) {
        let message = format!("`{name}` goes with one proposal");
        return Err(Error::new(ErrorKind::Usage, message).hint("apply them one by one"));
    }
    let read = |text: &String| {
        ContentHash::parse_any_case(text).filter(|_| text.len() == 64).ok_or_else(|| {
            Error::new(ErrorKind::Usage, "`--digest` is not a digest of 64 hex digits")
                .hint("`agent-memory show ID --json` prints it")
        })
    };
    let numbers = args.only.iter().cloned().flatten();
    Ok(ApplyOptions {
        digest: args.digest.as_ref().map(read).transpose()?,
        expired: args.expired,
        force: args.force,
        selection: match args.only.is_empty() {
            true => Selection::All,
            false => Selection::Operations(numbers.map(|each| usize::from(each) - 1).collect()),
        },
        reason: args.reason.clone(),
    })
}
