//! `propose`: one request in, one answer out.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::answer::{Attempt, conclude};
use super::apply_change::{ChangeToApply, apply_change};
use super::change::{applied, expiry, name, staged};
use super::entry_ids::refuse_taken;
use super::four_eyes::{FOUR_EYES, with_writer, without_owner};
use super::near_duplicates::near_warnings;
use super::project::Project;
use super::replaced::{will_leave, withdraw};
use super::stage::{QueuePlace, find_place, stage};
use crate::disk::{DraftFile, read_document};
use crate::error::Result;
use crate::project::pipeline::{
    Approval, Destination, Planned, REQUEST_BYTES, Routed, Screened, Submission,
};
use crate::project::request::{Answer, Applied, MemoryPath, Outcome, Staged};
use crate::project::store::Locked;

/// Reads the bytes of a request from a file, or from stdin; what is beyond the limit is left unread.
pub(crate) fn read_request(file: Option<&Path>) -> Result<Vec<u8>> {
    read_document(file, REQUEST_BYTES as u64 + 1).map_err(|error| match error.next_step() {
        None => error.hint("name a file with a JSON request, or leave `--file` out and pipe it in"),
        Some(_) => error,
    })
}

/// Keeps what a person wrote and what was not taken, in a file that they alone can read.
pub(crate) fn keep_text(text: &str, ending: &str) -> Result<PathBuf> {
    DraftFile::named(text, ending)?.keep()
}

/// By what a change is routed.
#[derive(Debug, Clone, Copy)]
enum RouteBy<'a> {
    /// The policy decides.
    Policy,
    /// It is staged even where the policy would apply it: the text says why.
    Review(&'static str),
    /// A person makes the change: it is applied in their name.
    Person(&'a Approval),
}

impl RouteBy<'_> {
    fn of<'p>(self, planned: Planned<'p>) -> Answer<Routed<'p>> {
        match self {
            Self::Policy => planned.route(None),
            Self::Review(why) => planned.route_to_review(why),
            Self::Person(approval) => planned.route(Some(approval)),
        }
    }
}

/// Applies, stages or refuses a request.
pub fn propose(project: &Project, bytes: Vec<u8>) -> Result<Outcome> {
    conclude(submit(project, bytes, RouteBy::Policy), project)
}

/// Stages or refuses a request of a person, even where the policy would apply it; `why` says why in the routing. One that
/// changes nothing is answered as applied.
pub(crate) fn propose_for_review(
    project: &Project,
    bytes: Vec<u8>,
    why: &'static str,
) -> Result<Outcome> {
    conclude(submit(project, bytes, RouteBy::Review(why)), project)
}

/// Applies or refuses what a person writes, in their name and after every check: they are who would review it. Where the
/// settings want two persons, another one reviews it.
pub(crate) fn write_as(project: &Project, request: &Value, approval: &Approval) -> Result<Outcome> {
    let writer = approval.approver();
    match project.config.four_eyes {
        true => propose_for_review(project, with_writer(request, Some(writer)), FOUR_EYES),
        false => {
            let bytes = request.to_string().into_bytes();
            conclude(submit(project, bytes, RouteBy::Person(approval)), project)
        }
    }
}

/// Stages what a person writes, for a person to review.
pub(crate) fn write_for_review(
    project: &Project,
    request: &Value,
    why: &'static str,
) -> Result<Outcome> {
    let writer = if project.config.four_eyes { project.user_name()? } else { None };
    propose_for_review(project, with_writer(request, writer.as_deref()), why)
}

fn submit(project: &Project, bytes: Vec<u8>, route: RouteBy<'_>) -> Attempt<Outcome> {
    let proposal = Submission::new(bytes, project.session.now, project.session.today()).parse()?;
    let proposal = proposal.with_found_files(|path| project.path_from_here(path))?;
    let mut warnings = proposal.warnings.clone();
    let screened = proposal.screen(project.rules()?, &project.today())?;
    warnings.extend(project.refuse_ignored(screened.files().iter().map(MemoryPath::as_str))?);
    warnings.extend(near_warnings(project, &screened));
    let has_owner = screened.request().owner.is_some();
    let mut outcome = apply_or_stage(project, screened, route)?;
    warnings.extend((!has_owner).then(|| without_owner(project, &outcome)).flatten());
    outcome.warn(warnings);
    Ok(outcome)
}

fn apply_or_stage(
    project: &Project,
    screened: Screened<'_>,
    route: RouteBy<'_>,
) -> Attempt<Outcome> {
    let owner = screened.request().owner.clone();
    let mut locked = project.lock("propose", owner.as_ref())?;
    let snapshot = project.store.snapshot(&screened.files())?;
    let planned = screened.plan(snapshot)?;
    refuse_taken(project, &planned)?;
    let routed = route.of(planned)?;
    if routed.planned.screened.request().dry_run {
        return describe(project, &locked, &routed);
    }
    let replaced = match routed.destination {
        Destination::Files => Vec::new(),
        Destination::Queue => match find_place(project, &locked, &routed)? {
            QueuePlace::Pending(answer) => return Ok(Outcome::Staged(answer)),
            QueuePlace::New { replaced } => replaced,
        },
    };
    let (id, log) = name(project, &routed.planned)?;
    match routed.destination {
        Destination::Files => {
            let approval = match route {
                RouteBy::Person(approval) => Some(approval),
                RouteBy::Policy | RouteBy::Review(_) => None,
            };
            let undo = locked.layout().undo_list().tail()?;
            let change = ChangeToApply { approval, ..ChangeToApply::at_once(&id, &log, undo) };
            let applied_change = apply_change(project, &mut locked, &routed, change)?;
            drop(locked);
            Ok(applied_change.finish(project, routed))
        }
        Destination::Queue => {
            let mut outcome = stage(project, &mut locked, &routed, &id, &log)?;
            outcome.warn(withdraw(project, &mut locked, &replaced, &id));
            Ok(outcome)
        }
    }
}

/// Says what would have happened.
fn describe(project: &Project, locked: &Locked<'_>, routed: &Routed<'_>) -> Attempt<Outcome> {
    let Routed { planned, routing, destination } = routed;
    Ok(match destination {
        Destination::Files => {
            Outcome::Applied(Applied { dry_run: true, ..applied(planned, routing) })
        }
        Destination::Queue => {
            let answer = match find_place(project, locked, routed)? {
                QueuePlace::Pending(answer) => answer,
                QueuePlace::New { replaced } => {
                    let mut answer = staged(project, routed, None, expiry(project));
                    answer.warnings.extend(will_leave(&replaced));
                    answer
                }
            };
            Outcome::Staged(Staged { dry_run: true, ..answer })
        }
    })
}
