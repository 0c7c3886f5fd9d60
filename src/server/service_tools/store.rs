//! `store_memory`: one memory, many, or one that replaces another.

use serde_json::{Value, json};

use super::call::ServiceCall;
use super::reply::ServiceReply;
use super::size::{ContentSize, warn_of_size};
use super::stored::{many, one};
use super::supersede::{SUPERSEDE, supersession};
use crate::server::service_backend::ServiceRequest;
use crate::service::request::ServiceRefusal;
use crate::service::verbs::ServiceAnswer;

pub(super) fn store_memory(call: &ServiceCall<'_>) -> ServiceAnswer<ServiceReply> {
    let arguments = call.arguments;
    let is_batch = arguments.has("memories");
    if is_batch && arguments.text("content").is_some_and(|text| !text.trim().is_empty()) {
        return Ok(Err(refuse_both()));
    }
    if is_batch && arguments.text("supersedes_memory_id").is_some() {
        let message = "'supersedes_memory_id' needs 'content'";
        let detail = "found `memories`, allowed is one memory with `content`";
        return Ok(Err(ServiceRefusal::of_field("supersedes_memory_id", message, detail)));
    }
    match is_batch {
        true => store_many(call),
        false => store_one(call),
    }
}

fn refuse_both() -> Box<ServiceRefusal> {
    let message = "'content' and 'memories' exclude each other";
    let detail = "found both, allowed is `content` for one memory, or `memories` for many";
    ServiceRefusal::of_field("memories", message, detail)
}

fn store_one(call: &ServiceCall<'_>) -> ServiceAnswer<ServiceReply> {
    let mut without = vec!["memories"];
    without.extend(SUPERSEDE);
    let body = call.arguments.body_without(&without);
    let size = ContentSize::of("content", &body["content"]);
    if let Some(refusal) = size.refusal() {
        return Ok(Ok(refusal));
    }
    let request = match supersession(call.arguments, &body) {
        Ok(None) => ServiceRequest::Store(body),
        Ok(Some(supersession)) => ServiceRequest::Supersede(supersession),
        Err(refusal) => return Ok(Err(refusal)),
    };
    Ok(call.ask(request)?.map(|stored| {
        let mut data = one(&stored);
        tell_superseded(&mut data, &stored);
        warn_of_size(&mut data, size.warning());
        ServiceReply::said(data)
    }))
}

/// Tells which memory was replaced, if one was.
fn tell_superseded(data: &mut Value, stored: &Value) {
    let old = &stored["superseded_memory_id"];
    let Some(id) = old.as_str() else { return };
    let is_linked = stored["association_created"] != false;
    let rest = if is_linked { "" } else { "; their relation could not be set" };
    let message = data["message"].as_str().unwrap_or_default();
    data["message"] = format!("{message}; it supersedes {id}{rest}").into();
    data["superseded_memory_id"] = old.clone();
    data["association_created"] = is_linked.into();
}

fn store_many(call: &ServiceCall<'_>) -> ServiceAnswer<ServiceReply> {
    let arguments = call.arguments;
    let memories = arguments.list("memories").map(Vec::as_slice).unwrap_or_default();
    let size = |(at, item): (usize, &Value)| {
        ContentSize::of(format!("memories[{at}].content"), &item["content"])
    };
    let sizes: Vec<ContentSize> = memories.iter().enumerate().map(size).collect();
    if let Some(refusal) = sizes.iter().find_map(ContentSize::refusal) {
        return Ok(Ok(refusal));
    }
    let stored = match call.ask(ServiceRequest::StoreBatch(json!({ "memories": memories })))? {
        Ok(stored) => stored,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let mut data = many(&stored);
    let ignored = arguments.asked_beside(&["memories", "content"]);
    if !ignored.is_empty() {
        let warning = format!(
            "with `memories` these were ignored, as each has its own: {}",
            ignored.join(", ")
        );
        add_warning(&mut data, &warning);
    }
    let warnings: Vec<String> = sizes.iter().filter_map(ContentSize::warning).collect();
    warn_of_size(&mut data, (!warnings.is_empty()).then(|| warnings.join("; ")));
    let ids = stored["memory_ids"].as_array().into_iter().flatten();
    let ids: Vec<&str> = ids.filter_map(Value::as_str).collect();
    Ok(Ok(ServiceReply::said(data).and(&ids.join("\n"))))
}

fn add_warning(data: &mut Value, warning: &str) {
    match &mut data["warnings"] {
        Value::Array(list) => list.push(json!(warning)),
        none => *none = json!([warning]),
    }
}
