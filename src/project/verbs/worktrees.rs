//! The other worktrees of a repository: what is pending in them, and how it is applied here.
//!
//! Each has a queue and a log of its own. A proposal from another worktree is planned on the files here, goes
//! through every check and is in the log here. It leaves the queue there, and the log there says where it went.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::answer::{Attempt, Stop, answered, write};
use super::log::{last_decisions, read_decision};
use super::project::Project;
use super::session::Session;
use super::wanted::Wanted;
use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::project::pipeline::Approval;
use crate::project::request::{Answer, Reason, Refusal};
use crate::project::store::log::Entry;
use crate::project::store::staging::{self, StagedProposal};
use crate::project::store::{self, Locked, Step, Trace};
use crate::text::visible_name;

#[derive(Debug)]
pub(crate) struct OtherWorktree {
    pub path: String,
    /// None where `HEAD` is detached.
    pub branch: Option<String>,
    /// The value for `--root`.
    pub root: PathBuf,
    pub is_current: bool,
    pub project: Project,
}

/// Opens the stores of all worktrees that have one; returns also warnings about those that cannot be opened.
pub(crate) fn worktrees(
    project: &Project,
    session: &Session,
) -> Result<(Vec<OtherWorktree>, Vec<String>)> {
    let listed = store::worktrees(project.store.layout())?;
    let foreign = |path: &PathBuf| {
        let path = visible_name(&path.display().to_string());
        format!("`{path}` is no worktree of this repository, though git lists it: it is not read")
    };
    let mut warnings: Vec<String> = listed.others.iter().map(foreign).collect();
    let mut found = Vec::new();
    for each in listed.own {
        let path = each.path.display().to_string();
        let root = Some(each.root.clone());
        let session = Session { root, tells_root: false, ..session.clone() };
        match Project::open_as_it_is(&session) {
            Ok(project) => found.push(OtherWorktree {
                path,
                branch: each.branch,
                root: each.root,
                is_current: each.is_current,
                project,
            }),
            Err(error) if error.kind() == ErrorKind::StoreNotFound => {}
            Err(error) => warnings.push(format!("the worktree `{path}` is left out: {error}")),
        }
    }
    Ok((found, warnings))
}

/// Opens the store of a worktree, named by branch or path.
pub(crate) fn find_worktree(project: &Project, session: &Session, name: &str) -> Result<Project> {
    let wrong = |message: String| {
        Error::new(ErrorKind::Usage, message)
            .hint("`agent-memory status --worktrees` lists the worktrees that have a store")
    };
    let (all, _) = worktrees(project, session)?;
    let named = all.into_iter().find(|each| {
        each.branch.as_deref() == Some(name)
            || outside::is_same(&session.folder.join(name), &each.path)
    });
    match named {
        Some(named) if named.is_current => Err(wrong(format!("`{name}` is where you stand"))),
        Some(named) => Ok(named.project),
        None => Err(wrong(format!("no worktree with a store is called `{name}`"))),
    }
}

/// Returns the step that copies a proposal from another worktree to the decided ones here.
pub(super) fn bring(project: &Project, home: &Project, staged: &StagedProposal) -> Attempt<Step> {
    let id = &staged.id;
    let refuse = |message: String, hint: &str| {
        Err(Refusal::new(Reason::StagingNotFound, message, hint).into())
    };
    let layout = project.store.layout();
    if staging::read_queue(layout)?.proposals.iter().any(|each| each.id == *id) {
        return refuse(format!("`{id}` is pending here too"), "apply it without `--from-worktree`");
    }
    if let Some(time) = applied_here(project, id.as_str())? {
        let hint = "`agent-memory review --worktrees` takes it out of the queue there";
        return refuse(format!("`{id}` was applied here at {time}"), hint);
    }
    Ok(staging::bring(home.store.layout(), layout, staged)?)
}

/// Returns when a proposal was applied here, unless that was undone. It may still be pending in another
/// worktree: after a crash between the two writes, or a `restore` there.
pub(crate) fn applied_here(project: &Project, id: &str) -> Result<Option<String>> {
    let last = read_decision(project, id)?.pop();
    let last = last.filter(|last| last["decision"] == "applied");
    Ok(last.map(|last| last["time"].as_str().unwrap_or_default().to_owned()))
}

/// Returns the same for all proposals by id, and reads the log once.
pub(crate) fn all_applied_here(project: &Project) -> Result<BTreeMap<String, String>> {
    let last = last_decisions(project)?.into_iter();
    let applied = last.filter(|(_, last)| last.decision == "applied");
    Ok(applied.map(|(id, last)| (id, last.time)).collect())
}

/// Takes a proposal that was applied here out of the queue of another worktree; returns warnings.
pub(crate) fn take_out(
    project: &Project,
    home: &Project,
    wanted: &Wanted,
    approval: &Approval,
) -> Result<Answer<Vec<String>>> {
    answered(project, || {
        let queue = staging::read_queue(home.store.layout())?;
        let staged = wanted.find_undecided(&queue, home)?;
        retire(home, home.lock("apply", None)?, staged, approval, project)
    })
}

/// Takes a proposal that was just applied here out of that queue; a failure is only a warning.
pub(super) fn leave(
    home: &Project,
    locked: Locked<'_>,
    staged: &StagedProposal,
    approval: &Approval,
    applied_in: &Project,
) -> Vec<String> {
    let told = |why: &str| {
        vec![format!(
            "it was applied here, but did not leave the queue of the other worktree: {why}"
        )]
    };
    match retire(home, locked, staged, approval, applied_in) {
        Ok(warnings) => warnings,
        Err(Stop::Refused(refusal)) => told(&refusal.message),
        Err(Stop::Failed(error)) => told(&error.to_string()),
    }
}

fn retire(
    home: &Project,
    mut locked: Locked<'_>,
    staged: &StagedProposal,
    approval: &Approval,
    applied_in: &Project,
) -> Attempt<Vec<String>> {
    if !staging::read_queue(locked.layout())?.proposals.iter().any(|each| each.id == staged.id) {
        let hint = "`agent-memory log` tells what was decided there";
        let message = "it was decided there at the same time";
        return Err(Refusal::new(Reason::StagingNotFound, message, hint).into());
    }
    let place = applied_in.store.layout().repository().display().to_string();
    let reason = home.clean(&format!("it was applied in {place}"));
    let owner = staged.owner.as_deref().map(|owner| home.clean(owner));
    let line = Entry {
        id: Some(&staged.id),
        owner: owner.as_deref(),
        approver: Some(approval.approver()),
        reason: Some(&reason),
        request: Some(&staged.hash),
        ..Entry::new(applied_in.session.now, "moved")
    };
    let mut steps = home.leave_queue(&staged.id)?;
    steps.push(line.append_to(&locked.layout().signed_log().tail()?));
    let mut warnings = home.take_warnings();
    warnings.extend(write(&mut locked, steps, Trace::Kept)?);
    Ok(warnings)
}
