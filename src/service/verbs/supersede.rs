//! Stores a memory in place of another, all in one change.

use std::time::Instant;

use serde_json::{Map, Value, json};

use super::path_id::path_id;
use super::relate::relate;
use super::session::{ServiceAnswer, ServiceSession};
use super::store::{ListForm, StoreRequest};
use super::update::apply_patch;
use crate::contract::Timestamp;
use crate::service::request::{
    MemoryId, MemoryPatch, NewRelation, SUPERSESSION_STRENGTH, ServiceRefusal, SupersedeAnswer,
    Supersession,
};
use crate::service::sqlite::TenantView;

type Verdict<T> = std::result::Result<T, Box<ServiceRefusal>>;

/// Stores a memory, marks the one that it replaces as not current, and relates them.
pub fn supersede(
    session: &ServiceSession,
    mut supersession: Supersession,
) -> ServiceAnswer<SupersedeAnswer> {
    let begun = Instant::now();
    let checked = path_id(&supersession.old).map_err(refuse_old);
    let checked = checked.and_then(|old| screen_reason(session, &mut supersession).map(|()| old));
    let old = match checked {
        Ok(old) => old,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let request = StoreRequest::read(session, supersession.memory.take(), None, ListForm::One)?;
    let request = match request {
        Ok(request) => request,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let warnings = request.warnings.clone();
    let (actor, now) = (session.actor.clone(), session.now);
    let written = session.write(move |view| {
        if view.live_row(old)?.is_none() {
            return Ok(Err(refuse_old(ServiceRefusal::not_found())));
        }
        let made = match request.write(view, &actor, now)? {
            Ok(made) => made,
            Err(refusal) => return Ok(Err(refusal)),
        };
        for new in &made.ids {
            if let Err(refusal) = replace(view, &supersession, [old, *new], &actor, now)? {
                return Ok(Err(refusal));
            }
        }
        Ok(Ok(made))
    })?;
    Ok(written.and_then(|made| made.told(warnings, now, begun)).map(|stored| SupersedeAnswer {
        stored,
        superseded_memory_id: old,
        association_created: true,
    }))
}

/// Marks the old memory as not current, and relates it to the new one.
fn replace(
    view: &TenantView<'_>,
    supersession: &Supersession,
    [old, new]: [MemoryId; 2],
    actor: &str,
    now: Timestamp,
) -> ServiceAnswer<()> {
    if new == old {
        return Ok(Err(ServiceRefusal::same_as_superseded(old)));
    }
    let patch = match MemoryPatch::read(&supersession.patch(new, now), old) {
        Ok((patch, _)) => patch,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if let Err(refusal) = apply_patch(view, old, &patch, actor, now)? {
        return Ok(Err(refusal));
    }
    let relation = NewRelation {
        source: old,
        target: new,
        kind: supersession.relation,
        strength: SUPERSESSION_STRENGTH,
        properties: Map::new(),
    };
    relate(view, &relation, actor, now)
}

/// Refuses a reason that must not stay, or takes the secrets out of it.
fn screen_reason(session: &ServiceSession, supersession: &mut Supersession) -> Verdict<()> {
    let body = json!({ "supersede_reason": supersession.reason.take() });
    let read = |body: &Value| Ok(body["supersede_reason"].as_str().map(str::to_owned));
    supersession.reason = session.screened(body, read)?;
    Ok(())
}

/// Names the argument that held the id.
fn refuse_old(refusal: Box<ServiceRefusal>) -> Box<ServiceRefusal> {
    refusal.at("supersedes_memory_id".to_owned())
}
