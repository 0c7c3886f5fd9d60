//! `check_database_health`: whether the service answers, and how much it keeps.

use serde_json::{Value, json};

use super::call::ServiceCall;
use super::reply::ServiceReply;
use super::texts::memories;
use crate::error::Error;
use crate::secrets::shown_name;
use crate::server::service_backend::ServiceRequest;
use crate::service::verbs::ServiceAnswer;

/// The name of what keeps the memories.
const BACKEND: &str = "agent-memory";

pub(super) fn check_database_health(call: &ServiceCall<'_>) -> ServiceAnswer<ServiceReply> {
    Ok(call.ask(ServiceRequest::Health)?.map(|mut statistics| {
        let status = statistics["status"].take();
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
    }))
}

/// Tells that the service does not answer: that is what was asked.
pub(super) fn unhealthy(error: &Error) -> ServiceReply {
    let problem: Value = shown_name(&error.to_string()).into();
    let text = format!("error: {}", problem.as_str().unwrap_or_default());
    let data = json!({"status": "error", "backend": BACKEND, "error": problem});
    ServiceReply::shown(data, vec![text])
}
