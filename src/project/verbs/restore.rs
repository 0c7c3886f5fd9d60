//! `restore`: a proposal that was rejected, swept or undone waits again.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::log::{LastDecision, last_decisions};
use super::stage::refuse_full;
use super::{Stop, Wanted, Workspace, answered, left_behind, write};
use crate::contract::{Answer, Moment, ProposalId, Reason, Refusal};
use crate::error::Result;
use crate::project::pipeline::Approval;
use crate::project::store::log::{Entry, Tail};
use crate::project::store::staging::{self, Fidelity, Retired};
use crate::project::store::{Layout, Step, Trace, lift};

/// What was decided last about each proposal.
type Decisions = BTreeMap<String, LastDecision>;

/// A proposal that waits again.
#[derive(Debug, Clone, Serialize)]
pub struct Restored {
    /// Always `restored`.
    pub status: &'static str,
    /// Its name.
    pub proposal_id: ProposalId,
    /// Until when it may wait.
    pub expires_at: Moment,
    /// Whether a fingerprint was lifted that would have refused the same text.
    pub lifted: bool,
    /// What the person should know.
    pub warnings: Vec<String>,
}

/// Puts a proposal back into the queue and lifts its fingerprint.
pub fn restore(
    workspace: &Workspace,
    wanted: &Wanted,
    approval: &Approval,
) -> Result<std::result::Result<Restored, Box<Refusal>>> {
    answered(walk(workspace, wanted, approval), workspace)
}

fn walk(
    workspace: &Workspace,
    wanted: &Wanted,
    approval: &Approval,
) -> std::result::Result<Restored, Stop> {
    let mut locked = workspace.lock("restore", None)?;
    let layout = locked.layout();
    let retired = staging::retired(layout)?;
    let decisions = last_decisions(workspace)?;
    if let Some(left) = left_behind::find(workspace, wanted)? {
        return left_behind::take_up(workspace, &mut locked, &left, approval);
    }
    let id = find(layout, &decisions, &retired, wanted)?;
    refuse_at_rest(workspace, layout, id)?;
    let found = &staging::read_retired(layout, id)?;
    refuse_secret(workspace, found)?;
    let lifting = lift(layout, id)?;
    let lifted = !lifting.is_empty();
    let (way, displaced) = staging::make_way(layout, id).unzip();
    let mut steps: Vec<Step> = way.into_iter().collect();
    steps.extend(staging::restore(layout, found, workspace.config.staging.track));
    steps.extend(lifting);
    steps.extend(staging::reopen(layout, id));
    // Who proposed is read from the folder, where anything may stand by now.
    let owner = found.proposal.owner.as_deref().map(|owner| workspace.clean(owner));
    let entry = Entry {
        id: Some(id),
        owner: owner.as_deref(),
        approver: Some(approval.approver()),
        // What a commit brought into the trash is no more known here than before.
        request: (found.proposal.fidelity != Fidelity::Unknown).then_some(&found.proposal.hash),
        request_changed: found.proposal.fidelity == Fidelity::Changed,
        ..Entry::new(workspace.now, "restored")
    };
    steps.push(Tail::read(layout)?.append(&entry));
    let mut warnings: Vec<String> = warnings_about(found, &decisions, workspace.now).collect();
    let kept = |to| format!("what stood in its place in the queue is kept in `{to}`");
    warnings.extend(displaced.map(kept));
    if *wanted == Wanted::Latest {
        warnings.extend(note_never_waited(&decisions, &retired, id));
    }
    let expires_at = found.proposal.expires_at;
    warnings.extend(write(&mut locked, steps, Trace::Kept)?);
    warnings.splice(0..0, workspace.take_recovered());
    Ok(Restored { status: "restored", proposal_id: id.clone(), expires_at, lifted, warnings })
}

/// Refuses to put a proposal back that landed or waits already, and any where too many wait.
fn refuse_at_rest(
    workspace: &Workspace,
    layout: &Layout,
    id: &ProposalId,
) -> std::result::Result<(), Stop> {
    let refuse = |message: String, hint: &str| {
        Err(Refusal::new(Reason::StagingNotFound, message, hint).into())
    };
    if staging::is_applied(layout, id) {
        let hint = "what it says is in the files; propose what should change in them";
        return refuse(format!("`{id}` was applied on another branch"), hint);
    }
    let queue = staging::read_queue(layout)?;
    if queue.proposals.iter().any(|each| each.id == *id) {
        return Err(waits_already(id).into());
    }
    let open = queue.proposals.iter().filter(|each| each.expires_at >= workspace.now).count();
    refuse_full(workspace, open)
}

/// Refuses to copy a secret that somebody wrote into a proposal once it was decided, and that git may carry from there.
fn refuse_secret(workspace: &Workspace, found: &Retired) -> Answer<()> {
    let is_shared = workspace.config.staging.track || found.came_with_git();
    if !is_shared || workspace.is_fit_to_copy(&found.text) {
        return Ok(());
    }
    let message = format!("`{}` holds what looks like a secret", found.path);
    let hint =
        "take it out there, then restore it; a real one is to be replaced wherever it is used";
    Err(Refusal::new(Reason::SecretDetected, message, hint))
}

fn waits_already(id: &ProposalId) -> Box<Refusal> {
    let message = format!("`{id}` waits already");
    Refusal::new(Reason::StagingNotFound, message, "`agent-memory show` shows it")
}

fn warnings_about(
    Retired { proposal, other, .. }: &Retired,
    decisions: &Decisions,
    now: Moment,
) -> impl Iterator<Item = String> {
    let changed = proposal.fidelity.warning().map(str::to_owned);
    let at = proposal.expires_at;
    let expired =
        (at < now).then(|| format!("it expired at {at}; only `apply --expired` lands it"));
    let last = decisions.get(proposal.id.as_str()).filter(|last| last.amended);
    let words = last.map(|_| {
        let hint = "what waits again is the text that was proposed";
        format!("it had landed in the words of a person, which `log -p` shows; {hint}")
    });
    let other = other.as_ref().map(|path| {
        format!(
            "it was decided in other words too, which `{path}` holds and which do not wait again"
        )
    });
    changed.into_iter().chain(expired).chain(words).chain(other)
}

/// Finds the proposal that a person means among those that no longer wait.
fn find<'r>(
    layout: &Layout,
    decisions: &Decisions,
    retired: &'r BTreeSet<ProposalId>,
    wanted: &Wanted,
) -> std::result::Result<&'r ProposalId, Stop> {
    let hint = "`agent-memory log` lists what was decided";
    // Of what waits again git may keep a copy; whoever gives its whole name is told that it waits.
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
            let ids = ids.filter(|id| !staging::is_applied(layout, id));
            ids.max_by_key(|id| last(id).map(|last| last.number)).ok_or_else(|| {
                let message =
                    "nothing that had waited was rejected, swept or undone on this machine";
                Refusal::new(Reason::StagingNotFound, message, hint)
            })?
        }
        Wanted::Named(text) => {
            refuse_never_waited(decisions, &ids, text)?;
            let chosen = staging::choose(&ids, text, ("no proposal that was decided", hint));
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

/// Refuses what was undone but had landed at once: there is no question that could wait.
fn refuse_never_waited(decisions: &Decisions, retired: &[&ProposalId], wanted: &str) -> Answer<()> {
    if retired.iter().any(|id| id.as_str().contains(wanted)) {
        return Ok(());
    }
    let undone = decisions.iter().filter(|(_, last)| last.decision == "undone");
    let mut meant = undone.filter(|(id, _)| id.contains(wanted));
    let (Some((id, _)), None) = (meant.next(), meant.next()) else { return Ok(()) };
    let message = format!("`{id}` landed at once and never waited");
    let hint = "`agent-memory log -p` shows what it said, so that it can be proposed again";
    Err(Refusal::new(Reason::StagingNotFound, message, hint))
}

/// Says of the latest one that something undone later was not meant: it landed at once.
fn note_never_waited(
    decisions: &Decisions,
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
    Some(format!("`{id}` was undone later, but had landed at once: `log -p` shows what it said"))
}
