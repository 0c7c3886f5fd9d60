//! `agent-memory reject`

use serde_json::{Value, json};

use super::output::{CARE, DONE, NO};
use super::{Context, environment};
use crate::error::Result;
use crate::ops::{RejectOptions, Workspace, reject};

/// Refuse proposals that wait; the same text is not proposed again
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Ids of proposals, or unique parts of them
    #[arg(required_unless_present = "latest")]
    ids: Vec<String>,
    /// The youngest proposal that waits
    #[arg(long, conflicts_with = "ids")]
    latest: bool,
    /// Why; whoever proposes the same again is told
    #[arg(long, value_name = "TEXT", default_value = "no reason given")]
    reason: String,
    /// Leave no fingerprint, so that the same may be proposed again
    #[arg(long)]
    allow_again: bool,
    /// Who says no; git's `user.name` unless given
    #[arg(long, value_name = "NAME")]
    approver: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<u8> {
    let workspace = context.workspace()?;
    let options = RejectOptions {
        reason: args.reason.clone(),
        allow_again: args.allow_again,
        rejected_by: who(args, &workspace),
    };
    let mut results: Vec<Value> = Vec::new();
    let mut code = DONE;
    for wanted in super::wanted(&args.ids, args.latest) {
        match reject(&workspace, &wanted, &options)? {
            Ok(rejected) => {
                if !context.output.json {
                    let id = &rejected.proposal_id;
                    let kept = &rejected.kept_in;
                    context.output.data(&format!("{CARE}rejected{CARE:#} {id}, kept in {kept}\n"));
                    rejected.warnings.iter().for_each(|warning| context.output.warn(warning));
                }
                results.push(json!(rejected));
            }
            Err(refusal) => {
                code = NO;
                if !context.output.json {
                    context.output.refusal(&refusal);
                }
                results.push(json!(crate::contract::Outcome::Rejected(*refusal)));
            }
        }
    }
    if context.output.json {
        match results.as_slice() {
            [only] => context.output.document(only),
            several => context.output.document(&json!({ "results": several })),
        }
    }
    Ok(code)
}

/// A no may come from anyone, an agent too: it only takes back, and it is kept.
fn who(args: &Args, workspace: &Workspace) -> String {
    let agent = environment::agent().map(|(variable, _)| variable.to_owned());
    let named = args.approver.clone().or(agent).or_else(|| workspace.user_name());
    named.unwrap_or_else(|| "unknown".to_owned())
}
