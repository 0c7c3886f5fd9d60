//! Stores memories: one, or all of a list.

use std::collections::BTreeSet;
use std::time::Instant;

use serde_json::Value;

use super::elapsed::milliseconds;
use super::repeat_key::IdempotencyKey;
use super::session::{ServiceAnswer, ServiceSession};
use super::store_form::StoreForm;
use super::store_request::StoreRequest;
use crate::service::request::{BatchStored, Stored};

/// Answers `POST /memory`.
pub fn store(
    session: &ServiceSession,
    body: Value,
    key: Option<&IdempotencyKey>,
) -> ServiceAnswer<Stored> {
    let begun = Instant::now();
    let request = match StoreRequest::read(session, body, key, StoreForm::One)? {
        Ok(request) => request,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let warnings = request.warnings.clone();
    let made = request.carry_out(session)?;
    Ok(made.and_then(|made| made.told(warnings, session.now, begun)))
}

/// Answers `POST /memory/batch`.
pub fn store_batch(
    session: &ServiceSession,
    body: Value,
    key: Option<&IdempotencyKey>,
) -> ServiceAnswer<BatchStored> {
    let begun = Instant::now();
    let request = match StoreRequest::read(session, body, key, StoreForm::Batch)? {
        Ok(request) => request,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let warnings = request.warnings.clone();
    Ok(request.carry_out(session)?.map(|made| BatchStored {
        status: "success",
        stored: made.ids.iter().collect::<BTreeSet<_>>().len(),
        qdrant: match made.vectors {
            0 => "unconfigured".to_owned(),
            count => format!("stored ({count})"),
        },
        memory_ids: made.ids,
        enrichment: "queued",
        duplicate: made.duplicate,
        query_time_ms: milliseconds(begun),
        warnings,
    }))
}
