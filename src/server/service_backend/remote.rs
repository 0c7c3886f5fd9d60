//! The service on a server: ours, or another that has the same routes.

use serde_json::{Value, json};

use super::backend::{ServiceBackend, ServiceRequest};
use super::http_client::{HttpAnswer, HttpClient, HttpMethod};
use crate::contract::Timestamp;
use crate::error::{Error, ErrorKind, Result};
use crate::service::request::{
    FieldError, MemoryId, QueryParameters, RefusalStatus, SUPERSESSION_STRENGTH, ServiceRefusal,
    Supersession,
};
use crate::service::verbs::{ServiceAnswer, path_id};

/// The service on a server.
pub(in crate::server) struct RemoteService {
    client: HttpClient,
    now: fn() -> Result<Timestamp>,
}

impl RemoteService {
    pub(in crate::server) fn new(client: HttpClient, now: fn() -> Result<Timestamp>) -> Self {
        Self { client, now }
    }

    fn send(&self, path: &str, method: HttpMethod<'_>) -> ServiceAnswer<Value> {
        let HttpAnswer { status, body } = self.client.send(path, method)?;
        Ok(if status < 300 { Ok(body) } else { Err(refusal(status, &body)) })
    }

    /// Sends a request to the route of one memory; what is no id never becomes a part of a path.
    fn send_to(&self, id: &str, method: HttpMethod<'_>) -> ServiceAnswer<Value> {
        match path_id(id) {
            Ok(id) => self.send(&format!("/memory/{id}"), method),
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    /// Supersedes as the known clients do, request by request. If the old memory cannot be marked, the new one is deleted.
    fn supersede(&self, supersession: &Supersession) -> ServiceAnswer<Value> {
        let nothing = QueryParameters::default();
        let old = match self.send_to(&supersession.old, HttpMethod::Get(&nothing))? {
            Ok(_) => path_id(&supersession.old),
            Err(refusal) => Err(refusal),
        };
        let old = match old {
            Ok(old) => old,
            Err(refusal) => return Ok(Err(refusal.at("supersedes_memory_id".to_owned()))),
        };
        let mut stored = match self.send("/memory", HttpMethod::Post(&supersession.memory))? {
            Ok(stored) => stored,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let new = self.new_id(&stored)?;
        if new == old {
            return Ok(Err(ServiceRefusal::same_as_superseded(old)));
        }
        let patch = supersession.patch(new, (self.now)()?);
        let marked = self.send_to(&supersession.old, HttpMethod::Patch(&patch));
        if !matches!(marked, Ok(Ok(_))) {
            // One that was there before the call stays.
            if stored["duplicate"] != true {
                self.send_to(&new.to_string(), HttpMethod::Delete(&nothing))?.ok();
            }
            return marked;
        }
        let link = json!({
            "memory1_id": old, "memory2_id": new, "type": supersession.relation,
            "strength": SUPERSESSION_STRENGTH,
        });
        let linked = self.send("/associate", HttpMethod::Post(&link))?;
        stored["superseded_memory_id"] = json!(old);
        stored["association_created"] = linked.is_ok().into();
        Ok(Ok(stored))
    }

    fn new_id(&self, stored: &Value) -> Result<MemoryId> {
        stored["memory_id"].as_str().and_then(MemoryId::parse).ok_or_else(|| {
            Error::new(ErrorKind::ServerFailed, "the memory service named no id of what it stored")
                .hint("look for the new memory with recall_memory before you store it again")
        })
    }
}

impl ServiceBackend for RemoteService {
    fn ask(&self, request: ServiceRequest) -> ServiceAnswer<Value> {
        let nothing = QueryParameters::default();
        match request {
            ServiceRequest::Store(body) => self.send("/memory", HttpMethod::Post(&body)),
            ServiceRequest::StoreBatch(body) => self.send("/memory/batch", HttpMethod::Post(&body)),
            ServiceRequest::Supersede(supersession) => self.supersede(&supersession),
            ServiceRequest::Get(id) => self.send_to(&id, HttpMethod::Get(&nothing)),
            ServiceRequest::Recall(query) => self.send("/recall", HttpMethod::Get(&query)),
            ServiceRequest::ByTag(query) => self.send("/memory/by-tag", HttpMethod::Get(&query)),
            ServiceRequest::Update(id, body) => self.send_to(&id, HttpMethod::Patch(&body)),
            ServiceRequest::Delete(id) => self.send_to(&id, HttpMethod::Delete(&nothing)),
            ServiceRequest::DeleteByTag(query) => {
                self.send("/memory/by-tag", HttpMethod::Delete(&query))
            }
            ServiceRequest::Associate(body) => self.send("/associate", HttpMethod::Post(&body)),
            ServiceRequest::Health => self.send("/health", HttpMethod::Get(&nothing)),
        }
    }
}

/// Reads why a server refuses a request.
fn refusal(status: u16, body: &Value) -> Box<ServiceRefusal> {
    let text = |name: &str| body[name].as_str().map(str::to_owned);
    let message = text("message").or_else(|| text("detail"));
    let message = message.unwrap_or_else(|| format!("the server answered with {status}"));
    let error = |each: &Value| {
        let text = |name: &str| each[name].as_str().unwrap_or_default().to_owned();
        FieldError { field: text("field"), message: text("message"), detail: String::new() }
    };
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
        errors: body["errors"].as_array().into_iter().flatten().map(error).collect(),
    })
}
