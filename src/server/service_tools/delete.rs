//! `delete_memory`: one memory, or all with a tag.

use serde_json::json;

use super::call::ServiceCall;
use super::reply::ServiceReply;
use super::texts::memories;
use crate::server::service_backend::ServiceRequest;
use crate::service::request::{RefusalStatus, ServiceRefusal};
use crate::service::verbs::{ServiceAnswer, path_id};

pub(super) fn delete_memory(call: &ServiceCall<'_>) -> ServiceAnswer<ServiceReply> {
    match (call.arguments.text("memory_id"), call.arguments.has("tags")) {
        (Some(id), false) => delete_one(call, id),
        (None, true) => delete_tagged(call),
        (given, _) => {
            let found = if given.is_some() { "both" } else { "none" };
            let message = "give either 'memory_id' or 'tags'";
            let detail = format!("found {found}, allowed is one of them");
            Ok(Err(ServiceRefusal::of_field("memory_id", message, detail)))
        }
    }
}

/// What is gone already is done, so that the call can be repeated.
fn delete_one(call: &ServiceCall<'_>, id: &str) -> ServiceAnswer<ServiceReply> {
    let id = match path_id(id) {
        Ok(id) => id,
        Err(refusal) => return Ok(Err(refusal)),
    };
    Ok(match call.ask(ServiceRequest::Delete(id))? {
        Ok(_) => {
            let message = format!("Memory {id} deleted");
            Ok(ServiceReply::said(json!({"memory_id": id, "message": message})))
        }
        Err(refusal) if refusal.status == RefusalStatus::NotFound => {
            let message = format!("there is no memory {id}: it is deleted already, or never was");
            Ok(ServiceReply::said(
                json!({"memory_id": id, "message": message, "already_deleted": true}),
            ))
        }
        Err(refusal) => Err(refusal),
    })
}

fn delete_tagged(call: &ServiceCall<'_>) -> ServiceAnswer<ServiceReply> {
    let query = call.arguments.parameters_without(&["memory_id"]);
    Ok(call.ask(ServiceRequest::DeleteByTag(query))?.map(|deleted| {
        let count = &deleted["deleted_count"];
        let in_words = memories(count.as_u64().unwrap_or_default());
        let message = format!("{in_words} deleted");
        ServiceReply::said(
            json!({"deleted_count": count, "tags": deleted["tags"], "message": message}),
        )
    }))
}
