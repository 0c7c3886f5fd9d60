//! `associate_memories`: links one pair, or many.

use serde_json::{Value, json};

use super::call::ServiceCall;
use super::reply::ServiceReply;
use crate::server::service_backend::ServiceRequest;
use crate::service::request::{FieldError, ServiceRefusal};
use crate::service::verbs::ServiceAnswer;

/// The arguments of one pair.
const PAIR: [&str; 2] = ["memory1_id", "memory2_id"];

pub(super) fn associate_memories(call: &ServiceCall<'_>) -> ServiceAnswer<ServiceReply> {
    let arguments = call.arguments;
    let is_batch = arguments.has("associations");
    if is_batch && PAIR.iter().any(|name| arguments.has(name)) {
        let message = "'associations' and 'memory1_id' exclude each other";
        let detail = "found both, allowed is one pair, or `associations` for many";
        return Ok(Err(ServiceRefusal::of_field("associations", message, detail)));
    }
    let body = match is_batch {
        true => json!({ "associations": arguments.list("associations") }),
        false => arguments.body_without(&["associations"]),
    };
    let missing = without_strength(&body);
    if !missing.is_empty() {
        return Ok(Err(ServiceRefusal::of_fields(missing)));
    }
    let done = call.ask(ServiceRequest::Associate(body))?;
    Ok(done.map(|answer| if is_batch { many(&answer) } else { one(&answer) }))
}

/// Names the pairs whose strength is not said: no default is right for all of them.
fn without_strength(body: &Value) -> Vec<FieldError> {
    let error = |field: String| FieldError {
        message: format!("'{field}' is required"),
        detail: "found nothing, allowed is a number from 0 to 1".to_owned(),
        field,
    };
    let Some(list) = body["associations"].as_array() else {
        return body["strength"]
            .is_null()
            .then(|| error("strength".to_owned()))
            .into_iter()
            .collect();
    };
    let without = list.iter().enumerate().filter(|(_, pair)| pair["strength"].is_null());
    without.map(|(at, _)| error(format!("associations[{at}].strength"))).collect()
}

fn one(answer: &Value) -> ServiceReply {
    let message = if answer["message"].is_null() { &answer["summary"] } else { &answer["message"] };
    let data = json!({
        "success": true, "message": message,
        "relation_type": answer["relation_type"], "strength": answer["strength"],
    });
    ServiceReply::said(data).warn(&texts(&answer["warnings"]))
}

fn many(answer: &Value) -> ServiceReply {
    let data = json!({
        "success": answer["failed_count"] == 0,
        "message": answer["summary"], "summary": answer["summary"],
        "created_count": answer["created_count"], "failed_count": answer["failed_count"],
        "succeeded": answer["succeeded"], "failed": answer["failed"],
    });
    let line = |failed: &Value| {
        let reason = failed["reason"].as_str().unwrap_or_default();
        format!("associations[{}] failed: {reason}", failed["index"])
    };
    let failed = answer["failed"].as_array().into_iter().flatten();
    let lines: Vec<String> = failed.map(line).collect();
    let reply = ServiceReply::said(data);
    let reply = if lines.is_empty() { reply } else { reply.and(&lines.join("\n")) };
    reply.warn(&texts(&answer["warnings"]))
}

fn texts(list: &Value) -> Vec<String> {
    let list = list.as_array().into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}
