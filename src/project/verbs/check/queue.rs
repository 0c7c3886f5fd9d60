//! What waits for a person: proposals that expired, that can no longer land, and what all of them say.

use super::scope::Scope;
use crate::contract::Reason;
use crate::error::Result;
use crate::project::check::format::Waiting;
use crate::project::check::{Remark, Rule};
use crate::project::store::staging::{self, Damaged};
use crate::project::store::{Layout, Store};
use crate::project::verbs::show::{ShownProposal, show_pending};
use crate::project::verbs::{Place, Workspace};

/// Describes the proposals that wait; where the settings cannot be used, there is nothing to say of them.
pub(super) fn proposals(
    place: &Place,
    layout: &Layout,
    scope: &Scope,
) -> (Vec<Remark>, Vec<Waiting>) {
    let mut remarks = Vec::new();
    match staging::read_queue(layout) {
        Ok(queue) => remarks.extend(queue.damaged.into_iter().map(|Damaged { name, why }| {
            let path = format!("staging/{name}/proposal.json");
            Remark::new(Rule::FileUnreadable, &path, format!("it cannot be read: {why}"))
        })),
        Err(error) => {
            remarks.push(Remark::new(Rule::FileUnreadable, "staging", error.to_string()));
        }
    }
    let shown = read(place, layout).unwrap_or_default();
    for proposal in &shown {
        remarks.extend(remark(proposal).filter(|_| is_touched(proposal, scope)));
    }
    (remarks, shown.into_iter().map(waiting).collect())
}

fn read(place: &Place, layout: &Layout) -> Result<Vec<ShownProposal>> {
    // Not `Workspace::open`, which finishes what a crash left behind: a check writes nothing.
    let workspace = Workspace::over(Store::at(layout.clone()), place, Vec::new())?;
    show_pending(&workspace)
}

fn remark(proposal: &ShownProposal) -> Option<Remark> {
    let readiness = &proposal.pending.readiness;
    let message = readiness.message.as_deref()?;
    let rule = match readiness.reason {
        Some(Reason::StagingExpired) => Rule::ProposalExpired,
        Some(_) | None => Rule::ProposalInapplicable,
    };
    let path = format!("staging/{}/proposal.json", proposal.pending.id);
    Some(Remark::new(rule, &path, message))
}

/// Tells whether a change may be what stands in the way: it brought the proposal, or edits its files.
fn is_touched(proposal: &ShownProposal, scope: &Scope) -> bool {
    let Some(since) = &scope.since else { return true };
    let own = format!("staging/{}/proposal.json", proposal.pending.id);
    since.touches(&own) || proposal.pending.files.iter().any(|path| since.touches(path))
}

fn waiting(proposal: ShownProposal) -> Waiting {
    let ShownProposal { pending, diffs, .. } = proposal;
    Waiting {
        id: pending.id,
        intent: pending.intent,
        rationale: pending.rationale,
        owner: pending.owner,
        expires_at: pending.expires_at,
        can_apply: pending.readiness.can_apply,
        message: pending.readiness.message,
        diffs: diffs.into_iter().map(|file| file.diff).collect(),
    }
}
