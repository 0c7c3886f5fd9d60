//! `store_memory`: one memory, many, or one that replaces another.

use serde_json::{Value, json};

use super::arguments::Arguments;
use super::reply::ServiceReply;
use super::size::{ContentSize, warn_of_size};
use super::stored::{many, one};
use super::supersede::{SUPERSEDE, supersede};
use crate::service::request::ServiceRefusal;
use crate::service::verbs::{ServiceAnswer, ServiceSession, store, store_batch};

pub(super) fn store_memory(
    session: &ServiceSession,
    arguments: &Arguments,
) -> ServiceAnswer<ServiceReply> {
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
        true => store_many(session, arguments),
        false => store_one(session, arguments),
    }
}

fn refuse_both() -> Box<ServiceRefusal> {
    let message = "'content' and 'memories' exclude each other";
    let detail = "found both, allowed is `content` for one memory, or `memories` for many";
    ServiceRefusal::of_field("memories", message, detail)
}

fn store_one(session: &ServiceSession, arguments: &Arguments) -> ServiceAnswer<ServiceReply> {
    let mut without = vec!["memories"];
    without.extend(SUPERSEDE);
    let body = arguments.body_without(&without);
    let size = ContentSize::of("content", &body["content"]);
    if let Some(refusal) = size.refusal() {
        return Ok(Ok(refusal));
    }
    let mut data = match arguments.text("supersedes_memory_id") {
        Some(old) => match supersede(session, old, arguments, body)? {
            Ok(data) => data,
            Err(refusal) => return Ok(Err(refusal)),
        },
        None => match store(session, body, None)? {
            Ok(stored) => one(&stored),
            Err(refusal) => return Ok(Err(refusal)),
        },
    };
    warn_of_size(&mut data, size.warning());
    Ok(Ok(ServiceReply::said(data)))
}

fn store_many(session: &ServiceSession, arguments: &Arguments) -> ServiceAnswer<ServiceReply> {
    let memories = arguments.list("memories").map(Vec::as_slice).unwrap_or_default();
    let size = |(at, item): (usize, &Value)| {
        ContentSize::of(format!("memories[{at}].content"), &item["content"])
    };
    let sizes: Vec<ContentSize> = memories.iter().enumerate().map(size).collect();
    if let Some(refusal) = sizes.iter().find_map(ContentSize::refusal) {
        return Ok(Ok(refusal));
    }
    let stored = match store_batch(session, json!({ "memories": memories }), None)? {
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
        data["warnings"].as_array_mut().into_iter().for_each(|list| list.push(json!(warning)));
    }
    let warnings: Vec<String> = sizes.iter().filter_map(ContentSize::warning).collect();
    warn_of_size(&mut data, (!warnings.is_empty()).then(|| warnings.join("; ")));
    let ids: Vec<String> = stored.memory_ids.iter().map(ToString::to_string).collect();
    Ok(Ok(ServiceReply::said(data).and(&ids.join("\n"))))
}
