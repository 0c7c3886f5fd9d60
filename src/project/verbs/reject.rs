//! `reject`: a person's no, which holds.

use std::collections::BTreeSet;

use serde::Serialize;

use super::pending::{question, recorded};
use super::{Stop, Wanted, Workspace, answered, write};
use crate::contract::Refusal;
use crate::error::Result;
use crate::project::rejection::{Essence, Rejection};
use crate::project::store::log::{Entry, Tail};
use crate::project::store::staging::{self, Fidelity, StagedProposal};
use crate::project::store::{Layout, Trace, lift, rejections, remember};

/// How a proposal is rejected.
#[derive(Debug, Clone)]
pub struct RejectOptions {
    /// Why; shown to whoever proposes the same again.
    pub reason: String,
    /// Leaves no fingerprint, so that the same may be proposed again.
    pub allow_again: bool,
    /// Who says no.
    pub rejected_by: String,
}

/// A proposal that was rejected.
#[derive(Debug, Clone, Serialize)]
pub struct Rejected {
    /// Always `rejected`.
    pub status: &'static str,
    /// Its name.
    pub proposal_id: String,
    /// Where the proposal lies now, relative to the store.
    pub kept_in: String,
    /// Whether the same text will be refused from now on.
    pub remembered: bool,
    /// What the person should know.
    pub warnings: Vec<String>,
}

/// Takes a proposal out of the queue and remembers what it said by fingerprint.
pub fn reject(
    workspace: &Workspace,
    wanted: &Wanted,
    options: &RejectOptions,
) -> Result<std::result::Result<Rejected, Box<Refusal>>> {
    answered(walk(workspace, wanted, options), workspace)
}

fn walk(
    workspace: &Workspace,
    wanted: &Wanted,
    options: &RejectOptions,
) -> std::result::Result<Rejected, Stop> {
    workspace.refuse_unfit("--reason", &options.reason)?;
    workspace.refuse_unfit_name("--approver", &options.rejected_by)?;
    workspace.look_at_branches();
    let mut locked = workspace.lock("reject", None)?;
    let queue = staging::read_queue(locked.layout())?;
    let staged = wanted.find_undecided(&queue, workspace)?;
    let mut warnings: Vec<String> = staged.warnings().map(str::to_owned).collect();
    let kept_in = staging::trash_name(locked.layout(), &staged.id);
    let mut steps = workspace.decide(&staged.id, "rejected")?;
    let rejection = fingerprints(workspace, staged)?.map(|fingerprints| Rejection {
        id: staged.id.to_string(),
        date: workspace.now.date(),
        reason: options.reason.clone(),
        fingerprints,
    });
    // One that was rejected before and came back has a rejection, which may be of other words.
    let former = lift(locked.layout(), &staged.id)?;
    let has_own_name = workspace.config.staging.track || !former.is_empty();
    match (&rejection, options.allow_again) {
        (_, true) => steps.extend(former),
        (Some(rejection), false) if is_remembered(locked.layout(), rejection)? => {}
        (Some(rejection), false) => steps.push(remember(&staged.id, rejection, has_own_name)),
        (None, false) => warnings.push(
            "its request cannot be read any more, so the same text is not recognised again"
                .to_owned(),
        ),
    }
    // Who proposed is read from the folder, where anything may stand by now.
    let owner = staged.owner.as_deref().map(|owner| workspace.clean(owner));
    let line = Entry { owner: owner.as_deref(), ..line(workspace, staged, options) };
    steps.push(Tail::read(locked.layout())?.append(&line));
    warnings.extend(write(&mut locked, steps, Trace::Kept)?);
    warnings.splice(0..0, workspace.take_recovered());
    warnings.extend(workspace.said_elsewhere(&staged.id));
    Ok(Rejected {
        status: "rejected",
        proposal_id: staged.id.to_string(),
        kept_in,
        remembered: rejection.is_some() && !options.allow_again,
        warnings,
    })
}

/// Tells whether all that a proposal says is remembered already.
fn is_remembered(layout: &Layout, rejection: &Rejection) -> Result<bool> {
    let known = rejections(layout)?;
    let own = known.iter().filter(|each| each.id == rejection.id);
    let known: BTreeSet<&String> = own.flat_map(|each| &each.fingerprints).collect();
    let mut new = rejection.fingerprints.iter();
    Ok(!rejection.fingerprints.is_empty() && new.all(|each| known.contains(each)))
}

fn line<'a>(
    workspace: &Workspace,
    staged: &'a StagedProposal,
    options: &'a RejectOptions,
) -> Entry<'a> {
    Entry {
        id: Some(&staged.id),
        approver: Some(&options.rejected_by),
        reason: Some(&options.reason),
        request: Some(&staged.hash),
        request_changed: staged.fidelity == Fidelity::Changed,
        ..Entry::new(workspace.now, "rejected")
    }
}

/// Returns the fingerprint of each operation; none if the request cannot be read any more.
pub(super) fn fingerprints(
    workspace: &Workspace,
    staged: &StagedProposal,
) -> Result<Option<Vec<String>>> {
    let rules = workspace.rules()?;
    let Ok(proposal) = question(workspace, staged) else { return Ok(None) };
    let Ok((placed, _)) = proposal.place(rules, &recorded(workspace, staged)) else {
        return Ok(None);
    };
    let operations = proposal.request().operations.iter().zip(&placed);
    let fingerprints = operations.map(|(operation, placed)| {
        Essence::of(&placed.path, rules.catalog, &operation.action).fingerprint(staged.id.as_str())
    });
    Ok(Some(fingerprints.collect()))
}
