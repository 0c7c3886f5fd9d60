//! Tells how relevant memories are now.

use crate::error::Result;
use crate::service::relevance::relevance;
use crate::service::request::{DecayStep, RelevanceLevels};
use crate::service::verbs::session::ServiceSession;

/// Memories that are read at once.
const TOGETHER: usize = 500;

/// From which relevance on a memory is on which level.
const HIGH: f64 = 0.7;
const MEDIUM: f64 = 0.3;

pub(super) fn decay(session: &ServiceSession) -> Result<DecayStep> {
    let rates = session.store.settings.rates;
    let (mut levels, mut sum) = (RelevanceLevels::default(), 0.0);
    session.read(|view| {
        let rows = view.all_rows()?;
        for rows in rows.chunks(TOGETHER) {
            for memory in view.memories(rows)? {
                let score = relevance(&memory, session.now, rates);
                sum += score;
                let level = match score {
                    score if score >= HIGH => &mut levels.high,
                    score if score >= MEDIUM => &mut levels.medium,
                    _ => &mut levels.low,
                };
                *level += 1;
            }
        }
        Ok(())
    })?;
    let processed = levels.high + levels.medium + levels.low;
    let average = if processed > 0 { sum / processed as f64 } else { 0.0 };
    Ok(DecayStep {
        processed,
        avg_relevance_before: average,
        avg_relevance_after: average,
        distribution: levels,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::service::verbs::tests::Sample;

    #[test]
    fn old_memories_are_on_a_low_level_and_stay_as_they_are() {
        let sample = Sample::new();
        sample.store(json!({"content": "new", "importance": 0.9, "type": "Decision"}));
        let old = json!({"content": "old", "importance": 0.1, "timestamp": "2020-01-01"});
        sample.store(old);
        let told = decay(&sample.session).expect("it answers");
        assert_eq!((told.processed, told.distribution.high, told.distribution.low), (2, 1, 1));
        assert_eq!(told.avg_relevance_before, told.avg_relevance_after);
        assert!((0.3..0.7).contains(&told.avg_relevance_after));
    }

    #[test]
    fn no_memory_has_no_average() {
        assert_eq!(decay(&Sample::new().session).expect("it answers"), DecayStep::default());
    }
}
