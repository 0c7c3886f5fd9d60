//! Tells what all memories say together.

use std::time::Instant;

use serde_json::Value;

use super::session::ServiceSession;
use crate::error::Result;
use crate::service::request::{
    Analytics, AnalyzeAnswer, MemoryType, PatternDocument, PreferenceDocument, RelationType,
};
use crate::service::sqlite::{MemoryLevel, TenantView};

/// Patterns and preferences that are told at most.
const MOST: usize = 10;

/// How sure the type of a pattern is at least.
const SURE: f64 = 0.6;

/// Answers `GET /analyze`.
pub fn analyze(session: &ServiceSession) -> Result<AnalyzeAnswer> {
    let begun = Instant::now();
    let analytics = session.read(|view| {
        let hours = view.hour_statistics()?.into_iter();
        Ok(Analytics {
            memory_types: view.type_statistics()?,
            patterns: patterns(view)?,
            preferences: preferences(view)?,
            temporal_insights: hours.map(|(hour, told)| (format!("hour_{hour}"), told)).collect(),
            entity_frequency: view.category_counts()?,
            confidence_distribution: view.count_levels(MemoryLevel::Confidence)?,
        })
    })?;
    let elapsed_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(AnalyzeAnswer { status: "success", analytics, elapsed_ms })
}

fn patterns(view: &TenantView<'_>) -> Result<Vec<PatternDocument>> {
    let kinds = [RelationType::Exemplifies, RelationType::Reinforces];
    let rows = view.rows_surer_than(MemoryType::Pattern.name(), SURE, MOST)?;
    let mut patterns = Vec::with_capacity(rows.len());
    for memory in view.memories(&rows)? {
        let relations = view.relations_of(memory.row, &kinds)?;
        let supports = relations.iter().filter(|relation| relation.target == memory.row).count();
        patterns.push(PatternDocument {
            kind: memory.said.kind,
            description: memory.said.content,
            confidence: memory.said.confidence,
            observations: 1 + supports as u64,
        });
    }
    Ok(patterns)
}

fn preferences(view: &TenantView<'_>) -> Result<Vec<PreferenceDocument>> {
    let mut preferences = Vec::new();
    for relation in view.strongest(RelationType::PrefersOver, MOST)? {
        let ends = view.memories(&[relation.source, relation.target])?;
        let [prefers, over] = ends.as_slice() else { continue };
        preferences.push(PreferenceDocument {
            prefers: prefers.said.content.clone(),
            over: over.said.content.clone(),
            context: relation.properties.get("context").cloned().unwrap_or(Value::Null),
            strength: relation.strength,
        });
    }
    Ok(preferences)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::service::verbs::associate;
    use crate::service::verbs::tests::Sample;

    #[test]
    fn types_hours_names_and_preferences_are_counted() {
        let sample = Sample::new();
        let at = "2026-11-20T01:30:00Z";
        let one = sample.store(json!({"content": "Chose Docker over Bash", "timestamp": at}));
        let two = sample.store(json!({"content": "x", "type": "Pattern", "timestamp": at}));
        let body = json!({
            "memory1_id": one, "memory2_id": two, "type": "PREFERS_OVER", "strength": 0.8,
            "context": "builds",
        });
        associate(&sample.session, body).expect("it answers").expect("it is set");
        let told = analyze(&sample.session).expect("it answers").analytics;
        assert_eq!(told.memory_types["Decision"].count, 1);
        assert_eq!(told.temporal_insights["hour_01"].count, 2);
        assert_eq!(told.entity_frequency["tools"], 2);
        let levels = told.confidence_distribution;
        assert_eq!((levels.high, levels.medium, levels.low), (1, 1, 0));
        assert_eq!((told.patterns.len(), told.patterns[0].observations), (1, 1));
        assert_eq!((told.preferences.len(), &told.preferences[0].context), (1, &json!("builds")));
    }

    #[test]
    fn another_tenant_is_not_counted() {
        let sample = Sample::new();
        sample.say("Chose Docker over Bash", 1);
        let told = analyze(&sample.of_another()).expect("it answers").analytics;
        assert!(told.memory_types.is_empty() && told.entity_frequency.is_empty());
    }
}
