//! Tells which memories have no vector. No model is configured that makes one: vectors come with what is stored.

use serde_json::Value;

use super::session::{ServiceAnswer, ServiceSession};
use crate::service::request::{EmbedRequest, ReembedAnswer, SyncAnswer};

/// Ids of a sample at most.
const SAMPLE: usize = 10;

/// Why no vector is made.
const NO_MODEL: &str =
    "no model is configured, so no vector is made: send `embedding` with a memory";

/// Answers `POST /admin/sync`; an absent body is `null`.
pub fn admin_sync(session: &ServiceSession, body: &Value) -> ServiceAnswer<SyncAnswer> {
    let request = match EmbedRequest::read(body) {
        Ok(request) => request,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let (memories, vectors, missing_sample) = session.read(|view| {
        Ok((view.count()?, view.count_vectors()?, view.ids_without_vector(SAMPLE)?))
    })?;
    let missing_count = memories.saturating_sub(vectors);
    Ok(Ok(SyncAnswer {
        status: match missing_count {
            _ if request.dry_run => "dry_run",
            0 => "already_synced",
            _ => "skipped",
        },
        falkordb_count: memories,
        qdrant_count: vectors,
        missing_count,
        missing_sample,
        orphaned_count: 0,
        orphaned_sample: Vec::new(),
        synced: 0,
        failed: 0,
        message: (missing_count > 0).then_some(NO_MODEL),
        warnings: request.warnings,
    }))
}

/// Answers `POST /admin/reembed`; an absent body is `null`.
pub fn admin_reembed(session: &ServiceSession, body: &Value) -> ServiceAnswer<ReembedAnswer> {
    let request = match EmbedRequest::read(body) {
        Ok(request) => request,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let (memories, vectors) = session.read(|view| Ok((view.count()?, view.count_vectors()?)))?;
    let wanted = if request.force { memories } else { memories.saturating_sub(vectors) };
    Ok(Ok(ReembedAnswer {
        status: "complete",
        total: request.limit.map_or(wanted, |limit| wanted.min(limit)),
        processed: 0,
        failed: 0,
        failed_ids: Vec::new(),
        batch_size: request.batch_size,
        metadata_preserved: true,
        message: NO_MODEL,
        warnings: request.warnings,
    }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::service::verbs::tests::Sample;

    fn sample() -> Sample {
        let sample = Sample::new();
        sample.store(json!({"content": "a", "embedding": [1.0, 0.0]}));
        sample.say("b", 1);
        sample.say("c", 2);
        sample
    }

    #[test]
    fn memories_without_a_vector_are_counted_and_stay_without() {
        let sample = sample();
        for (body, status) in [(json!({"dry_run": true}), "dry_run"), (Value::Null, "skipped")] {
            let told = admin_sync(&sample.session, &body).expect("it answers").expect("it is told");
            assert_eq!((told.status, told.falkordb_count, told.qdrant_count), (status, 3, 1));
            assert_eq!((told.missing_count, told.missing_sample.len(), told.synced), (2, 2, 0));
        }
        let empty = admin_sync(&sample.of_another(), &Value::Null).expect("it answers");
        assert_eq!(empty.map(|told| told.status), Ok("already_synced"));
    }

    #[test]
    fn without_a_model_nothing_is_embedded_and_the_answer_says_so() {
        let sample = sample();
        for (body, total) in [(json!({}), 2), (json!({"limit": 1}), 1), (json!({"force": true}), 3)]
        {
            let answer = admin_reembed(&sample.session, &body).expect("it answers");
            let told = answer.expect("it is told");
            assert_eq!((told.total, told.processed, told.failed), (total, 0, 0));
            assert!(told.message.contains("no model"));
        }
        let body = json!({"batch_size": 1_000});
        assert!(admin_reembed(&sample.session, &body).expect("it answers").is_err());
    }
}
