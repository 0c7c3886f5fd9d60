//! `recall_memory`: ranked, by id, or all with a tag.

use serde_json::{Value, json};

use super::arguments::Arguments;
use super::recalled::{RecallFormat, RecallPage, full};
use super::reply::ServiceReply;
use super::texts::{entry, fenced, memories};
use crate::service::request::{
    FieldError, QueryParameters, RecallAnswer, RefusalStatus, ServiceRefusal,
};
use crate::service::verbs::{ServiceAnswer, ServiceSession, by_tag, get, recall};

pub(super) fn recall_memory(
    session: &ServiceSession,
    arguments: &Arguments,
) -> ServiceAnswer<ServiceReply> {
    let format = arguments.text("format").and_then(RecallFormat::parse);
    let format = format.unwrap_or(RecallFormat::Text);
    match (arguments.text("memory_id"), arguments.flag("exhaustive")) {
        (Some(id), _) => fetch(session, id),
        (None, Some(true)) => enumerate(session, arguments, format),
        (None, Some(false) | None) => rank(session, arguments, format),
    }
}

/// Returns one memory in full, however long it is.
fn fetch(session: &ServiceSession, id: &str) -> ServiceAnswer<ServiceReply> {
    let memory = match get(session, id)? {
        Ok(got) => full(&got.memory),
        Err(refusal) if refusal.status == RefusalStatus::NotFound => {
            let data = json!({"count": 0, "results": [], "mode": "id_fetch"});
            let text = format!("No memory has the id {}.", id.trim());
            return Ok(Ok(ServiceReply::shown(data, vec![text])));
        }
        Err(refusal) => return Ok(Err(refusal)),
    };
    let text = fenced(&entry(1, &memory));
    let data = json!({"count": 1, "results": [memory], "mode": "id_fetch"});
    Ok(Ok(ServiceReply::shown(data, vec![text])))
}

/// Returns a page of all memories that have one of the tags.
fn enumerate(
    session: &ServiceSession,
    arguments: &Arguments,
    format: RecallFormat,
) -> ServiceAnswer<ServiceReply> {
    let errors = wrong_in_enumeration(arguments);
    if !errors.is_empty() {
        return Ok(Err(ServiceRefusal::of_fields(errors)));
    }
    let query = arguments.parameters_without(&["exhaustive", "format", "tag_mode", "tag_match"]);
    Ok(by_tag(session, &query)?.map(|found| {
        let data = json!({
            "mode": "enumeration", "tags": found.tags, "limit": found.limit,
            "offset": found.offset, "has_more": found.has_more,
        });
        let next = found.offset + found.count;
        let rest = match found.has_more {
            true => format!(" There are more: call again with `offset` {next}."),
            false => " There are no more.".to_owned(),
        };
        let head = format!("{}, from `offset` {} on.{rest}", memories(found.count), found.offset);
        RecallPage { data, head, first: found.offset + 1 }.reply(&found.results, format)
    }))
}

/// Names the arguments that have no meaning without ranking.
fn wrong_in_enumeration(arguments: &Arguments) -> Vec<FieldError> {
    const PAGE: [&str; 5] = ["exhaustive", "tags", "limit", "offset", "format"];
    let means_the_same = |name: &str| {
        matches!(
            (name, arguments.text(name)),
            ("tag_mode", Some("any")) | ("tag_match", Some("exact"))
        )
    };
    let ranked = arguments.asked_beside(&PAGE).into_iter().filter(|name| !means_the_same(name));
    let mut errors: Vec<FieldError> = ranked
        .map(|name| FieldError {
            field: name.to_owned(),
            message: format!("'{name}' is only for ranked recall"),
            detail: "found it with `exhaustive`, which lists all that have exactly one of the tags; leave one of them out"
                .to_owned(),
        })
        .collect();
    if !arguments.has("tags") {
        errors.push(FieldError {
            field: "tags".to_owned(),
            message: "'exhaustive' needs 'tags'".to_owned(),
            detail: "found none, allowed is a list of texts".to_owned(),
        });
    }
    errors
}

fn rank(
    session: &ServiceSession,
    arguments: &Arguments,
    format: RecallFormat,
) -> ServiceAnswer<ServiceReply> {
    let offset = arguments.whole("offset").unwrap_or(0);
    Ok(recall(session, &ranked_query(arguments, offset))?.map(|mut answer| {
        let passed = offset.min(answer.results.len());
        let results = answer.results.split_off(passed);
        let head = match results.len() {
            0 => "No memory was found.".to_owned(),
            1 => "1 memory, the best match.".to_owned(),
            count => format!("{}, in order of {}.", memories(count), answer.sort),
        };
        RecallPage { data: diagnostics(answer), head, first: offset + 1 }.reply(&results, format)
    }))
}

/// Makes the query of a ranked recall; those that are passed over are asked for too.
fn ranked_query(arguments: &Arguments, offset: usize) -> QueryParameters {
    let own = ["exhaustive", "format", "offset", "limit", "current_only"];
    let mut query = arguments.parameters_without(&own);
    let mut add = |name: &str, value: String| query.0.push((name.to_owned(), value));
    add("limit", arguments.whole("limit").unwrap_or(5).saturating_add(offset).to_string());
    if arguments.flag("current_only") == Some(false) && !arguments.has("state_mode") {
        add("state_mode", "history".to_owned());
    }
    query
}

/// Returns what a recall says beside its results.
fn diagnostics(mut answer: RecallAnswer) -> Value {
    answer.results.clear();
    let mut data = json!(answer);
    data["mode"] = "ranked".into();
    for name in ["results", "count", "status"] {
        data.as_object_mut().into_iter().for_each(|all| drop(all.remove(name)));
    }
    data
}
