//! Checks pending proposals: expired, not applicable any more, or unreadable.

use super::scope::CheckScope;
use crate::project::check::format::{DecidedReport, PendingReport};
use crate::project::check::{Remark, Rule};
use crate::project::request::{ProposalId, Reason};
use crate::project::store::staging::{self, Damaged, DecisionMark};
use crate::project::store::{Layout, Store};
use crate::project::verbs::project::Project;
use crate::project::verbs::session::Session;
use crate::project::verbs::show::{ShownProposal, show_pending};

/// Describes the pending proposals; none where the settings are not valid.
pub(super) fn proposals(
    session: &Session,
    layout: &Layout,
    scope: &CheckScope,
) -> (Vec<Remark>, Vec<PendingReport>) {
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
    // Not `Project::open`, which finishes what a crash left behind: a check writes nothing.
    let project = Project::over(Store::at(layout.clone()), session, Vec::new());
    let shown = project.and_then(|opened| show_pending(&opened)).unwrap_or_default();
    for proposal in &shown {
        remarks.extend(remark(proposal).filter(|_| is_touched(proposal, scope)));
    }
    let listed = shown.into_iter().filter(|proposal| is_brought(proposal, scope));
    (remarks, listed.map(waiting).collect())
}

/// Tells whether a change added the proposal. Without a change, all are listed.
fn is_brought(proposal: &ShownProposal, scope: &CheckScope) -> bool {
    let own = format!("staging/{}/proposal.json", proposal.pending.id);
    scope.since.as_ref().is_none_or(|since| since.changes(&own))
}

/// Returns the decisions that a change brought; none without a change.
pub(super) fn decided(scope: &CheckScope, layout: &Layout) -> Vec<DecidedReport> {
    let changed = scope.since.iter().flat_map(|since| since.changed_in_store());
    let marks = changed.filter_map(|path| {
        let name = path.strip_prefix("decided/")?;
        layout.inside(path).exists().then(|| name.to_owned())
    });
    let decided = staging::of_names(&marks.collect::<Vec<_>>()).into_iter();
    let report = |(id, marks): (ProposalId, Vec<DecisionMark>)| DecidedReport {
        id: id.to_string(),
        decision: staging::summary(&marks),
    };
    decided.map(report).collect()
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

/// Tells whether a change may be the cause: it added the proposal, or changed its files.
fn is_touched(proposal: &ShownProposal, scope: &CheckScope) -> bool {
    let Some(since) = &scope.since else { return true };
    let own = format!("staging/{}/proposal.json", proposal.pending.id);
    since.touches(&own) || proposal.pending.files.iter().any(|path| since.touches(path))
}

fn waiting(proposal: ShownProposal) -> PendingReport {
    let ShownProposal { pending, diffs, .. } = proposal;
    PendingReport {
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
