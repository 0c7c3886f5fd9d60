//! `update_memory`: changes a memory in place.

use serde_json::json;

use super::call::ServiceCall;
use super::reply::ServiceReply;
use super::size::{ContentSize, warn_of_size};
use crate::server::service_backend::ServiceRequest;
use crate::service::request::ServiceRefusal;
use crate::service::verbs::{ServiceAnswer, path_id};

pub(super) fn update_memory(call: &ServiceCall<'_>) -> ServiceAnswer<ServiceReply> {
    let id = match path_id(call.arguments.text("memory_id").unwrap_or_default()) {
        Ok(id) => id,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let body = call.arguments.body_without(&["memory_id"]);
    if body.as_object().is_some_and(serde_json::Map::is_empty) {
        let message = "there is nothing to change";
        let detail = "found `memory_id` alone, allowed are also `content`, `tags`, `importance`, `metadata` and others";
        return Ok(Err(ServiceRefusal::of_field("memory_id", message, detail)));
    }
    let size = ContentSize::of("content", &body["content"]);
    if let Some(refusal) = size.refusal() {
        return Ok(Ok(refusal));
    }
    Ok(call.ask(ServiceRequest::Update(id, body))?.map(|updated| {
        let mut data = json!({"memory_id": id, "message": format!("Memory {id} updated")});
        if updated["warnings"].is_array() {
            data["warnings"] = updated["warnings"].clone();
        }
        warn_of_size(&mut data, size.warning());
        ServiceReply::said(data)
    }))
}
