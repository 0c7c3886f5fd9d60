//! The service in this process: its verbs, on the database.

use serde::Serialize;
use serde_json::{Value, json};

use super::backend::{ServiceBackend, ServiceRequest};
use crate::service::verbs::{
    self, Associated, Deletion, ServiceAnswer, ServiceSession, ServiceSessions,
};

/// The service in this process; each request has a session of its own.
pub(in crate::server) struct LocalService(pub(in crate::server) ServiceSessions);

impl ServiceBackend for LocalService {
    fn ask(&self, request: ServiceRequest) -> ServiceAnswer<Value> {
        answer(&(self.0)()?, request)
    }
}

fn answer(session: &ServiceSession, request: ServiceRequest) -> ServiceAnswer<Value> {
    match request {
        ServiceRequest::Store(body) => json_of(verbs::store(session, body, None)),
        ServiceRequest::StoreBatch(body) => json_of(verbs::store_batch(session, body, None)),
        ServiceRequest::Supersede(supersession) => json_of(verbs::supersede(session, supersession)),
        ServiceRequest::Get(id) => json_of(verbs::get(session, &id.to_string())),
        ServiceRequest::Recall(query) => json_of(verbs::recall(session, &query)),
        ServiceRequest::ByTag(query) => json_of(verbs::by_tag(session, &query)),
        ServiceRequest::Update(id, body) => json_of(verbs::update(session, &id.to_string(), body)),
        ServiceRequest::Delete(id) => {
            json_of(verbs::delete(session, &id.to_string(), Deletion::Soft))
        }
        ServiceRequest::DeleteByTag(query) => json_of(verbs::delete_by_tag(session, &query)),
        ServiceRequest::Associate(body) => match verbs::associate(session, body)? {
            Ok(Associated::One(one)) => json_of(Ok(Ok(one))),
            Ok(Associated::Batch(batch)) => json_of(Ok(Ok(batch))),
            Err(refusal) => Ok(Err(refusal)),
        },
        ServiceRequest::Health => {
            let health = verbs::health(&session.store, Some(session.tenant), session.now)?;
            json_of(Ok(Ok(health)))
        }
    }
}

fn json_of<T: Serialize>(answer: ServiceAnswer<T>) -> ServiceAnswer<Value> {
    Ok(answer?.map(|answer| json!(answer)))
}
