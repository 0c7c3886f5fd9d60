//! The parts of a score.

use serde::Serialize;

use super::metadata::metadata_terms;
use super::settings::RecallSettings;
use crate::service::request::Memory;

/// The parts of a score, before they are weighed.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub(crate) struct Components {
    /// The cosine of its vector and the question's.
    pub(crate) vector: f64,
    /// How much of the question its words hold, 0 to 1.
    pub(crate) keyword: f64,
    /// How much of the question its metadata holds, 0 to 1.
    pub(crate) metadata: f64,
    /// How strongly it is related to a memory that answers.
    pub(crate) relation: f64,
    /// The share of the question's words among its tags.
    pub(crate) tag: f64,
    /// As it was sent.
    pub(crate) importance: f64,
    /// As it was sent.
    pub(crate) confidence: f64,
    /// 1 for a new one, and less with each day.
    pub(crate) recency: f64,
    /// 1 if the question is a text of its metadata.
    pub(crate) exact: f64,
    /// How relevant it is now.
    pub(crate) relevance: f64,
    /// What the context of the caller adds.
    pub(crate) context: f64,
    /// The greatest of vector, keyword, metadata and exact.
    pub(crate) evidence: f64,
    /// Whether the evidence is so small that what does not depend on the question counts less.
    pub(crate) relevance_gated: bool,
    /// What the wish for the newest adds, before it is weighed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) temporal: Option<f64>,
    /// What an entity that it shares with an answer adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) entity_expansion: Option<f64>,
}

impl Components {
    /// Returns the whole score.
    pub(crate) fn score(&self, settings: &RecallSettings) -> f64 {
        let weights = &settings.weights;
        let unasked = weights.tag * self.tag
            + weights.importance * self.importance
            + weights.confidence * self.confidence
            + weights.recency * self.recency
            + weights.relevance * self.relevance;
        let share = if self.relevance_gated { self.evidence / settings.gate } else { 1.0 };
        weights.vector * self.vector
            + weights.keyword * self.keyword
            + weights.metadata * self.metadata
            + weights.relation * self.relation
            + weights.exact * self.exact
            + share * unasked
            + weights.temporal * self.temporal.unwrap_or_default()
            + self.entity_expansion.unwrap_or_default()
            + self.context
    }

    /// Notes the greatest of what speaks for an answer, and whether that is too little.
    pub(crate) fn weigh_evidence(&mut self, settings: &RecallSettings) {
        self.evidence = self.vector.max(self.keyword).max(self.metadata).max(self.exact);
        self.relevance_gated = self.evidence < settings.gate;
    }
}

/// Returns the share of words that stand among the tags or the metadata of a memory; of a long question it counts as if
/// it had `most` words.
pub(crate) fn tag_share(tokens: &[String], memory: &Memory, most: Option<usize>) -> f64 {
    if tokens.is_empty() {
        return 0.0;
    }
    let split = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
        parts.chain([text.to_lowercase()]).collect()
    };
    let mut known: Vec<String> = memory.said.tags.iter().flat_map(|tag| split(tag)).collect();
    known.extend(metadata_terms(&memory.said.metadata));
    let found = tokens.iter().filter(|token| known.contains(token)).count();
    let words = most.map_or(tokens.len(), |most| most.min(tokens.len()));
    (found as f64 / words as f64).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_question_does_not_ask_counts_less_below_the_gate() {
        let set = |gate: &'static str| {
            RecallSettings::named(|name| (name == "RECALL_RELEVANCE_GATE").then(|| gate.to_owned()))
        };
        let score = |settings: &RecallSettings| {
            let mut parts = Components { keyword: 0.2, importance: 1.0, ..Components::default() };
            parts.weigh_evidence(settings);
            (parts.score(settings), parts.relevance_gated)
        };
        let (open, is_gated) = score(&set("0"));
        assert!((open - (0.35 * 0.2 + 0.1)).abs() < 1e-9 && !is_gated);
        let (gated, is_gated) = score(&set("0.4"));
        assert!((gated - (0.35 * 0.2 + 0.1 * 0.5)).abs() < 1e-9 && is_gated);
    }
}
