//! Stores memories: one, or all of a list.

use std::time::Instant;

use serde_json::Value;

use super::elapsed::milliseconds;
use super::session::{ServiceAnswer, ServiceSession};
use super::vector_size::VectorSize;
use crate::contract::{ContentHash, Sha256Digest, Timestamp};
use crate::disk::random;
use crate::error::Result;
use crate::service::classify::{Classified, SENT, classify};
use crate::service::request::{
    BatchStored, ChangeKind, Memory, MemoryId, NewMemory, RefusalStatus, SaidMemory,
    ServiceRefusal, Stored, refuse_in_trash, refuse_taken,
};
use crate::service::sqlite::{MemoryChange, Repeat, TenantView};

/// Seconds in which the same body stores nothing again: a retry sends it twice.
const SAME_BODY: i64 = 60;

/// Seconds in which the same `Idempotency-Key` stores nothing again: a day.
const SAME_KEY: i64 = 24 * 3_600;

/// What is said of a memory that was there under the id that was sent.
const EXISTED: &str = "a memory with this id and content was there, and nothing of it was changed";

/// What a client sent to name its request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey(pub String);

/// Answers `POST /memory`.
pub fn store(
    session: &ServiceSession,
    body: Value,
    key: Option<&IdempotencyKey>,
) -> ServiceAnswer<Stored> {
    let begun = Instant::now();
    let request = match StoreRequest::read(session, body, key, ListForm::One)? {
        Ok(request) => request,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let warnings = request.warnings.clone();
    let made = request.carry_out(session)?;
    Ok(made.and_then(|made| made.told(warnings, session.now, begun)))
}

/// Answers `POST /memory/batch`.
pub fn store_batch(
    session: &ServiceSession,
    body: Value,
    key: Option<&IdempotencyKey>,
) -> ServiceAnswer<BatchStored> {
    let begun = Instant::now();
    let request = match StoreRequest::read(session, body, key, ListForm::Batch)? {
        Ok(request) => request,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let warnings = request.warnings.clone();
    Ok(request.carry_out(session)?.map(|made| BatchStored {
        status: "success",
        stored: made.ids.len(),
        qdrant: match made.vectors {
            0 => "unconfigured".to_owned(),
            count => format!("stored ({count})"),
        },
        memory_ids: made.ids,
        enrichment: "queued",
        duplicate: made.duplicate,
        query_time_ms: milliseconds(begun),
        warnings,
    }))
}

/// Whether a body has one memory or a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListForm {
    One,
    Batch,
}

/// A request to store memories, checked as far as it can be without the database.
#[derive(Debug)]
pub(super) struct StoreRequest {
    memories: Vec<NewMemory>,
    pub(super) warnings: Vec<String>,
    /// The ids of those that bring none.
    fresh: Vec<MemoryId>,
    repeat: RepeatKey,
    vector_size: VectorSize,
    form: ListForm,
}

/// What names a request, so that it is known when it comes again.
#[derive(Debug, Clone, Copy)]
struct RepeatKey {
    key: Sha256Digest,
    body: Sha256Digest,
    /// Whether the client named it, and not only its body does.
    is_named: bool,
}

/// What a request made.
#[derive(Debug, Default)]
pub(super) struct StoredIds {
    pub(super) ids: Vec<MemoryId>,
    /// The first memory as it is stored; none where it was deleted since.
    first: Option<Memory>,
    vectors: usize,
    /// Whether an earlier request made them.
    duplicate: bool,
    /// Whether the id of one was taken by the same content.
    existed: bool,
}

impl StoredIds {
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
        form: ListForm,
    ) -> ServiceAnswer<Self> {
        let repeat = RepeatKey::of(&body, key, form);
        let read = session.screened(body, |body| match form {
            ListForm::One => NewMemory::read(body).map(|(memory, said)| (vec![memory], said)),
            ListForm::Batch => NewMemory::read_batch(body),
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

    fn carry_out(self, session: &ServiceSession) -> ServiceAnswer<StoredIds> {
        let (actor, now) = (session.actor.clone(), session.now);
        session.write(move |view| self.write(view, &actor, now))
    }

    pub(super) fn write(
        &self,
        view: &TenantView<'_>,
        actor: &str,
        now: Timestamp,
    ) -> ServiceAnswer<StoredIds> {
        if let Some(answer) = self.repeated(view, now)? {
            return Ok(answer);
        }
        let mut size = self.vector_size.in_view(view)?;
        let mut made = StoredIds::default();
        for (at, (memory, fresh)) in self.memories.iter().zip(&self.fresh).enumerate() {
            if let Some(vector) = &memory.embedding
                && let Err(refusal) = size.check(&self.path(at, "embedding"), vector)
            {
                return Ok(Err(refusal));
            }
            let id = memory.id.unwrap_or(*fresh);
            match IdState::of(view, memory)? {
                IdState::Free => {
                    insert(view, memory, id, actor, now)?;
                    made.vectors += usize::from(memory.embedding.is_some());
                }
                IdState::SameContent => {
                    made.duplicate |= self.form == ListForm::One;
                    made.existed = true;
                }
                IdState::OtherContent => return Ok(Err(refuse_taken(id).at(self.path(at, "id")))),
                IdState::InTrash => return Ok(Err(refuse_in_trash(id).at(self.path(at, "id")))),
            }
            made.ids.push(id);
        }
        let RepeatKey { key, body, .. } = self.repeat;
        view.note_repeat(&Repeat { key, body, ids: made.ids.clone() }, now)?;
        made.first = self.first(view, &made.ids)?;
        Ok(Ok(made))
    }

    /// Answers a request that was answered before; one with an id of its own is known by that, unless it is named.
    fn repeated(
        &self,
        view: &TenantView<'_>,
        now: Timestamp,
    ) -> Result<Option<std::result::Result<StoredIds, Box<ServiceRefusal>>>> {
        let has_id = self.memories.iter().any(|memory| memory.id.is_some());
        let RepeatKey { key, body, is_named } = self.repeat;
        if has_id && !is_named {
            return Ok(None);
        }
        let seconds = if is_named { SAME_KEY } else { SAME_BODY };
        let Some(repeat) = view.repeat(&key, now.plus_seconds(-seconds))? else { return Ok(None) };
        if repeat.body != body {
            return Ok(Some(Err(refuse_other_body())));
        }
        let vectors = self.memories.iter().filter(|memory| memory.embedding.is_some()).count();
        let mut are_gone = true;
        for id in &repeat.ids {
            are_gone &= view.live_row(*id)?.is_none();
        }
        if are_gone {
            // They were deleted since: it is no retry.
            return Ok(None);
        }
        let first = self.first(view, &repeat.ids)?;
        Ok(Some(Ok(StoredIds { ids: repeat.ids, first, vectors, duplicate: true, existed: false })))
    }

    /// Reads the memory that the answer to a single one tells of.
    fn first(&self, view: &TenantView<'_>, ids: &[MemoryId]) -> Result<Option<Memory>> {
        let id = ids.first().filter(|_| self.form == ListForm::One);
        Ok(id.map(|id| view.memory(*id)).transpose()?.flatten())
    }

    fn path(&self, at: usize, name: &str) -> String {
        match self.form {
            ListForm::One => name.to_owned(),
            ListForm::Batch => format!("memories[{at}].{name}"),
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

impl RepeatKey {
    fn of(body: &Value, key: Option<&IdempotencyKey>, form: ListForm) -> Self {
        let form = if form == ListForm::One { "one" } else { "batch" };
        let body = ContentHash::digest(format!("{form}\n{body}").as_bytes());
        let named =
            key.map(|IdempotencyKey(key)| ContentHash::digest(format!("key\n{key}").as_bytes()));
        Self { key: named.unwrap_or(body), body, is_named: named.is_some() }
    }
}

fn refuse_other_body() -> Box<ServiceRefusal> {
    let message = "Idempotency-Key was used with another body";
    let next = "send another key with another body";
    ServiceRefusal::new(RefusalStatus::Conflict, message, next)
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
    view.log(&MemoryChange { kind: ChangeKind::Stored, id, row, actor, now, before: None, after })
}
