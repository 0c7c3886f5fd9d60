//! `restore`: puts a rejected, swept or undone proposal back into the queue.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::answer::{Attempt, answered, write};
use super::log::{LastDecision, last_decisions};
use super::project::Project;
use super::queue::refuse_full;
use super::wanted::Wanted;
use crate::contract::Moment;
use crate::error::Result;
use crate::project::pipeline::Approval;
use crate::project::request::{Answer, ProposalId, Reason, Refusal};
use crate::project::store::log::Entry;
use crate::project::store::staging::{self, Fidelity, Retired};
use crate::project::store::{Layout, LeftBehind, Locked, Step, Trace, lift};

type LastDecisions = BTreeMap<String, LastDecision>;

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct Restored {
    pub id: ProposalId,
    #[schemars(with = "String")]
    pub expires_at: Moment,
    /// Whether this time is past.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub expired: bool,
    /// Whether a fingerprint was removed that would have refused the same text.
    pub lifted: bool,
    pub warnings: Vec<String>,
}

/// Puts a proposal back into the queue and removes its fingerprints.
pub(crate) fn restore(
    project: &Project,
    wanted: &Wanted,
    approval: &Approval,
) -> Result<Answer<Restored>> {
    answered(project, || reopen(project, wanted, approval))
}

fn reopen(project: &Project, wanted: &Wanted, approval: &Approval) -> Attempt<Restored> {
    let mut locked = project.lock("restore", None)?;
    let layout = locked.layout();
    let retired = staging::retired(layout)?;
    let decisions = last_decisions(project)?;
    if let Some(left) = find_left_behind(project, wanted)? {
        return take_up(project, &mut locked, &left, approval);
    }
    let id = find(layout, &decisions, &retired, wanted)?;
    refuse_at_rest(project, layout, id)?;
    let found = &staging::read_retired(layout, id)?;
    refuse_secret(project, found)?;
    let lifting = lift(layout, id)?;
    let lifted = !lifting.is_empty();
    let (way, displaced) = staging::make_way(layout, id).unzip();
    let mut steps: Vec<Step> = way.into_iter().collect();
    steps.extend(staging::restore(layout, found, project.config.staging.track));
    steps.extend(lifting);
    steps.extend(staging::reopen(layout, id)?);
    // The owner is read from the trash, where it may have been edited.
    let owner = found.proposal.owner.as_deref().map(|owner| project.clean(owner));
    let entry = Entry {
        id: Some(id),
        owner: owner.as_deref(),
        approver: Some(approval.approver()),
        // A proposal that a commit brought into the trash stays unknown here.
        request: (found.proposal.fidelity != Fidelity::Unknown).then_some(&found.proposal.hash),
        request_changed: found.proposal.fidelity == Fidelity::Changed,
        ..Entry::new(project.session.now, "restored")
    };
    steps.push(entry.append_to(&layout.signed_log().tail()?));
    let mut warnings: Vec<String> =
        warnings_about(found, &decisions, project.session.now).collect();
    let kept = |to| format!("what stood in its place in the queue is kept in `{to}`");
    warnings.extend(displaced.map(kept));
    if *wanted == Wanted::Latest {
        warnings.extend(note_never_waited(&decisions, &retired, id));
    }
    let expires_at = found.proposal.expires_at;
    warnings.extend(write(&mut locked, steps, Trace::Kept)?);
    warnings.splice(0..0, project.take_warnings());
    let expired = expires_at < project.session.now;
    Ok(Restored { id: id.clone(), expires_at, expired, lifted, warnings })
}

fn find_left_behind(project: &Project, wanted: &Wanted) -> Result<Option<LeftBehind>> {
    let Wanted::Named(text) = wanted else { return Ok(None) };
    let all = project.left_behind()?;
    let ids: Vec<&ProposalId> = all.iter().map(|each| &each.id).collect();
    let Ok(id) = ProposalId::choose(&ids, text).cloned() else { return Ok(None) };
    Ok(all.into_iter().find(|each| each.id == id))
}

/// Puts the copy of a proposal into the queue.
fn take_up(
    project: &Project,
    locked: &mut Locked<'_>,
    left: &LeftBehind,
    approval: &Approval,
) -> Attempt<Restored> {
    let queue = staging::read_queue(locked.layout())?;
    refuse_full(project, &queue)?;
    let hash = left.known_hash(locked.layout())?;
    let reason = project.clean(&format!("it was left behind in {}", left.from.worktree));
    let entry = Entry {
        id: Some(&left.id),
        approver: Some(approval.approver()),
        reason: Some(&reason),
        request: hash.as_ref(),
        ..Entry::new(project.session.now, "restored")
    };
    let steps = vec![left.take_up()?, entry.append_to(&locked.layout().signed_log().tail()?)];
    let mut warnings = write(locked, steps, Trace::Kept)?;
    warnings.splice(0..0, project.take_warnings());
    // If this fails, the copy is later recognised as pending.
    let _ = left.forget();
    let waiting = staging::read_waiting(locked.layout(), &left.id)?;
    let expires_at = waiting.map_or(project.session.now, |waiting| waiting.expires_at);
    let id = left.id.clone();
    let expired = expires_at < project.session.now;
    warnings.extend(expired.then(|| expiry_warning(expires_at)));
    Ok(Restored { id, expires_at, expired, lifted: false, warnings })
}

/// Refuses a proposal that is applied or pending, and any where the queue is full.
fn refuse_at_rest(project: &Project, layout: &Layout, id: &ProposalId) -> Attempt<()> {
    let refuse = |message: String, hint: &str| {
        Err(Refusal::new(Reason::StagingNotFound, message, hint).into())
    };
    if staging::is_applied(layout, id)? {
        let hint = "what it says is in the files; propose what should change in them";
        return refuse(format!("`{id}` was applied on another branch"), hint);
    }
    let queue = staging::read_queue(layout)?;
    if queue.proposals.iter().any(|each| each.id == *id) {
        return Err(waits_already(id).into());
    }
    refuse_full(project, &queue)
}

/// Refuses a secret that was written into a decided proposal by hand, where git may copy it.
fn refuse_secret(project: &Project, found: &Retired) -> Answer<()> {
    let is_shared = project.config.staging.track || found.came_with_git();
    if !is_shared || project.is_fit_to_copy(&found.text) {
        return Ok(());
    }
    let message = format!("`{}` holds what looks like a secret", found.path);
    let hint =
        "take it out there, then restore it; a real one is to be replaced wherever it is used";
    Err(Refusal::new(Reason::SecretDetected, message, hint))
}

fn waits_already(id: &ProposalId) -> Box<Refusal> {
    let message = format!("`{id}` is pending already");
    Refusal::new(Reason::StagingNotFound, message, "`agent-memory show` shows it")
}

fn warnings_about(
    Retired { proposal, other, .. }: &Retired,
    decisions: &LastDecisions,
    now: Moment,
) -> impl Iterator<Item = String> {
    let changed = proposal.fidelity.warning().map(str::to_owned);
    let at = proposal.expires_at;
    let expired = (at < now).then(|| expiry_warning(at));
    let last = decisions.get(proposal.id.as_str()).filter(|last| last.amended);
    let words = last.map(|_| {
        let hint = "what is pending again is the text that was proposed";
        format!("it was applied in the words of a person, which `log -p` shows; {hint}")
    });
    let other = other.as_ref().map(|path| {
        format!(
            "it was decided in other words too, which `{path}` holds and which are not pending again"
        )
    });
    changed.into_iter().chain(expired).chain(words).chain(other)
}

fn expiry_warning(at: Moment) -> String {
    format!("it expired at {at}; only `apply --expired` applies it")
}

/// Finds the wanted proposal among the decided ones.
fn find<'r>(
    layout: &Layout,
    decisions: &LastDecisions,
    retired: &'r BTreeSet<ProposalId>,
    wanted: &Wanted,
) -> Attempt<&'r ProposalId> {
    let hint = "`agent-memory log` lists what was decided";
    // Git may keep a copy of a pending proposal; its whole id is answered with "is pending already".
    let waiting: BTreeSet<ProposalId> =
        staging::names(layout)?.iter().filter_map(|name| ProposalId::parse(name)).collect();
    let is_named = |id: &ProposalId| matches!(wanted, Wanted::Named(text) if text == id.as_str());
    let may_be = |id: &&ProposalId| is_named(id) || !waiting.contains(*id);
    let ids: Vec<&ProposalId> = retired.iter().filter(may_be).collect();
    let id = match wanted {
        Wanted::Latest => {
            let turned_away = ["rejected", "swept", "cleared", "undone"];
            let last = |id: &ProposalId| decisions.get(id.as_str());
            let is_meant = |id: &&ProposalId| {
                last(id).is_some_and(|last| turned_away.contains(&last.decision.as_str()))
            };
            let ids = ids.iter().copied().filter(is_meant);
            let applied = staging::applied_ids(layout)?;
            let ids = ids.filter(|id| !applied.contains(*id));
            ids.max_by_key(|id| last(id).map(|last| last.number)).ok_or_else(|| {
                let message =
                    "nothing that was pending was rejected, swept or undone on this machine";
                Refusal::new(Reason::StagingNotFound, message, hint)
            })?
        }
        Wanted::Named(text) => {
            refuse_never_waited(decisions, &ids, text)?;
            let chosen = staging::choose(&ids, text, "no proposal that was decided", hint);
            let fits_none = !ids.iter().any(|id| id.as_str().contains(text));
            chosen.map_err(|refusal| {
                let waiting: Vec<&ProposalId> = waiting.iter().filter(|_| fits_none).collect();
                ProposalId::choose(&waiting, text).map_or(refusal, waits_already)
            })?
        }
    };
    if decisions.get(id.as_str()).is_some_and(|last| last.decision == "applied") {
        let message = format!("`{id}` was applied");
        let hint = format!("`agent-memory undo {id}` takes it back; then it can be restored");
        return Err(Refusal::new(Reason::StagingNotFound, message, hint).into());
    }
    Ok(id)
}

/// Refuses a change that was undone but had been applied without staging: it has no request.
fn refuse_never_waited(
    decisions: &LastDecisions,
    retired: &[&ProposalId],
    wanted: &str,
) -> Answer<()> {
    if retired.iter().any(|id| id.as_str().contains(wanted)) {
        return Ok(());
    }
    let undone = decisions.iter().filter(|(_, last)| last.decision == "undone");
    let mut meant = undone.filter(|(id, _)| id.contains(wanted));
    let (Some((id, _)), None) = (meant.next(), meant.next()) else { return Ok(()) };
    let message = format!("`{id}` was applied at once and was never pending");
    let hint = "`agent-memory log -p` shows what it said, so that it can be proposed again";
    Err(Refusal::new(Reason::StagingNotFound, message, hint))
}

/// Explains why `--latest` is not a change that was undone later but had been applied without staging.
fn note_never_waited(
    decisions: &LastDecisions,
    retired: &BTreeSet<ProposalId>,
    latest: &ProposalId,
) -> Option<String> {
    let number = decisions.get(latest.as_str())?.number;
    let retired: BTreeSet<&str> = retired.iter().map(ProposalId::as_str).collect();
    let (id, _) = decisions
        .iter()
        .filter(|(_, last)| last.decision == "undone" && last.number > number)
        .filter(|(id, _)| !retired.contains(id.as_str()))
        .max_by_key(|(_, last)| last.number)?;
    Some(format!(
        "`{id}` was undone later, but had been applied at once: `log -p` shows what it said"
    ))
}
