//! The service on a server: ours, or another that has the same routes.

use serde_json::{Map, Value, json};

use super::backend::{ServiceBackend, ServiceRequest};
use super::http_client::{HttpAnswer, HttpClient, HttpRequest};
use crate::contract::{ContentHash, Timestamp};
use crate::disk::random;
use crate::error::{Error, ErrorKind, Result};
use crate::service::request::{
    FieldError, MemoryId, QueryParameters, RefusalStatus, SUPERSESSION_STRENGTH, ServiceRefusal,
    Supersession,
};
use crate::service::verbs::ServiceAnswer;

/// One of these is in every answer of a memory service.
const SAID: [&str; 7] =
    ["status", "memory_id", "id", "memory", "memories", "memory_ids", "results"];

/// The service on a server.
pub(in crate::server) struct RemoteService {
    client: HttpClient,
    now: fn() -> Result<Timestamp>,
}

impl RemoteService {
    pub(in crate::server) fn new(client: HttpClient, now: fn() -> Result<Timestamp>) -> Self {
        Self { client, now }
    }

    fn send(&self, path: &str, request: HttpRequest<'_>) -> ServiceAnswer<Value> {
        let HttpAnswer { status, body } = self.client.send(path, request)?;
        if status >= 300 {
            return Ok(Err(refusal(status, &body)));
        }
        // An empty object would be told as success.
        match body.keys().any(|name| SAID.contains(&name.as_str())) {
            true => Ok(Ok(Value::Object(body))),
            false => Err(self.client.wrong_answer(status)),
        }
    }

    fn get(&self, path: &str) -> ServiceAnswer<Value> {
        self.send(path, HttpRequest::Get(&QueryParameters::default()))
    }

    fn delete(&self, id: MemoryId) -> ServiceAnswer<Value> {
        self.send(&path_of(id), HttpRequest::Delete(&QueryParameters::default()))
    }

    fn post(&self, path: &str, body: &Value) -> ServiceAnswer<Value> {
        let key = ContentHash::of(&random::<32>()?).to_string();
        self.send(path, HttpRequest::Post(body, &key))
    }

    /// Supersedes as the known clients do, request by request. If the old memory cannot be marked, the new one is deleted.
    fn supersede(&self, supersession: &Supersession) -> ServiceAnswer<Value> {
        let Supersession { old, memory, relation, .. } = supersession;
        let known = match self.get(&path_of(*old))? {
            Ok(known) => known,
            Err(refusal) => return Ok(Err(refusal.at("supersedes_memory_id".to_owned()))),
        };
        if memory_of(&known)["content"].as_str().map(str::trim)
            == memory["content"].as_str().map(str::trim)
        {
            return Ok(Err(ServiceRefusal::same_as_superseded(old)));
        }
        let mut stored = match self.post("/memory", memory)? {
            Ok(stored) => stored,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let new = new_id(&stored)?;
        if new == *old {
            return Ok(Err(ServiceRefusal::same_as_superseded(old)));
        }
        if stored["duplicate"] == true && !self.is_current(new)? {
            return Ok(Err(ServiceRefusal::outdated_successor()));
        }
        let patch = patch_of(supersession, new, &known, (self.now)()?);
        match self.send(&path_of(*old), HttpRequest::Patch(&patch)) {
            Ok(Ok(_)) => {}
            Ok(Err(refusal)) => {
                // One that was there before the call stays.
                let stays =
                    stored["duplicate"] == true || self.delete(new).is_ok_and(|it| it.is_ok());
                return if stays { Ok(Err(refusal)) } else { Err(half_done(*old, new)) };
            }
            // It may be marked: to delete the new one could leave neither.
            Err(error) => return Err(half_done(*old, new).because(error)),
        }
        let link = json!({
            "memory1_id": old, "memory2_id": new, "type": relation,
            "strength": SUPERSESSION_STRENGTH,
        });
        stored["association_created"] = matches!(self.post("/associate", &link), Ok(Ok(_))).into();
        stored["superseded_memory_id"] = json!(old);
        Ok(Ok(stored))
    }
}

impl RemoteService {
    /// Tells whether a memory that was stored before the call can stand for another.
    fn is_current(&self, id: MemoryId) -> Result<bool> {
        let Ok(known) = self.get(&path_of(id))? else { return Ok(false) };
        let memory = memory_of(&known);
        let until = memory["t_invalid"].as_str().and_then(Timestamp::parse);
        let now = (self.now)()?;
        Ok(memory["metadata"]["superseded_by"].is_null() && until.is_none_or(|until| until > now))
    }
}

impl ServiceBackend for RemoteService {
    fn ask(&self, request: ServiceRequest) -> ServiceAnswer<Value> {
        match request {
            ServiceRequest::Store(body) => self.post("/memory", &body),
            ServiceRequest::StoreBatch(body) => self.post("/memory/batch", &body),
            ServiceRequest::Supersede(supersession) => self.supersede(&supersession),
            ServiceRequest::Get(id) => self.get(&path_of(id)),
            ServiceRequest::Recall(query) => self.send("/recall", HttpRequest::Get(&query)),
            ServiceRequest::ByTag(query) => self.send("/memory/by-tag", HttpRequest::Get(&query)),
            ServiceRequest::Update(id, body) => self.send(&path_of(id), HttpRequest::Patch(&body)),
            ServiceRequest::Delete(id) => self.delete(id),
            ServiceRequest::DeleteByTag(query) => {
                self.send("/memory/by-tag", HttpRequest::Delete(&query))
            }
            ServiceRequest::Associate(body) => self.post("/associate", &body),
            ServiceRequest::Health => self.get("/health"),
        }
    }
}

fn path_of(id: MemoryId) -> String {
    format!("/memory/{id}")
}

/// Returns the change of the old memory; for AutoMem with all of its metadata, as that replaces them. Ours merges, and says
/// `derived_tags`.
fn patch_of(supersession: &Supersession, new: MemoryId, known: &Value, now: Timestamp) -> Value {
    let mut patch = supersession.patch(new, now);
    let old = memory_of(known);
    let all = old["metadata"].as_object().filter(|_| old["derived_tags"].is_null());
    for (name, value) in all.into_iter().flatten() {
        if patch["metadata"][name].is_null() {
            patch["metadata"][name] = value.clone();
        }
    }
    patch
}

/// Returns the memory of an answer, which some servers give without a name.
fn memory_of(answer: &Value) -> &Value {
    answer.get("memory").unwrap_or(answer)
}

fn new_id(stored: &Value) -> Result<MemoryId> {
    let id = [&stored["memory_id"], &stored["id"]].into_iter().find_map(Value::as_str);
    id.and_then(MemoryId::parse).ok_or_else(|| {
        Error::new(ErrorKind::ServerFailed, "the memory service named no id of what it stored")
            .hint("look for the new memory with recall_memory before you store it again")
    })
}

fn half_done(old: MemoryId, new: MemoryId) -> Error {
    let message =
        format!("{new} is stored, and whether {old} is marked as superseded is not known");
    Error::new(ErrorKind::ServerFailed, message)
        .hint("read the old memory with recall_memory: if nothing says `superseded_by`, mark it with update_memory, or delete the new one")
}

/// Reads why a server refuses a request.
fn refusal(status: u16, body: &Map<String, Value>) -> Box<ServiceRefusal> {
    let text = |name: &str| body.get(name).and_then(Value::as_str).map(str::to_owned);
    let message = text("message").or_else(|| text("detail"));
    let message = message.unwrap_or_else(|| format!("the server answered with {status}"));
    let error = |each: &Value| {
        let text = |name: &str| each[name].as_str().unwrap_or_default().to_owned();
        FieldError { field: text("field"), message: text("message"), detail: String::new() }
    };
    let errors = body.get("errors").and_then(Value::as_array).into_iter().flatten();
    Box::new(ServiceRefusal {
        status: match status {
            401 => RefusalStatus::Unauthorized,
            403 => RefusalStatus::Forbidden,
            404 => RefusalStatus::NotFound,
            409 => RefusalStatus::Conflict,
            _ => RefusalStatus::BadRequest,
        },
        error: text("error").unwrap_or_else(|| message.clone()),
        message,
        field: text("field"),
        errors: errors.map(error).collect(),
    })
}
