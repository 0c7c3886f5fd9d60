//! A memory that may answer a question.

use super::components::Components;
use crate::service::request::{Memory, MemoryId};

/// Why a memory was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MatchType {
    /// Its vector is close.
    Vector,
    /// It holds words of the question.
    Keyword,
    /// Nothing was asked, and it is important or new.
    Trending,
    /// It has a tag that was asked for.
    Tag,
    /// It is related to an answer.
    Relation,
    /// It names what an answer names.
    EntityExpansion,
    /// The caller asked for it by its id.
    PriorityId,
    /// It replaces an answer that does not hold any more.
    StateReplacement,
}

impl MatchType {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Vector => "vector",
            Self::Keyword => "keyword",
            Self::Trending => "trending",
            Self::Tag => "tag",
            Self::Relation => "relation",
            Self::EntityExpansion => "entity_expansion",
            Self::PriorityId => "priority_id",
            Self::StateReplacement => "state_replacement",
        }
    }
}

/// A memory that may answer a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MemoryCandidate {
    pub(crate) memory: Memory,
    pub(crate) match_type: MatchType,
    /// How well it matches, before all else is weighed.
    pub(crate) match_score: f64,
    pub(crate) components: Components,
    pub(crate) score: f64,
    /// The question that found it.
    pub(crate) query: String,
    pub(crate) deduped_from: Vec<MemoryId>,
    /// The answers that it is related to.
    pub(crate) related_to: Vec<MemoryId>,
    pub(crate) relation_score: Option<f64>,
    pub(crate) expanded_from_entity: Option<String>,
    pub(crate) outside_tag_scope: bool,
    /// The memory that it replaces.
    pub(crate) state_replaces: Option<MemoryId>,
}

impl MemoryCandidate {
    pub(crate) fn new(
        memory: Memory,
        match_type: MatchType,
        match_score: f64,
        query: &str,
    ) -> Self {
        Self {
            memory,
            match_type,
            match_score,
            components: Components::default(),
            score: 0.0,
            query: query.to_owned(),
            deduped_from: Vec::new(),
            related_to: Vec::new(),
            relation_score: None,
            expanded_from_entity: None,
            outside_tag_scope: false,
            state_replaces: None,
        }
    }
}

/// Sorts by score; of equals the better match, the more important and the newer one comes first.
pub(crate) fn sort_by_score(candidates: &mut [MemoryCandidate]) {
    candidates.sort_by(|a, b| {
        let said = (&a.memory.said, &b.memory.said);
        (b.score.total_cmp(&a.score))
            .then(b.match_score.total_cmp(&a.match_score))
            .then(said.1.importance.total_cmp(&said.0.importance))
            .then(said.1.timestamp.cmp(&said.0.timestamp))
            .then(b.memory.row.cmp(&a.memory.row))
    });
}
