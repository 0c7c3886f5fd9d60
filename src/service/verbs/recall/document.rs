//! What was recalled, as a client reads it.

use serde_json::json;

use super::answer::RecallOutcome;
use super::task::RecallTask;
use crate::error::Result;
use crate::service::recall::{MatchType, MemoryCandidate, ScoreFloor, tokens};
use crate::service::request::{
    ContextPriority, RecallAnswer, RecallResult, RecencyBias, ScoreFilter, TagScope,
    TimeWindowDocument, VectorSearch,
};
use crate::service::verbs::relate::relation_documents;

impl RecallTask<'_> {
    pub(super) fn document(&self, outcome: RecallOutcome) -> Result<RecallAnswer> {
        let RecallOutcome { questions, found, floor, .. } = outcome;
        let request = self.request;
        let results = found.iter().map(|candidate| self.result(candidate));
        let results = results.collect::<Result<Vec<_>>>()?;
        let matched = found.iter().any(|candidate| candidate.components.vector > 0.0);
        let is_asked = questions.iter().any(|question| !question.is_empty());
        let gated = found.iter().filter(|candidate| candidate.components.relevance_gated);
        let gated_low_evidence = gated.count();
        let scope =
            |pool_size_hint| TagScope { filtered: true, pool_size_hint, gated_low_evidence };
        Ok(RecallAnswer {
            status: "success",
            query: request.query.clone(),
            count: results.len(),
            results,
            dedup_removed: outcome.dedup_removed,
            sort: request.sort,
            state_mode: request.state_mode,
            vector_search: VectorSearch { enabled: outcome.has_vectors, matched },
            tag_mode: if request.tags_all { "all" } else { "any" },
            tag_match: if request.tags_exact { "exact" } else { "prefix" },
            query_time_ms: 0.0,
            keywords: is_asked.then(|| tokens(&questions.join(" "))),
            queries: if questions.len() > 1 { questions } else { request.queries.clone() },
            time_window: request
                .window
                .map(|it| TimeWindowDocument { start: it.start, end: it.end }),
            tags: request.tags.clone(),
            tag_scope: outcome.tagged.map(scope),
            exclude_tags: request.exclude_tags.clone(),
            scope_fallback: outcome.scope_fallback,
            recency_bias: outcome.favours_new.then_some(RecencyBias::On),
            state_filter: outcome.state.map(|state| state.document(request.state_debug)),
            score_filter: score_filter(&floor),
            expansion: outcome.expansion,
            entity_expansion: outcome.entity_expansion,
            context_priority: self.context_priority(outcome.has_injected),
            warnings: request.warnings.clone(),
        })
    }

    fn result(&self, candidate: &MemoryCandidate) -> Result<RecallResult> {
        let memory = &candidate.memory;
        let most = self.session.store.settings.relation_limit;
        Ok(RecallResult {
            id: memory.said.id,
            score: candidate.score,
            final_score: candidate.score,
            match_score: candidate.match_score,
            original_score: candidate.match_score,
            match_type: candidate.match_type.name(),
            source: if candidate.match_type == MatchType::Vector { "qdrant" } else { "graph" },
            memory: self.session.document(memory),
            relations: relation_documents(self.view, memory.row, most)?,
            score_components: json!(candidate.components),
            asked: candidate.query.clone(),
            deduped_from: candidate.deduped_from.clone(),
            related_to: candidate.related_to.clone(),
            relation_score: candidate.relation_score,
            expanded_from_entity: candidate.expanded_from_entity.clone(),
            outside_tag_scope: candidate.outside_tag_scope,
            state_replaces: candidate.state_replaces,
        })
    }

    fn context_priority(&self, injected: bool) -> Option<ContextPriority> {
        (!self.hints.is_empty()).then(|| ContextPriority {
            context: self.hints.context.clone(),
            language: self.hints.language.clone(),
            priority_tags: self.hints.tags.iter().cloned().collect(),
            priority_types: self.hints.types.iter().cloned().collect(),
            injected,
        })
    }
}

/// Tells what was left out because of its score, where something could be.
fn score_filter(floor: &ScoreFloor) -> Option<ScoreFilter> {
    let is_cut = floor.min_score.is_some() || floor.adaptive_floor.is_some();
    is_cut.then_some(ScoreFilter {
        min_score: floor.min_score,
        adaptive_floor: floor.adaptive_floor,
        filtered_count: floor.filtered,
    })
}
