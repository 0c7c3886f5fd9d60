//! The options of `review`.

use crate::cli::proposal_args::ProposalArgs;
use crate::cli::values::no_such;
use crate::project::request::Intent;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    pub(super) which: ProposalArgs,
    /// Show only proposals with this intent
    #[arg(long, value_name = "INTENT", value_parser = read_intent)]
    pub(super) intent: Option<Intent>,
    /// Show only proposals that change this file
    #[arg(long, value_name = "FILE")]
    pub(super) file: Option<String>,
    /// Show only proposals made since a day, month or time (`2026-11-20`, `2026-11-20T10:00:00Z`), an age ago (`12h`,
    /// `7d`, `2w`), `yesterday`, `3 days ago`, `last week` or `this month`
    #[arg(long, value_name = "TIME")]
    pub(super) since: Option<String>,
    /// Review the pending proposals of every worktree of the repository; a proposal is applied in the current
    /// worktree, if it fits there, and rejected in its own
    #[arg(long, conflicts_with_all = ["ids", "latest"])]
    pub(super) worktrees: bool,
    /// Name of the person who decides; git's `user.name` by default
    #[arg(long, value_name = "NAME")]
    pub(super) approver: Option<String>,
}

fn read_intent(text: &str) -> std::result::Result<Intent, String> {
    let names = Intent::ALL.iter().map(|intent| intent.name());
    Intent::parse(text).ok_or_else(|| no_such("intent", text, names))
}
