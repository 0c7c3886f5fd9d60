//! Stores a memory in place of another, all in one change.

use std::time::Instant;

use serde_json::{Map, Value, json};

use super::relation_ends::RelationEnds;
use super::session::{ServiceAnswer, ServiceSession};
use super::set_relation::put_relation;
use super::store_form::StoreForm;
use super::store_request::{StoreRequest, StoredIds};
use super::update::apply_patch;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::{
    Memory, MemoryPatch, NewRelation, SUPERSESSION_STRENGTH, ServiceRefusal, SupersedeAnswer,
    Supersession,
};
use crate::service::sqlite::TenantView;

/// What is said of an old memory that another one stood for already.
const SUPERSEDED: &str =
    "the old memory was superseded before: recall tells which memories stand for it now";

/// Stores a memory, marks the one that it replaces as not current, and relates them.
pub fn supersede(
    session: &ServiceSession,
    supersession: Supersession,
) -> ServiceAnswer<SupersedeAnswer> {
    let begun = Instant::now();
    let supersession = match screened(session, supersession) {
        Ok(supersession) => supersession,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let (old, memory) = (supersession.old, supersession.memory.clone());
    let request = StoreRequest::read(
        session,
        memory,
        None,
        StoreForm::Superseding(old, supersession.relation),
    )?;
    let request = match request {
        Ok(request) => request,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let mut warnings = request.warnings.clone();
    let (actor, now) = (session.actor.clone(), session.now);
    let written = session.write(move |view| {
        let Some(old) = view.memory(old)? else { return Ok(Err(refuse_old())) };
        if request.content() == old.said.content {
            return Ok(Err(ServiceRefusal::same_as_superseded(old.said.id)));
        }
        let was_superseded = !view.successors(old.row)?.is_empty();
        let made = match request.write(view, &actor, now)? {
            Ok(made) => made,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let replaced =
            SupersedeTask { view, supersession, old, actor: &actor, now }.carry_out(&made)?;
        Ok(replaced.map(|()| (made, was_superseded)))
    })?;
    let answer = written.and_then(|(made, was_superseded)| {
        if was_superseded && !made.duplicate {
            warnings.push(SUPERSEDED.to_owned());
        }
        made.told(warnings, now, begun)
    });
    Ok(answer.map(|stored| SupersedeAnswer { stored, superseded_memory_id: old }))
}

/// The second part of a supersession: the new memory is stored.
struct SupersedeTask<'a> {
    view: &'a TenantView<'a>,
    supersession: Supersession,
    old: Memory,
    actor: &'a str,
    now: Timestamp,
}

impl SupersedeTask<'_> {
    fn carry_out(&self, made: &StoredIds) -> ServiceAnswer<()> {
        let Some(new) = made.first.as_ref() else { return Ok(Err(ServiceRefusal::not_found())) };
        if new.row == self.old.row {
            return Ok(Err(ServiceRefusal::same_as_superseded(new.said.id)));
        }
        let is_done = self.view.successors(self.old.row)?.contains(&new.row);
        if is_done && (made.is_repeat() || made.existed) {
            return Ok(Ok(()));
        }
        match self.is_current(new)? {
            true => self.replace(new),
            false => Ok(Err(ServiceRefusal::outdated_successor())),
        }
    }

    /// Tells whether a memory can stand for another: one that does not hold now would hide both.
    fn is_current(&self, memory: &Memory) -> Result<bool> {
        Ok(memory.holds_at(self.now) && self.view.successors(memory.row)?.is_empty())
    }

    /// Marks the old memory as not current, and relates it to the new one.
    fn replace(&self, new: &Memory) -> ServiceAnswer<()> {
        let (old, new) = (self.old.said.id, new.said.id);
        let relation = NewRelation {
            source: old,
            target: new,
            kind: self.supersession.relation,
            strength: SUPERSESSION_STRENGTH,
            properties: Map::new(),
        };
        let Some(ends) = RelationEnds::find(self.view, &relation)? else {
            return Ok(Err(ServiceRefusal::not_found()));
        };
        let former = put_relation(self.view, ends, &relation, self.now)?;
        let patch = match MemoryPatch::read(&self.supersession.patch(new, self.now), old) {
            Ok((patch, _)) => patch,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let who = (self.actor, self.now);
        Ok(apply_patch(self.view, old, &patch, former.as_ref(), who)?.map(drop))
    }
}

/// Refuses a reason that must not stay, or takes the secrets out of it.
fn screened(
    session: &ServiceSession,
    supersession: Supersession,
) -> std::result::Result<Supersession, Box<ServiceRefusal>> {
    let body = json!({ "supersede_reason": supersession.reason });
    let read = |body: &Value| Ok(body["supersede_reason"].as_str().map(str::to_owned));
    Ok(Supersession { reason: session.screened(body, read)?, ..supersession })
}

/// Names the argument that held the id.
fn refuse_old() -> Box<ServiceRefusal> {
    ServiceRefusal::not_found().at("supersedes_memory_id".to_owned())
}
