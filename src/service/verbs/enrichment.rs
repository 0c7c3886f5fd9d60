//! Tells what is done behind the answers, and asks for it again.

use serde_json::Value;

use super::session::{ServiceAnswer, ServiceSession};
use crate::error::Result;
use crate::service::request::{
    ClassificationStats, EnrichmentStats, EnrichmentStatus, ReprocessAnswer, read_ids,
};
use crate::service::sqlite::ATTEMPTS;

/// Answers `GET /enrichment/status`.
pub fn enrichment_status(session: &ServiceSession) -> Result<EnrichmentStatus> {
    let (jobs, classified) =
        session.read(|view| Ok((view.job_counts()?, view.classification_counts()?)))?;
    let no_model = "no model is configured: what fits no pattern is `Context`";
    Ok(EnrichmentStatus {
        status: "running",
        queue_size: jobs.pending,
        pending: jobs.pending,
        inflight: 0,
        max_attempts: ATTEMPTS,
        stats: EnrichmentStats {
            processed_total: jobs.done + jobs.failed,
            successes: jobs.done,
            failures: jobs.failed,
            last_error: jobs.last_problem,
            last_error_at: jobs.last_problem_at,
            last_success_id: jobs.last_done_id,
            last_success_at: jobs.last_done,
        },
        classification: ClassificationStats {
            pattern_classifications: classified.by_pattern,
            fallbacks: classified.by_default,
            llm_attempts: 0,
            llm_successes: 0,
            last_error: (classified.by_default > 0).then_some(no_model),
            last_error_at: classified.last_default,
        },
    })
}

/// Answers `POST /enrichment/reprocess`: memories are enriched again, unknown ones are left out.
pub fn reprocess(session: &ServiceSession, body: &Value) -> ServiceAnswer<ReprocessAnswer> {
    let (wanted, warning) = match read_ids(body) {
        Ok(read) => read,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let now = session.now;
    session.write(move |view| {
        let mut ids = Vec::with_capacity(wanted.len());
        for id in wanted {
            if let Some(row) = view.live_row(id)? {
                view.ask_to_enrich(row, now)?;
                ids.push(id);
            }
        }
        let warnings = warning.into_iter().collect();
        Ok(Ok(ReprocessAnswer { status: "queued", count: ids.len(), ids, warnings }))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::service::verbs::tests::Sample;

    #[test]
    fn a_memory_that_is_enriched_again_is_pending_until_that_is_done() {
        let sample = Sample::new();
        let id = sample.say("the quick brown fox", 1);
        let before = enrichment_status(&sample.session).expect("it answers");
        assert_eq!((before.pending, before.stats.successes, before.max_attempts), (0, 1, 5));
        assert_eq!(before.stats.last_success_id, Some(id.to_string()));
        assert_eq!(before.classification.fallbacks, 1);
        let body = json!({"ids": [id, "nope", "00000000-0000-4000-8000-000000000000"]});
        let answer = reprocess(&sample.session, &body).expect("it answers").expect("it is queued");
        assert_eq!((answer.count, answer.ids), (1, vec![id]));
        assert_eq!(enrichment_status(&sample.session).expect("it answers").pending, 1);
    }

    #[test]
    fn another_tenant_neither_sees_nor_starts_it() {
        let sample = Sample::new();
        let id = sample.say("a", 1);
        let other = sample.of_another();
        let answer = reprocess(&other, &json!({"ids": [id]})).expect("it answers");
        assert_eq!(answer.map(|it| it.count), Ok(0));
        assert_eq!(enrichment_status(&other).expect("it answers").stats.successes, 0);
        assert_eq!(enrichment_status(&sample.session).expect("it answers").pending, 0);
    }
}
