//! `delete_memory`: one memory, or all with a tag.

use serde_json::json;

use super::arguments::Arguments;
use super::reply::ServiceReply;
use super::texts::memories;
use crate::service::request::{RefusalStatus, ServiceRefusal};
use crate::service::verbs::{Deletion, ServiceAnswer, ServiceSession, delete, delete_by_tag};

pub(super) fn delete_memory(
    session: &ServiceSession,
    arguments: &Arguments,
) -> ServiceAnswer<ServiceReply> {
    match (arguments.text("memory_id"), arguments.has("tags")) {
        (Some(id), false) => delete_one(session, id),
        (None, true) => delete_tagged(session, arguments),
        (given, _) => {
            let found = if given.is_some() { "both" } else { "none" };
            let message = "give either 'memory_id' or 'tags'";
            let detail = format!("found {found}, allowed is one of them");
            Ok(Err(ServiceRefusal::of_field("memory_id", message, detail)))
        }
    }
}

/// What is gone already is done, so that the call can be repeated.
fn delete_one(session: &ServiceSession, id: &str) -> ServiceAnswer<ServiceReply> {
    Ok(match delete(session, id, Deletion::Soft)? {
        Ok(deleted) => Ok(ServiceReply::said(
            json!({"memory_id": deleted.memory_id, "message": deleted.message}),
        )),
        Err(refusal) if refusal.status == RefusalStatus::NotFound => {
            let id = id.trim();
            let message = format!("there is no memory {id}: it is deleted already, or never was");
            Ok(ServiceReply::said(
                json!({"memory_id": id, "message": message, "already_deleted": true}),
            ))
        }
        Err(refusal) => Err(refusal),
    })
}

fn delete_tagged(session: &ServiceSession, arguments: &Arguments) -> ServiceAnswer<ServiceReply> {
    let query = arguments.parameters_without(&["memory_id"]);
    Ok(delete_by_tag(session, &query)?.map(|deleted| {
        let count = deleted.deleted_count;
        let message = format!("{} deleted", memories(count));
        ServiceReply::said(
            json!({"deleted_count": count, "tags": deleted.tags, "message": message}),
        )
    }))
}
