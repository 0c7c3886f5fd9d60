//! `propose`: one request in, one answer out.

use std::path::Path;

use super::land::{Landing, begin, land};
use super::stage::{find_twin, name, stage, waiting};
use super::{Stop, Workspace, conclude};
use crate::contract::{Applied, Outcome, Routing, Staged};
use crate::error::Result;
use crate::pipeline::{Destination, Planned, REQUEST_BYTES, Routed, Submission};
use crate::store::{self, Locked, Meanwhile, PrecedentsLookup};

/// Reads the bytes of a request from a file, or from stdin; what is beyond the limit is left unread.
pub fn read_request(file: Option<&Path>) -> Result<Vec<u8>> {
    store::read_request(file, REQUEST_BYTES + 1)
}

/// Walks a request through the corridor: into the files, into the queue, or back.
pub fn propose(workspace: &Workspace, bytes: Vec<u8>) -> Result<Outcome> {
    conclude(walk(workspace, bytes), workspace)
}

fn walk(workspace: &Workspace, bytes: Vec<u8>) -> std::result::Result<Outcome, Stop> {
    let proposal = Submission::new(bytes, workspace.now).parse()?;
    let screened = proposal.screen(workspace.rules()?, &workspace.repository)?;
    let owner = screened.request().owner.clone();
    let mut locked = workspace.lock("propose", owner.as_ref())?;
    let recent = workspace.kept.recent();
    let lookup = locked.look_up_precedents((recent, screened.submitted_at()));
    let snapshot = workspace.store.snapshot(&screened.files())?;
    let routed = screened.plan(snapshot)?.route(None)?;
    if routed.planned.screened.request().dry_run {
        return describe(workspace, &locked, &routed);
    }
    if let Destination::Queue = routed.destination
        && let Some(answer) = find_twin(workspace, &locked, &routed)?
    {
        return Ok(Outcome::Staged(answer));
    }
    match routed.destination {
        Destination::Files => land_at_once(workspace, locked, routed, lookup),
        Destination::Queue => {
            let (id, log, _) = name(workspace, &routed.planned, lookup)?;
            stage(workspace, &mut locked, &routed, (&id, &log))
        }
    }
}

/// Puts a change into the files. Where the index is open already it gets ahead, while they are written.
fn land_at_once(
    workspace: &Workspace,
    mut locked: Locked<'_>,
    routed: Routed<'_>,
    lookup: PrecedentsLookup<'_>,
) -> std::result::Result<Outcome, Stop> {
    let change = begin(workspace, &mut locked, &routed.planned);
    let (id, log, undo) = name(workspace, &routed.planned, lookup)?;
    let files = &routed.planned.files;
    let index = workspace.index_to_get_ahead(files);
    let mut ahead = None;
    let mut get_ahead =
        index.as_deref().map(|index| || ahead = workspace.get_index_ahead(index, files));
    let meanwhile: Meanwhile<'_> = get_ahead.as_mut().map(|act| act as _);
    let landing = Landing { meanwhile, ..Landing::at_once(&id, &log, undo) };
    let landed = land(workspace, change, &routed, landing)?;
    drop(locked);
    let followed = ahead.map(|ahead| workspace.index_arrives(ahead, &paths(&routed.planned)));
    drop(index);
    Ok(landed.finish(workspace, routed, followed))
}

/// Says what would have happened.
fn describe(
    workspace: &Workspace,
    locked: &Locked<'_>,
    routed: &Routed<'_>,
) -> std::result::Result<Outcome, Stop> {
    let Routed { planned, routing, destination } = routed;
    Ok(match destination {
        Destination::Files => {
            Outcome::Applied(Applied { dry_run: true, ..applied(planned, routing) })
        }
        Destination::Queue => {
            let twin = find_twin(workspace, locked, routed)?;
            let answer = twin.unwrap_or_else(|| waiting(workspace, planned, routing, None));
            Outcome::Staged(Staged { dry_run: true, ..answer })
        }
    })
}

/// Returns the answer to a change that went into the files, before it has a name and a time.
pub(super) fn applied(planned: &Planned<'_>, routing: &Routing) -> Applied {
    Applied {
        proposal_id: None,
        routing: routing.clone(),
        files: paths(planned),
        affected_sections: planned.affected.clone(),
        applied_at: None,
        index_updated: false,
        dry_run: false,
        warnings: planned.warnings.clone(),
    }
}

/// Returns the files that a change touches.
pub(super) fn paths(planned: &Planned<'_>) -> Vec<String> {
    planned.files.iter().map(|file| file.path.to_string()).collect()
}
