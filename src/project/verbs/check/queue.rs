//! Checks pending proposals: expired, not applicable any more, or unreadable.

use std::collections::BTreeSet;

use super::scope::CheckScope;
use super::side::Side;
use crate::project::check::format::{DecidedReport, PendingReport};
use crate::project::check::{Content, Depth, Remark, Rule};
use crate::project::claim::DecisionClaim;
use crate::project::request::{ProposalId, Reason};
use crate::project::store::staging::{self, Damaged, DecisionMark};
use crate::project::store::{Layout, Store};
use crate::project::verbs::project::Project;
use crate::project::verbs::session::Session;
use crate::project::verbs::show::{ShownProposal, show_pending};
use crate::text::{excerpt, read_roughly};

/// Describes the pending proposals on the side that is checked; none where the settings are not valid.
pub(super) fn proposals(
    session: &Session,
    layout: &Layout,
    scope: &CheckScope,
    side: &Side<'_>,
) -> (Vec<Remark>, Vec<PendingReport>) {
    let in_queue = names_in_queue(side);
    let mut remarks = match side.tree() {
        Some(_) => staged_damage(side, layout, &in_queue),
        None => damage_on_disk(layout, &in_queue),
    };
    // Not `Project::open`, which finishes what a crash left behind: a check writes nothing.
    let project = Project::over(Store::at(layout.clone()), session, Vec::new());
    let mut shown = project.and_then(|opened| show_pending(&opened)).unwrap_or_default();
    shown.retain(|proposal| in_queue.contains(proposal.pending.id.as_str()));
    for proposal in &shown {
        remarks.extend(remark(proposal).filter(|_| is_touched(proposal, scope)));
    }
    let listed = shown.into_iter().filter(|proposal| is_brought(proposal, scope));
    (remarks, listed.map(waiting).collect())
}

/// Returns what has a file in the queue. Git keeps no empty folder, so what it ignores or another branch had may leave
/// one: it is no proposal.
fn names_in_queue(side: &Side<'_>) -> BTreeSet<String> {
    let paths = side.paths().into_iter().filter_map(|path| path.strip_prefix("staging/"));
    paths.map(|rest| rest.split('/').next().unwrap_or(rest).to_owned()).collect()
}

fn damage_on_disk(layout: &Layout, in_queue: &BTreeSet<String>) -> Vec<Remark> {
    match staging::read_queue(layout) {
        Ok(queue) => {
            let damaged = queue.damaged.into_iter().filter(|each| in_queue.contains(&each.name));
            damaged.map(|Damaged { name, why }| unreadable(&name, &why)).collect()
        }
        Err(error) => vec![Remark::new(Rule::FileUnreadable, "staging", error.to_string())],
    }
}

/// Reads what git would commit: the files on the disk may say something else.
fn staged_damage(side: &Side<'_>, layout: &Layout, in_queue: &BTreeSet<String>) -> Vec<Remark> {
    let paths: BTreeSet<&str> = side.paths().into_iter().collect();
    let decided = paths.iter().filter_map(|path| path.strip_prefix("decided/"));
    let decided = staging::of_names(&decided.map(str::to_owned).collect::<Vec<_>>());
    let of_name = |name: &String| {
        let Some(id) = ProposalId::parse(name) else {
            return (!name.starts_with('.'))
                .then(|| unreadable(name, "its name is not that of a proposal"));
        };
        if decided.contains_key(&id) {
            return None;
        }
        let path = format!("staging/{name}/proposal.json");
        let why = match paths.contains(path.as_str()).then(|| side.read_one(&path)) {
            None => Some("`proposal.json` is missing".to_owned()),
            Some(Content::Bytes(bytes)) => {
                staging::why_unreadable(layout, &id, &read_roughly(&bytes))
            }
            // The check of the file reports why.
            Some(Content::TooLarge(_) | Content::Unreadable(_)) => None,
        };
        why.map(|why| unreadable(name, &why))
    };
    in_queue.iter().filter_map(of_name).collect()
}

/// Reports files of `decided/` that say who decided what, and are not as they were written.
pub(super) fn claims(scope: &CheckScope, side: &Side<'_>) -> Vec<Remark> {
    let remark = |path: &str| {
        let name = path.strip_prefix("decided/")?;
        DecisionClaim::named(name).filter(|_| scope.depth(path) != Depth::Name)?;
        let Content::Bytes(bytes) = side.read_one(path) else { return None };
        let why = DecisionClaim::read(name, &bytes).err()?;
        let message = format!("it is not what was written, and is not told: {}", excerpt(&why));
        Some(Remark::new(Rule::FileUnreadable, path, message))
    };
    side.paths().into_iter().filter_map(remark).collect()
}

fn unreadable(name: &str, why: &str) -> Remark {
    let path = format!("staging/{name}/proposal.json");
    Remark::new(Rule::FileUnreadable, &path, format!("it cannot be read: {why}"))
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
