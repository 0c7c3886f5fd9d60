//! The parts of a score.

use serde::Serialize;

use super::metadata::metadata_terms;
use super::weights::ScoreWeights;
use crate::contract::Timestamp;
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
    /// 1 for a new one, 0 after half a year.
    pub(crate) recency: f64,
    /// 1 if the question is a text of its metadata.
    pub(crate) exact: f64,
    /// How relevant it is now.
    pub(crate) relevance: f64,
    /// What the context of the caller adds.
    pub(crate) context: f64,
    /// The greatest of vector, keyword, metadata and exact.
    pub(crate) evidence: f64,
    /// Always false: nothing is gated.
    pub(crate) relevance_gated: bool,
    /// What the wish for the newest adds, before it is weighed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) temporal: Option<f64>,
    /// What an entity that it shares with an answer adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) entity_expansion: Option<f64>,
}

/// Days after which a memory is not recent at all.
const RECENT_DAYS: f64 = 180.0;

impl Components {
    /// Returns the whole score.
    pub(crate) fn score(&self, weights: &ScoreWeights) -> f64 {
        weights.vector * self.vector
            + weights.keyword * self.keyword
            + weights.metadata * self.metadata
            + weights.relation * self.relation
            + weights.tag * self.tag
            + weights.importance * self.importance
            + weights.confidence * self.confidence
            + weights.recency * self.recency
            + weights.exact * self.exact
            + weights.relevance * self.relevance
            + weights.temporal * self.temporal.unwrap_or_default()
            + self.entity_expansion.unwrap_or_default()
            + self.context
    }

    /// Notes the greatest of what speaks for an answer.
    pub(crate) fn weigh_evidence(&mut self) {
        self.evidence = self.vector.max(self.keyword).max(self.metadata).max(self.exact);
    }
}

/// Returns how recent a time is: 1 now, and evenly less until it is 0 after half a year.
pub(crate) fn recency(time: Timestamp, now: Timestamp) -> f64 {
    (1.0 - time.days_until(now).max(0.0) / RECENT_DAYS).max(0.0)
}

/// Returns the share of words that stand among the tags or the metadata of a memory.
pub(crate) fn tag_share(tokens: &[String], memory: &Memory) -> f64 {
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
    found as f64 / tokens.len() as f64
}
