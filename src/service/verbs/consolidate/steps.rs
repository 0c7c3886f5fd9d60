//! Does the steps of a mode, one after the other.

use std::time::Instant;

use serde_json::{Value, json};

use super::cluster::cluster;
use super::creative::creative;
use super::decay::decay;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::{
    ConsolidateAnswer, ConsolidateRequest, Consolidation, ConsolidationSteps, EventKind,
    ForgetStep, IdentityStep,
};
use crate::service::verbs::session::{ServiceAnswer, ServiceSession};

/// Answers `POST /consolidate`; an absent body is `null`.
pub fn consolidate(session: &ServiceSession, body: &Value) -> ServiceAnswer<ConsolidateAnswer> {
    let begun = Instant::now();
    let request = match ConsolidateRequest::read(body) {
        Ok(request) => request,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let steps = steps(session, &request)?;
    let data = json!({ "mode": request.mode, "dry_run": request.dry_run });
    session.tell(EventKind::ConsolidationRun, data);
    let took = i64::try_from(begun.elapsed().as_micros()).unwrap_or_default();
    Ok(Ok(ConsolidateAnswer {
        status: "success",
        consolidation: Consolidation {
            mode: request.mode,
            dry_run: request.dry_run,
            started_at: session.now,
            completed_at: Timestamp::from_microseconds(session.now.microseconds() + took),
            steps,
            success: true,
        },
        warnings: request.warnings,
    }))
}

/// Does the steps of a mode; an unknown mode has none.
fn steps(session: &ServiceSession, request: &ConsolidateRequest) -> Result<ConsolidationSteps> {
    let wants = |step: &str| request.mode == "full" || request.mode == step;
    let mut steps = ConsolidationSteps::default();
    if wants("decay") {
        steps.decay = Some(decay(session)?);
    }
    if wants("creative") {
        steps.creative = Some(creative(session, request.dry_run)?);
    }
    if wants("cluster") {
        steps.cluster = Some(cluster(session)?);
    }
    if wants("forget") {
        steps.forget = Some(forget(session)?);
    }
    if wants("identity") {
        let reason = "Identity synthesis is disabled";
        steps.identity = Some(IdentityStep { skipped: true, reason });
    }
    Ok(steps)
}

fn forget(session: &ServiceSession) -> Result<ForgetStep> {
    let count = session.read(|view| view.count())?;
    Ok(ForgetStep {
        examined: count,
        preserved: count,
        archived: Vec::new(),
        deleted: Vec::new(),
        protected: Vec::new(),
        message: "the thresholds to archive and to delete are 0, so nothing is archived or deleted",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::verbs::tests::Sample;

    fn steps_of(sample: &Sample, body: Value) -> Value {
        let answer = consolidate(&sample.session, &body).expect("it answers");
        serde_json::to_value(answer.expect("it is done").consolidation.steps).expect("it is JSON")
    }

    #[test]
    fn a_mode_has_its_step_and_an_unknown_one_none() {
        let sample = Sample::new();
        sample.say("a", 1);
        for mode in ["decay", "creative", "cluster", "forget", "identity"] {
            let steps = steps_of(&sample, json!({"mode": mode}));
            let names: Vec<&String> = steps.as_object().expect("an object").keys().collect();
            assert_eq!(names, [mode]);
        }
        assert_eq!(steps_of(&sample, Value::Null).as_object().map(|it| it.len()), Some(5));
        assert_eq!(steps_of(&sample, json!({"mode": "banana"})), json!({}));
    }

    #[test]
    fn nothing_is_forgotten() {
        let sample = Sample::new();
        sample.say("a", 1);
        let step = &steps_of(&sample, json!({"mode": "forget", "dry_run": false}))["forget"];
        assert_eq!((&step["examined"], &step["preserved"]), (&json!(1), &json!(1)));
        assert_eq!((&step["archived"], &step["deleted"]), (&json!([]), &json!([])));
    }
}
