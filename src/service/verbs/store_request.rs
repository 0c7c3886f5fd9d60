//! A request to store memories, as it is carried out in the database.

use std::time::Instant;

use serde_json::Value;

use super::elapsed::milliseconds;
use super::repeat_key::{IdempotencyKey, KnownRequest, RepeatKey, refuse_other_body};
use super::session::{ServiceAnswer, ServiceSession};
use super::store_form::StoreForm;
use super::vector_size::VectorSize;
use crate::contract::Timestamp;
use crate::disk::random;
use crate::error::Result;
use crate::service::classify::{Classified, SENT, classify};
use crate::service::request::{
    ChangeKind, Memory, MemoryId, NewMemory, SaidMemory, ServiceRefusal, Stored, refuse_in_trash,
    refuse_taken,
};
use crate::service::sqlite::{MemoryChange, TenantView};

/// What is said of a memory that was there under the id that was sent.
const EXISTED: &str = "a memory with this id and content was there, and nothing of it was changed";

/// A request to store memories, checked as far as it can be without the database.
#[derive(Debug)]
pub(super) struct StoreRequest {
    memories: Vec<NewMemory>,
    pub(super) warnings: Vec<String>,
    /// The ids of those that bring none.
    fresh: Vec<MemoryId>,
    repeat: RepeatKey,
    vector_size: VectorSize,
    form: StoreForm,
}

/// What a request made.
#[derive(Debug, Default)]
pub(super) struct StoredIds {
    pub(super) ids: Vec<MemoryId>,
    /// The first memory as it is stored; none where it was deleted since.
    pub(super) first: Option<Memory>,
    pub(super) vectors: usize,
    /// Whether an earlier request made them.
    pub(super) duplicate: bool,
    /// Whether the id of one was taken by the same content.
    pub(super) existed: bool,
}

impl StoredIds {
    /// Tells whether the same request was carried out before.
    pub(super) fn is_repeat(&self) -> bool {
        self.duplicate && !self.existed
    }

    /// Returns the answer to the request of one memory.
    pub(super) fn told(
        self,
        mut warnings: Vec<String>,
        now: Timestamp,
        begun: Instant,
    ) -> std::result::Result<Stored, Box<ServiceRefusal>> {
        let Some(memory) = self.first else { return Err(ServiceRefusal::not_found()) };
        if self.existed {
            warnings.push(EXISTED.to_owned());
        }
        let embedding = if self.vectors > 0 { "provided" } else { "skipped" };
        Ok(Stored {
            status: "success",
            memory_id: memory.said.id,
            stored_at: if self.duplicate { memory.said.timestamp } else { now },
            kind: memory.said.kind,
            confidence: memory.said.confidence,
            enrichment: "queued",
            embedding,
            embedding_status: embedding,
            qdrant: if self.vectors > 0 { "stored" } else { "unconfigured" },
            metadata: memory.said.metadata,
            timestamp: memory.said.timestamp,
            updated_at: memory.said.updated_at,
            last_accessed: memory.last_accessed,
            duplicate: self.duplicate,
            existed: self.existed,
            query_time_ms: milliseconds(begun),
            warnings,
        })
    }
}

impl StoreRequest {
    pub(super) fn read(
        session: &ServiceSession,
        body: Value,
        key: Option<&IdempotencyKey>,
        form: StoreForm,
    ) -> ServiceAnswer<Self> {
        let repeat = RepeatKey::of(&body, key, form);
        let read = session.screened(body, |body| match form.is_list() {
            true => NewMemory::read_batch(body),
            false => NewMemory::read(body).map(|(memory, said)| (vec![memory], said)),
        });
        let (memories, warnings) = match read {
            Ok(read) => read,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let mut fresh = Vec::with_capacity(memories.len());
        for _ in &memories {
            fresh.push(MemoryId::from_bytes(random()?));
        }
        let vector_size = VectorSize::set_to(session.store.settings.vector_size);
        Ok(Ok(Self { memories, warnings, fresh, repeat, vector_size, form }))
    }

    pub(super) fn carry_out(self, session: &ServiceSession) -> ServiceAnswer<StoredIds> {
        let (actor, now) = (session.actor.clone(), session.now);
        session.write(move |view| self.write(view, &actor, now))
    }

    pub(super) fn write(
        &self,
        view: &TenantView<'_>,
        actor: &str,
        now: Timestamp,
    ) -> ServiceAnswer<StoredIds> {
        let known = match self.known(view, now)? {
            Ok(known) => known,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let mut size = self.vector_size.in_view(view)?;
        let mut made = StoredIds::default();
        for (at, (memory, fresh)) in self.memories.iter().zip(&self.fresh).enumerate() {
            made.vectors += usize::from(memory.embedding.is_some());
            if let Some(id) = known.get(at).copied().flatten() {
                made.ids.push(id);
                continue;
            }
            if let Some(vector) = &memory.embedding
                && let Err(refusal) = size.check(&self.path(at, "embedding"), vector)
            {
                return Ok(Err(refusal));
            }
            let id = memory.id.unwrap_or(*fresh);
            match IdState::of(view, memory)? {
                IdState::Free => {
                    insert(view, memory, id, actor, now)?;
                }
                IdState::SameContent => {
                    made.duplicate |= !self.form.is_list();
                    made.existed = true;
                }
                IdState::OtherContent => return Ok(Err(refuse_taken(id).at(self.path(at, "id")))),
                IdState::InTrash => return Ok(Err(refuse_in_trash(id).at(self.path(at, "id")))),
            }
            made.ids.push(id);
        }
        made.duplicate |= !known.is_empty() && known.iter().all(Option::is_some);
        match made.is_repeat() {
            true => self.repeat.note_name(view, &made.ids, now)?,
            false => self.repeat.note(view, &made.ids, now)?,
        }
        made.first = self.first(view, &made.ids)?;
        Ok(Ok(made))
    }

    /// Returns the content of the only memory, or of the first.
    pub(super) fn content(&self) -> &str {
        self.memories.first().map_or("", |memory| memory.content.as_str())
    }

    /// Returns which memories an earlier try stored, as far as they are there and say the same; none for a new request.
    fn known(&self, view: &TenantView<'_>, now: Timestamp) -> ServiceAnswer<Vec<Option<MemoryId>>> {
        let have_ids = self.memories.iter().all(|memory| memory.id.is_some());
        let ids = match self.repeat.find(view, now, have_ids)? {
            KnownRequest::New => Vec::new(),
            KnownRequest::OtherBody => return Ok(Err(refuse_other_body())),
            KnownRequest::Answered(ids) => ids,
        };
        let still_same = |(id, memory): (MemoryId, &NewMemory)| {
            let says_it = view.content_of(id)?.is_some_and(|content| content == memory.content);
            Ok((says_it && view.live_row(id)?.is_some()).then_some(id))
        };
        Ok(Ok(ids.into_iter().zip(&self.memories).map(still_same).collect::<Result<_>>()?))
    }

    /// Reads the memory that the answer to a single one tells of.
    fn first(&self, view: &TenantView<'_>, ids: &[MemoryId]) -> Result<Option<Memory>> {
        let id = ids.first().filter(|_| !self.form.is_list());
        Ok(id.map(|id| view.memory(*id)).transpose()?.flatten())
    }

    fn path(&self, at: usize, name: &str) -> String {
        match self.form.is_list() {
            true => format!("memories[{at}].{name}"),
            false => name.to_owned(),
        }
    }
}

/// What there is under the id that a memory brings.
enum IdState {
    /// Nothing, or it brings none.
    Free,
    SameContent,
    OtherContent,
    InTrash,
}

impl IdState {
    fn of(view: &TenantView<'_>, memory: &NewMemory) -> Result<Self> {
        let Some(id) = memory.id else { return Ok(Self::Free) };
        let Some(content) = view.content_of(id)? else { return Ok(Self::Free) };
        Ok(match view.live_row(id)? {
            None => Self::InTrash,
            Some(_) if content == memory.content => Self::SameContent,
            Some(_) => Self::OtherContent,
        })
    }
}

fn insert(
    view: &TenantView<'_>,
    memory: &NewMemory,
    id: MemoryId,
    actor: &str,
    now: Timestamp,
) -> Result<()> {
    let (kind, confidence) = match memory.kind {
        Some(kind) => (kind, memory.confidence.unwrap_or(SENT)),
        None => {
            let Classified { kind, confidence } = classify(&memory.content);
            (kind, memory.confidence.unwrap_or(confidence))
        }
    };
    let timestamp = memory.timestamp.unwrap_or(now);
    let said = SaidMemory {
        id,
        content: memory.content.clone(),
        kind: kind.name().to_owned(),
        confidence,
        importance: memory.importance,
        tags: memory.tags.clone(),
        metadata: memory.metadata.clone(),
        timestamp,
        updated_at: memory.updated_at.unwrap_or(timestamp),
        t_valid: Some(memory.t_valid.unwrap_or(timestamp)),
        t_invalid: memory.t_invalid,
    };
    let row = view.insert(&said, memory.last_accessed.unwrap_or(said.updated_at))?;
    if let Some(vector) = &memory.embedding {
        view.keep_vector(row, vector)?;
    }
    view.ask_to_enrich(row, now)?;
    let after = Some(said.to_value());
    let (kind, other, before) = (ChangeKind::Stored, None, None);
    view.log(&MemoryChange { kind, id, row, other, actor, now, before, after })
}
