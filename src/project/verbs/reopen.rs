//! Plans a pending proposal again, on the files of today.

use serde_json::Value;

use super::answer::{Attempt, Stop};
use super::entry_ids::refuse_taken;
use super::project::Project;
use super::selection::Selection;
use super::{gone, taken};
use crate::error::Result;
use crate::project::edit::{SectionName, TouchedSection, conflict};
use crate::project::pipeline::{Placed, Planned, Proposal, Submission};
use crate::project::request::{Answer, ProposalId, Reason, Refusal};
use crate::project::schema::Catalog;
use crate::project::store::staging::{Fidelity, StagedProposal};
use crate::project::store::{Recorded, RecordedState};

/// Whether sections that changed since the proposal may be overwritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Drift {
    Refused,
    /// A person has seen the difference.
    Accepted,
}

/// Tells whether the queue has something else than was proposed here: it was edited or added by hand.
pub(super) fn is_altered(project: &Project, staged: &StagedProposal) -> bool {
    match staged.fidelity {
        Fidelity::Kept => staged.was_decided,
        Fidelity::Changed => true,
        // It came with git from another clone.
        Fidelity::Unknown => !project.config.staging.track,
    }
}

/// Plans a pending proposal, or a part of it, on the files of today.
pub(super) fn reopen<'w>(
    project: &'w Project,
    staged: &StagedProposal,
    selection: &Selection,
    drift: Drift,
) -> Attempt<Planned<'w>> {
    let planned = plan(project, staged, selection).map_err(|stop| match stop {
        Stop::Refused(refusal) => Stop::Refused(told_to_approver(refusal, &staged.id)),
        Stop::Failed(error) => Stop::Failed(error),
    })?;
    refuse_taken(project, &planned)?;
    if is_altered(project, staged) {
        planned.refuse_known()?;
    }
    if drift == Drift::Refused {
        refuse_drift(project, &planned, staged, selection)?;
    }
    let planned = match selection.texts() {
        Some(amendment) => planned.amended(amendment)?,
        None => planned,
    };
    planned.permitted()?;
    Ok(planned)
}

/// Applies the operations to the files of today. Where a section is gone, the texts of the approver replace its operation.
fn plan<'w>(
    project: &'w Project,
    staged: &StagedProposal,
    selection: &Selection,
) -> Attempt<Planned<'w>> {
    let mut request = selection.of(&staged.request)?;
    let mut touched = selection.part_of(&staged.touched);
    let mut is_settled = false;
    loop {
        let refusal = match plan_request(project, staged, &request, &touched)? {
            Ok(planned) => return Ok(planned),
            Err(refusal) => refusal,
        };
        // What was settled is not joined again: both could go on for ever.
        if selection.texts().is_some()
            && !is_settled
            && let Some(joined) = taken::joined(&request, &refusal)
        {
            request = joined;
            continue;
        }
        let settled = selection.texts().and_then(|texts| gone::settle(&request, texts, &refusal));
        let settled = settled.unwrap_or_else(|| Err(as_drift(refusal, &staged.id)))?;
        (request, is_settled) = (settled.request, true);
        if let Some(dropped) = settled.dropped.filter(|number| *number < touched.len()) {
            touched.remove(dropped);
        }
    }
}

/// Plans a request of a proposal on the files as they are. The inner refusal is that of the plan, which a changed request
/// may pass.
fn plan_request<'w>(
    project: &'w Project,
    staged: &StagedProposal,
    request: &Value,
    touched: &[Option<TouchedSection>],
) -> Attempt<Answer<Planned<'w>>> {
    let question = asked(project, staged, request.clone())?;
    let screened = question.screen(project.rules()?, &recorded(project, staged, touched))?;
    let snapshot = project.store.snapshot(&screened.files())?;
    Ok(screened.plan(snapshot))
}

/// Plans a pending proposal whose new section was taken by another one, as an addition to that section.
pub(super) fn joined<'w>(
    project: &'w Project,
    staged: &StagedProposal,
) -> Attempt<Option<Planned<'w>>> {
    let mut request = staged.request.clone();
    let mut is_joined = false;
    loop {
        let refusal = match plan_request(project, staged, &request, &staged.touched)? {
            Ok(planned) => return Ok(is_joined.then_some(planned)),
            Err(refusal) => refusal,
        };
        let Some(addition) = taken::joined(&request, &refusal) else { return Ok(None) };
        (request, is_joined) = (addition, true);
    }
}

/// Parses the request of a pending proposal; it goes through every check again.
pub(super) fn question(project: &Project, staged: &StagedProposal) -> Answer<Proposal> {
    asked(project, staged, staged.request.clone())
}

/// Parses another request for a pending proposal. Its submission date is written into the files, so it is only taken from
/// a request that is known to be unchanged.
pub(super) fn asked(
    project: &Project,
    staged: &StagedProposal,
    request: Value,
) -> Answer<Proposal> {
    let (submitted_at, day) = match staged.is_known() {
        true => (staged.submitted_at, staged.day.clone()),
        false => (project.session.now, project.session.today()),
    };
    Submission::new(request.to_string().into_bytes(), submitted_at, day).parse()
}

/// Returns the repository as it was when a proposal was made. Where its request is not known to be unchanged, as it is
/// today: the evidence in `proposal.json` would be written into the files. `touched` is what the operations that are
/// done now built on.
pub(super) fn recorded<'a>(
    project: &'a Project,
    staged: &'a StagedProposal,
    touched: &'a [Option<TouchedSection>],
) -> Recorded<'a> {
    let state = RecordedState { branch: &staged.branch, notes: &staged.notes, touched };
    let state = staged.is_known().then_some(state);
    Recorded { today: project.today(), state }
}

/// Parses a pending proposal and finds its files; none if its request is not valid any more.
pub(super) fn placed<'w>(
    project: &'w Project,
    staged: &StagedProposal,
) -> Result<Option<(Proposal, Vec<Placed<'w>>)>> {
    let rules = project.rules()?;
    let Ok(proposal) = question(project, staged) else { return Ok(None) };
    let placed = proposal.place(rules, &recorded(project, staged, &staged.touched));
    Ok(placed.ok().map(|(placed, _)| (proposal, placed)))
}

/// Refuses a plan with an operation that conflicts with what changed since the proposal.
pub(super) fn refuse_drift(
    project: &Project,
    planned: &Planned<'_>,
    staged: &StagedProposal,
    selection: &Selection,
) -> Attempt<()> {
    let catalog = project.catalog()?;
    let Some(wanted) = selection.operations() else {
        let all = 0..planned.touched.len();
        return Ok(refuse_conflict(staged, catalog, &planned.touched, all)?);
    };
    // An operation was recorded on the text that those before it left, also those that are not wanted.
    let mut now = vec![None; wanted.last().map_or(0, |last| last + 1)];
    for (number, touched) in wanted.iter().zip(&planned.touched) {
        now[*number].clone_from(touched);
    }
    let wanted = || wanted.iter().copied();
    if refuse_conflict(staged, catalog, &now, wanted()).is_ok() {
        return Ok(());
    }
    let recorded = recorded(project, staged, &staged.touched);
    let all = question(project, staged)?.screen(project.rules()?, &recorded)?;
    let snapshot = project.store.snapshot(&all.files())?;
    Ok(refuse_conflict(staged, catalog, &all.touches(&snapshot), wanted())?)
}

/// Returns a section in the file of its own that it has now, where it stood together with others when it was recorded.
fn as_moved(
    then: &TouchedSection,
    now: Option<&TouchedSection>,
    catalog: &Catalog,
) -> TouchedSection {
    let paths = catalog.owner_of(&then.file).map(|owner| &owner.paths);
    let was_shared = paths.is_some_and(|it| it.shared_files().any(|file| file == then.file));
    let has_own = |now: &&TouchedSection| paths.is_some_and(|it| it.is_record(&now.file));
    let mut moved = then.clone();
    if let Some(now) = now.filter(has_own).filter(|_| was_shared) {
        moved.file.clone_from(&now.file);
        // The outermost heading was the title of the shared file.
        if let Some((then, now)) = moved.traits.as_mut().zip(now.traits.as_ref())
            && then.above.len() == now.above.len() + 1
        {
            then.above.pop();
        }
    }
    moved
}

/// Refuses if one of these operations builds on something else now.
fn refuse_conflict(
    staged: &StagedProposal,
    catalog: &Catalog,
    now: &[Option<TouchedSection>],
    mut operations: impl Iterator<Item = usize>,
) -> Answer<()> {
    let now = |n: usize| now.get(n)?.as_ref();
    let then = |n: usize| Some(as_moved(staged.touched.get(n)?.as_ref()?, now(n), catalog));
    let found = operations.find(|number| conflict(then(*number).as_ref(), now(*number)));
    let Some(number) = found else { return Ok(()) };
    let place = match then(number).as_ref().or(now(number)) {
        None => "a section".to_owned(),
        Some(TouchedSection { file, section: SectionName::File, .. }) => format!("`{file}`"),
        Some(TouchedSection {
            file,
            section: SectionName::Id(name) | SectionName::Heading(name),
            ..
        }) => format!("the section `{name}` of `{file}`"),
    };
    let id = &staged.id;
    let anew = format!("after `reject {id} --allow-again` it can be proposed anew");
    let is_nameless =
        then(number).is_some_and(|then| matches!(then.section, SectionName::Heading(_)));
    let is_it = then(number).zip(now(number)).is_none_or(|(then, now)| then.is_of(now));
    let (message, hint) = match is_nameless && !is_it {
        true => (
            format!("{place} is another section now than the one for which this was proposed"),
            format!("{anew}, with the `section_id`; `agent-memory fmt-ids` gives sections an id"),
        ),
        false => (
            format!("{place} changed after this was proposed"),
            format!(
                "`agent-memory rebase {id}` merges it with what changed; `apply --force` overwrites that; {anew}"
            ),
        ),
    };
    Err(Refusal::new(Reason::TargetDrift, message, hint))
}

/// Replaces hints to correct the request, which an approver cannot do.
fn told_to_approver(mut refusal: Box<Refusal>, id: &ProposalId) -> Box<Refusal> {
    let anew = format!("after `agent-memory reject {id} --allow-again` it can be proposed anew");
    match refusal.reason {
        Reason::DuplicateSectionId => {
            refusal.hint = format!(
                "`agent-memory rebase {id}` adds its text to the section that is there; {anew}, with another heading, or with `append_to_section`"
            );
        }
        Reason::FileExists => {
            refusal.hint =
                format!("`agent-memory rebase {id}` puts it together with what is there; {anew}");
        }
        Reason::ProvenanceViolation | Reason::ValidationFailed | Reason::BudgetExceeded => {
            refusal.hint = format!("the files or the rules changed since; {anew}");
        }
        _ => {}
    }
    refusal
}

/// Turns a missing section into drift.
fn as_drift(refusal: Box<Refusal>, id: &ProposalId) -> Box<Refusal> {
    if refusal.reason != Reason::SectionNotFound {
        return refusal;
    }
    let hint = format!(
        "`agent-memory rebase {id}` at a terminal opens what was wanted, to be kept as a new section or left out; `agent-memory reject {id}` rejects it"
    );
    Refusal::new(Reason::TargetDrift, refusal.message, hint)
}

pub(super) fn refuse_expired(project: &Project, staged: &StagedProposal) -> Answer<()> {
    if staged.expires_at >= project.session.now {
        return Ok(());
    }
    Err(Refusal::new(
        Reason::StagingExpired,
        format!("the proposal `{}` expired at {}", staged.id, staged.expires_at),
        format!(
            "look at it again with `agent-memory show {}`, then `apply --expired` or `reject`",
            staged.id
        ),
    ))
}
