//! The other worktrees of a repository: what waits in them, and how it lands here.
//!
//! Each has a queue and a log of its own. What lands here from another one is asked of the files here, goes
//! through every check and is in the log here; there it leaves the queue, and the log says where it went.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::log::{last_decisions, read_decision};
use super::{Place, Stop, Wanted, Workspace, answered, write};
use crate::contract::{Reason, Refusal};
use crate::error::{Error, ErrorKind, Result};
use crate::project::pipeline::Approval;
use crate::project::store::log::{Entry, Tail};
use crate::project::store::staging::{self, StagedProposal};
use crate::project::store::{self, Locked, Step, Trace};
use crate::text::visible_name;

/// A worktree with a store.
#[derive(Debug)]
pub struct OtherWorktree {
    /// Its folder.
    pub path: String,
    /// Its branch; none where `HEAD` is detached.
    pub branch: Option<String>,
    /// What `--root` names to open its store.
    pub root: PathBuf,
    /// Whether the caller stands in it.
    pub is_current: bool,
    /// Its store.
    pub workspace: Workspace,
}

/// Opens the stores of all worktrees of a repository; says which of them cannot be opened. A worktree without a
/// store is left out.
pub fn worktrees(
    workspace: &Workspace,
    place: &Place,
) -> Result<(Vec<OtherWorktree>, Vec<String>)> {
    let listed = store::worktrees(workspace.store.layout())?;
    let foreign = |path: &PathBuf| {
        let path = visible_name(&path.display().to_string());
        format!("`{path}` is no worktree of this repository, though git lists it: it is not read")
    };
    let (mut found, mut warnings) =
        (Vec::new(), listed.others.iter().map(foreign).collect::<Vec<_>>());
    for each in listed.own {
        let path = each.path.display().to_string();
        match Workspace::open_as_it_is(&Place { root: Some(each.root.clone()), ..place.clone() }) {
            Ok(workspace) => found.push(OtherWorktree {
                path,
                branch: each.branch,
                root: each.root,
                is_current: each.is_current,
                workspace,
            }),
            Err(error) if error.kind() == ErrorKind::StoreNotFound => {}
            Err(error) => warnings.push(format!("the worktree `{path}` is left out: {error}")),
        }
    }
    Ok((found, warnings))
}

/// Opens the store of the worktree on a branch, or at a path.
pub fn find_worktree(workspace: &Workspace, place: &Place, name: &str) -> Result<Workspace> {
    let wrong = |message: String| {
        Error::new(ErrorKind::Usage, message)
            .hint("`agent-memory status --worktrees` lists the worktrees that have a store")
    };
    let (all, _) = worktrees(workspace, place)?;
    let named = all.into_iter().find(|each| {
        each.branch.as_deref() == Some(name) || store::is_same(&place.folder.join(name), &each.path)
    });
    match named {
        Some(named) if named.is_current => Err(wrong(format!("`{name}` is where you stand"))),
        Some(named) => Ok(named.workspace),
        None => Err(wrong(format!("no worktree with a store is called `{name}`"))),
    }
}

/// Returns the step that keeps a proposal from another worktree beside those that were decided here.
pub(super) fn bring(
    workspace: &Workspace,
    home: &Workspace,
    staged: &StagedProposal,
) -> std::result::Result<Step, Stop> {
    let id = &staged.id;
    let refuse = |message: String, hint: &str| {
        Err(Refusal::new(Reason::StagingNotFound, message, hint).into())
    };
    let layout = workspace.store.layout();
    if staging::read_queue(layout)?.proposals.iter().any(|each| each.id == *id) {
        return refuse(format!("`{id}` waits here too"), "apply it without `--from-worktree`");
    }
    if let Some(time) = applied_here(workspace, id.as_str())? {
        let hint = "`agent-memory review --worktrees` takes it out of the queue there";
        return refuse(format!("`{id}` was applied here at {time}"), hint);
    }
    Ok(staging::bring(home.store.layout(), layout, staged)?)
}

/// Returns when a proposal was applied here, unless that was taken back.
///
/// It waits in another worktree all the same if a kill came between the two, or if somebody restored it there.
pub fn applied_here(workspace: &Workspace, id: &str) -> Result<Option<String>> {
    let last = read_decision(workspace, id)?.pop();
    let last = last.filter(|last| last["decision"] == "applied");
    Ok(last.map(|last| last["time"].as_str().unwrap_or_default().to_owned()))
}

/// Returns the same of every proposal, by its id: the log is read once.
pub fn all_applied_here(workspace: &Workspace) -> Result<BTreeMap<String, String>> {
    let last = last_decisions(workspace)?.into_iter();
    let applied = last.filter(|(_, last)| last.decision == "applied");
    Ok(applied.map(|(id, last)| (id, last.time)).collect())
}

/// Takes a proposal that was applied here out of the queue where it waits; returns what the person should know.
pub fn take_out(
    workspace: &Workspace,
    home: &Workspace,
    wanted: &Wanted,
    approval: &Approval,
) -> Result<std::result::Result<Vec<String>, Box<Refusal>>> {
    let walk = || {
        let queue = staging::read_queue(home.store.layout())?;
        let staged = wanted.find_undecided(&queue, home)?;
        retire((home, home.lock("apply", None)?), staged, approval, workspace)
    };
    answered(walk(), workspace)
}

/// Takes a proposal that landed elsewhere out of the queue; returns what had to be said about that.
pub(super) fn leave(
    home: (&Workspace, Locked<'_>),
    staged: &StagedProposal,
    approval: &Approval,
    landed_in: &Workspace,
) -> Vec<String> {
    let told = |why: &str| {
        vec![format!("it landed here, but did not leave the queue of the other worktree: {why}")]
    };
    match retire(home, staged, approval, landed_in) {
        Ok(warnings) => warnings,
        Err(Stop::Refused(refusal)) => told(&refusal.message),
        Err(Stop::Failed(error)) => told(&error.to_string()),
    }
}

fn retire(
    (home, mut locked): (&Workspace, Locked<'_>),
    staged: &StagedProposal,
    approval: &Approval,
    landed_in: &Workspace,
) -> std::result::Result<Vec<String>, Stop> {
    if !staging::read_queue(locked.layout())?.proposals.iter().any(|each| each.id == staged.id) {
        let hint = "`agent-memory log` tells what was decided there";
        let message = "somebody decided it there at the same time";
        return Err(Refusal::new(Reason::StagingNotFound, message, hint).into());
    }
    let place = landed_in.store.layout().repository().display().to_string();
    let reason = home.clean(&format!("it was applied in {place}"));
    let owner = staged.owner.as_deref().map(|owner| home.clean(owner));
    let line = Entry {
        id: Some(&staged.id),
        owner: owner.as_deref(),
        approver: Some(approval.approver()),
        reason: Some(&reason),
        request: Some(&staged.hash),
        ..Entry::new(landed_in.now, "moved")
    };
    let mut steps = home.leave_queue(&staged.id)?;
    steps.push(Tail::read(locked.layout())?.append(&line));
    let mut warnings = home.take_recovered();
    warnings.extend(write(&mut locked, steps, Trace::Kept)?);
    Ok(warnings)
}
