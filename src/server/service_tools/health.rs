//! `check_database_health`: whether the service answers, and how much it keeps.

use serde_json::{Value, json};

use super::arguments::Arguments;
use super::reply::ServiceReply;
use super::texts::memories;
use crate::error::Error;
use crate::secrets::shown_name;
use crate::service::verbs::{ServiceAnswer, ServiceSession, health};

/// The name of what keeps the memories.
const BACKEND: &str = "agent-memory";

pub(super) fn check_database_health(
    session: &ServiceSession,
    _: &Arguments,
) -> ServiceAnswer<ServiceReply> {
    let health = health(&session.store, Some(session.tenant), session.now)?;
    let mut statistics = json!(health);
    let status = statistics["status"].take();
    statistics.as_object_mut().into_iter().for_each(|all| all.retain(|_, it| !it.is_null()));
    let text = format!(
        "{}: {}; vectors: {}; pending jobs: {}",
        health.status,
        memories(health.memory_count),
        health.vector_count,
        health.enrichment.pending
    );
    let data = json!({"status": status, "backend": BACKEND, "statistics": statistics});
    Ok(Ok(ServiceReply::shown(data, vec![text])))
}

/// Tells that the service does not answer: that is what was asked.
pub(super) fn unhealthy(error: &Error) -> ServiceReply {
    let problem: Value = shown_name(&error.to_string()).into();
    let text = format!("error: {}", problem.as_str().unwrap_or_default());
    let data = json!({"status": "error", "backend": BACKEND, "error": problem});
    ServiceReply::shown(data, vec![text])
}
