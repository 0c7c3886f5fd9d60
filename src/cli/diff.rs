//! `agent-memory diff`

use schemars::JsonSchema;
use serde::Serialize;

use super::call::{Context, Exit};
use super::output::{DONE, TITLE};
use super::render::diff;
use crate::project::verbs::{FileDiff, ShownProposal, show_pending, show_proposal, unreadable};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: super::proposal_args::ProposalArgs,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Differences {
    proposals: Vec<Difference>,
}

#[derive(Serialize, JsonSchema)]
struct Difference {
    id: String,
    digest: Option<String>,
    diffs: Vec<FileDiff>,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let project = context.project()?;
    let output = context.output;
    let wanted = args.which.wanted();
    let mut proposals = Vec::new();
    for each in &wanted {
        proposals.push(show_proposal(project, each)??);
    }
    if wanted.is_empty() {
        proposals = show_pending(project)?;
        output.warn_each(&unreadable(project)?);
    }
    if output.json {
        let difference = |shown: ShownProposal| {
            let ShownProposal { pending, digest, diffs, .. } = shown;
            Difference { id: pending.id, digest, diffs }
        };
        let proposals = proposals.into_iter().map(difference).collect();
        output.document(&Differences { proposals });
        return Ok(DONE);
    }
    for shown in &proposals {
        output.data(&format!("{TITLE}proposal {}{TITLE:#}\n", shown.pending.id));
        shown.diffs.iter().for_each(|file| output.data(&diff(&file.diff)));
        if let Some(message) = &shown.pending.readiness.message {
            output.warn(message);
        }
    }
    if proposals.is_empty() {
        output.talk("nothing is pending");
    }
    Ok(DONE)
}
