//! `update_memory`: changes a memory in place.

use serde_json::json;

use super::arguments::Arguments;
use super::reply::ServiceReply;
use super::size::{ContentSize, warn_of_size};
use crate::service::request::ServiceRefusal;
use crate::service::verbs::{ServiceAnswer, ServiceSession, update};

pub(super) fn update_memory(
    session: &ServiceSession,
    arguments: &Arguments,
) -> ServiceAnswer<ServiceReply> {
    let id = arguments.text("memory_id").unwrap_or_default();
    let body = arguments.body_without(&["memory_id"]);
    if body.as_object().is_some_and(serde_json::Map::is_empty) {
        let message = "there is nothing to change";
        let detail = "found `memory_id` alone, allowed are also `content`, `tags`, `importance`, `metadata` and others";
        return Ok(Err(ServiceRefusal::of_field("memory_id", message, detail)));
    }
    let size = ContentSize::of("content", &body["content"]);
    if let Some(refusal) = size.refusal() {
        return Ok(Ok(refusal));
    }
    Ok(update(session, id, body)?.map(|updated| {
        let id = updated.memory_id;
        let message = format!("Memory {id} updated");
        let mut data = json!({"memory_id": id, "message": message, "warnings": updated.warnings});
        warn_of_size(&mut data, size.warning());
        ServiceReply::said(data)
    }))
}
