//! Adds what is related to the answers, and what names the same.

use std::collections::HashSet;

use super::task::RecallTask;
use crate::error::Result;
use crate::service::recall::{MatchType, MemoryCandidate, sort_by_score};
use crate::service::request::{
    Entity, EntityExpansion, Expansion, ExpansionDocument, Memory, RelationType, StateMode,
};
use crate::service::sqlite::{MemoryOrder, TagFilter};

/// The share of the score of an answer that goes to what is related to it.
const SEED_SHARE: f64 = 0.25;

/// Names that are followed, and memories of each.
const ENTITIES: usize = 5;

/// What a name that is shared adds to a score.
const ENTITY_BONUS: f64 = 0.15;

/// Adds memories that are one relation away from an answer, behind all answers.
pub(super) fn expand_relations(
    recall: &RecallTask<'_>,
    expansion: &Expansion,
    found: &mut Vec<MemoryCandidate>,
) -> Result<ExpansionDocument> {
    let seed_count = found.len();
    let in_scope = scope(recall, expansion)?;
    let mut added: Vec<MemoryCandidate> = Vec::new();
    for seed in found.iter() {
        let mut relations =
            recall.view.relations_of(seed.memory.row, RelationType::authorable())?;
        relations.retain(|relation| {
            let other = relation.other(seed.memory.row);
            relation.strength >= expansion.min_strength
                && found.iter().all(|known| known.memory.row != other)
                && in_scope.as_ref().is_none_or(|rows| rows.contains(&other))
        });
        relations.sort_by_key(|relation| std::cmp::Reverse(relation.updated));
        for relation in relations.iter().take(expansion.relation_limit) {
            let score = relation.strength + SEED_SHARE * seed.score.max(0.0);
            let other = relation.other(seed.memory.row);
            add_related(recall, expansion, (seed, other, score), &mut added)?;
        }
    }
    sort_by_score(&mut added);
    added.truncate(expansion.expansion_limit);
    let expanded_count = added.len();
    found.extend(added);
    Ok(ExpansionDocument {
        enabled: true,
        seed_count,
        expanded_count,
        relation_limit: expansion.relation_limit,
        expansion_limit: expansion.expansion_limit,
        respect_tags: expansion.respect_tags,
    })
}

/// Adds a memory that is related to an answer; of two ways to it the better one counts.
fn add_related(
    recall: &RecallTask<'_>,
    expansion: &Expansion,
    (seed, other, score): (&MemoryCandidate, i64, f64),
    added: &mut Vec<MemoryCandidate>,
) -> Result<()> {
    if let Some(known) = added.iter_mut().find(|known| known.memory.row == other) {
        known.related_to.push(seed.memory.said.id);
        if known.relation_score.is_none_or(|known| known < score) {
            weigh(recall, known, score);
        }
        return Ok(());
    }
    let Some(memory) = recall.view.memories(&[other])?.pop() else { return Ok(()) };
    if is_allowed(recall, &memory)? && memory.said.importance >= expansion.min_importance {
        let mut candidate = MemoryCandidate::new(memory, MatchType::Relation, score, &seed.query);
        candidate.related_to.push(seed.memory.said.id);
        weigh(recall, &mut candidate, score);
        added.push(candidate);
    }
    Ok(())
}

/// Returns the memories with the wanted tags, where only these may be added.
fn scope(recall: &RecallTask<'_>, expansion: &Expansion) -> Result<Option<HashSet<i64>>> {
    let filter = recall.tag_filter().filter(|_| expansion.respect_tags);
    filter.map(|filter| recall.view.tagged_rows(&filter)).transpose()
}

/// Tells whether a memory may be an answer: it holds now, nothing replaces it, and it is wanted.
fn is_allowed(recall: &RecallTask<'_>, memory: &Memory) -> Result<bool> {
    if recall.request.state_mode == StateMode::History {
        return Ok(recall.is_wanted(memory));
    }
    let is_replaced = !recall.view.successors(memory.row)?.is_empty();
    Ok(memory.holds_at(recall.session.now) && !is_replaced && recall.is_wanted(memory))
}

/// Scores what was not found by the question itself.
fn weigh(recall: &RecallTask<'_>, candidate: &mut MemoryCandidate, relation: f64) {
    let said = &candidate.memory.said;
    let parts = &mut candidate.components;
    parts.relation = relation;
    (parts.importance, parts.confidence) = (said.importance, said.confidence);
    let settings = &recall.session.store.settings.recall;
    parts.recency = recall.recency(said.timestamp);
    parts.weigh_evidence(settings);
    candidate.relation_score = (relation > 0.0).then_some(relation);
    candidate.score = candidate.components.score(settings);
}

/// Adds memories that name what the answers name, behind all answers.
pub(super) fn expand_entities(
    recall: &RecallTask<'_>,
    found: &mut Vec<MemoryCandidate>,
) -> Result<EntityExpansion> {
    let mut entities: Vec<Entity> = Vec::new();
    for candidate in found.iter() {
        for entity in candidate.memory.derived.iter().flat_map(|derived| &derived.entities) {
            let is_kind = ["people", "places", "organizations"].contains(&entity.category.as_str());
            if is_kind && !entities.contains(entity) && entities.len() < ENTITIES {
                entities.push(entity.clone());
            }
        }
    }
    let mut added: Vec<MemoryCandidate> = Vec::new();
    for entity in &entities {
        let filter = TagFilter { tags: vec![entity.tag()], all: false, exact: false };
        let mut rows = recall.view.tagged_rows(&filter)?;
        rows.retain(|row| found.iter().chain(&added).all(|known| known.memory.row != *row));
        let rows = recall.view.first_rows_among(Some(&rows), MemoryOrder::Importance, ENTITIES)?;
        for memory in recall.view.memories(&rows)? {
            if !is_allowed(recall, &memory)? {
                continue;
            }
            let mut candidate = MemoryCandidate::new(memory, MatchType::EntityExpansion, 0.0, "");
            candidate.expanded_from_entity = Some(entity.name.clone());
            candidate.components.entity_expansion = Some(ENTITY_BONUS);
            weigh(recall, &mut candidate, 0.0);
            added.push(candidate);
        }
    }
    sort_by_score(&mut added);
    let expanded_count = added.len();
    found.extend(added);
    let entities_found = entities.into_iter().map(|entity| entity.name).collect();
    Ok(EntityExpansion { enabled: true, expanded_count, entities_found })
}
