//! `check_database_health`: whether the service answers, and how much it keeps.

use serde_json::{Value, json};

use super::call::ServiceCall;
use super::reply::ServiceReply;
use super::texts::memories;
use crate::secrets::shown_name;
use crate::server::service_backend::ServiceRequest;
use crate::service::verbs::ServiceAnswer;

/// The name of what keeps the memories.
const BACKEND: &str = "agent-memory";

pub(super) fn check_database_health(call: &ServiceCall<'_>) -> ServiceAnswer<ServiceReply> {
    let answered = match call.ask(ServiceRequest::Health)? {
        Ok(answered) => answered,
        Err(refusal) => return Ok(Ok(unhealthy(&refusal.message))),
    };
    Ok(Ok(told(answered)))
}

fn told(mut statistics: Value) -> ServiceReply {
    let status = statistics["status"].take();
    let status = match status.as_str() {
        Some("healthy" | "degraded") => status,
        _ => return unhealthy(&format!("the service says that it is {status}")),
    };
    statistics.as_object_mut().into_iter().for_each(|all| all.retain(|_, it| !it.is_null()));
    let count = |value: &Value| value.as_u64().unwrap_or_default();
    let text = format!(
        "{}: {}; vectors: {}; pending jobs: {}",
        status.as_str().unwrap_or("unknown"),
        memories(count(&statistics["memory_count"])),
        count(&statistics["vector_count"]),
        count(&statistics["enrichment"]["pending"]),
    );
    let data = json!({"status": status, "backend": BACKEND, "statistics": statistics});
    ServiceReply::shown(data, vec![text])
}

/// Tells that the service does not answer: that is what was asked.
pub(super) fn unhealthy(problem: &str) -> ServiceReply {
    let problem: Value = shown_name(problem).into();
    let text = format!("error: {}", problem.as_str().unwrap_or_default());
    let data = json!({"status": "error", "backend": BACKEND, "error": problem});
    ServiceReply::shown(data, vec![text])
}
