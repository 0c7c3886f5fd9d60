//! `associate_memories`: links one pair, or many.

use serde_json::{Value, json};

use super::arguments::Arguments;
use super::reply::ServiceReply;
use crate::service::request::{BatchAssociateAnswer, FieldError, ServiceRefusal};
use crate::service::verbs::{Associated, ServiceAnswer, ServiceSession, associate};

/// The arguments of one pair.
const PAIR: [&str; 2] = ["memory1_id", "memory2_id"];

pub(super) fn associate_memories(
    session: &ServiceSession,
    arguments: &Arguments,
) -> ServiceAnswer<ServiceReply> {
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
    Ok(associate(session, body)?.map(|done| match done {
        Associated::One(answer) => ServiceReply::said(json!({
            "success": true, "message": answer.message,
            "relation_type": answer.relation_type, "strength": answer.strength,
        })),
        Associated::Batch(answer) => many(&answer),
    }))
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

fn many(answer: &BatchAssociateAnswer) -> ServiceReply {
    let data = json!({
        "success": answer.failed_count == 0, "message": answer.summary, "summary": answer.summary,
        "created_count": answer.created_count, "failed_count": answer.failed_count,
        "succeeded": answer.succeeded, "failed": answer.failed,
    });
    let line = |at: usize, reason: &str| format!("associations[{at}] failed: {reason}");
    let lines: Vec<String> =
        answer.failed.iter().map(|failed| line(failed.index, &failed.reason)).collect();
    let reply = ServiceReply::said(data);
    if lines.is_empty() { reply } else { reply.and(&lines.join("\n")) }
}
