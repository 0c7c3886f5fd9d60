//! `recall_memory`: ranked, by id, or all with a tag.

use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use super::call::ServiceCall;
use super::recalled::{RecallFormat, full};
use super::reply::ServiceReply;
use super::texts::{entry, fenced, memories};
use crate::server::service_backend::ServiceRequest;
use crate::service::request::{FieldError, QueryParameters, RefusalStatus, ServiceRefusal};
use crate::service::verbs::{ServiceAnswer, path_id};

pub(super) fn recall_memory(call: &ServiceCall<'_>) -> ServiceAnswer<ServiceReply> {
    let arguments = call.arguments;
    let format = arguments.text("format").and_then(RecallFormat::parse);
    let format = format.unwrap_or(RecallFormat::Text);
    match (arguments.text("memory_id"), arguments.flag("exhaustive")) {
        (Some(id), _) => fetch(call, id),
        (None, Some(true)) => enumerate(call, format),
        (None, Some(false) | None) => rank(call, format),
    }
}

/// Returns one memory in full, however long it is.
fn fetch(call: &ServiceCall<'_>, id: &str) -> ServiceAnswer<ServiceReply> {
    let id = match path_id(id) {
        Ok(id) => id,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let memory = match call.ask(ServiceRequest::Get(id))? {
        Ok(got) => full(got.get("memory").unwrap_or(&got)),
        Err(refusal) if refusal.status == RefusalStatus::NotFound => {
            let data = json!({"count": 0, "results": [], "mode": "id_fetch"});
            let text = format!("No memory has the id {id}.");
            return Ok(Ok(ServiceReply::shown(data, vec![text])));
        }
        Err(refusal) => return Ok(Err(refusal)),
    };
    let text = fenced(&entry(1, &memory));
    let data = json!({"count": 1, "results": [memory], "mode": "id_fetch"});
    Ok(Ok(ServiceReply::shown(data, vec![text])))
}

/// Returns a page of all memories that have one of the tags.
fn enumerate(call: &ServiceCall<'_>, format: RecallFormat) -> ServiceAnswer<ServiceReply> {
    let arguments = call.arguments;
    let errors = wrong_in_enumeration(arguments);
    if !errors.is_empty() {
        return Ok(Err(ServiceRefusal::of_fields(errors)));
    }
    let query = arguments.parameters_without(&["exhaustive", "format", "tag_mode", "tag_match"]);
    Ok(call.ask(ServiceRequest::ByTag(query))?.map(|found| {
        let results: Vec<Value> = list(&found, "memories").iter().map(tagged).collect();
        let data = json!({
            "mode": "enumeration", "tags": found["tags"], "limit": found["limit"],
            "offset": found["offset"], "has_more": found["has_more"],
        });
        let (offset, count) = (found["offset"].as_u64().unwrap_or_default(), results.len() as u64);
        let rest = match found["has_more"] == true {
            true => format!(" There are more: call again with `offset` {}.", offset + count),
            false => " There are no more.".to_owned(),
        };
        let head = format!("{}, from `offset` {offset} on.", memories(count));
        call.page(data, head, offset).with_rest(rest).reply(&results, format)
    }))
}

/// Gives a memory that has a tag the form of a result.
fn tagged(memory: &Value) -> Value {
    json!({
        "memory": memory, "match_type": "tag", "final_score": memory["importance"],
        "relations": memory["relations"],
    })
}

/// Returns a list of an answer; an empty one where there is none.
fn list<'a>(answer: &'a Value, name: &str) -> &'a [Value] {
    answer[name].as_array().map(Vec::as_slice).unwrap_or_default()
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

fn rank(call: &ServiceCall<'_>, format: RecallFormat) -> ServiceAnswer<ServiceReply> {
    let offset = call.arguments.whole("offset").unwrap_or(0);
    Ok(call.ask(ServiceRequest::Recall(ranked_query(call.arguments, offset)))?.map(|answer| {
        let found = list(&answer, "results");
        let results = found.get(offset..).unwrap_or_default();
        let head = match results.len() {
            0 if found.is_empty() => "No memory was found.".to_owned(),
            0 => format!(
                "There are no more: this recall ended after {}. To list all that have a tag, use `tags` and `exhaustive`.",
                memories(found.len() as u64)
            ),
            1 if offset == 0 => "1 memory, the best match.".to_owned(),
            count => {
                let order = answer["sort"].as_str().unwrap_or("score");
                format!("{}, in order of {order}.", memories(count as u64))
            }
        };
        call.page(diagnostics(&answer), head, offset as u64).reply(results, format)
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
fn diagnostics(answer: &Value) -> Value {
    let said = answer.as_object().into_iter().flatten();
    let said = said.filter(|(name, _)| !["results", "count", "status"].contains(&name.as_str()));
    let mut data: Value =
        said.map(|(name, value)| (name.clone(), value.clone())).collect::<Map<_, _>>().into();
    data["mode"] = "ranked".into();
    data
}
