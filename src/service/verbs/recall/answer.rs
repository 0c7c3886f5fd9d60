//! Answers a question: finds candidates, leaves out what does not hold or is too far off, and adds what belongs to it.

use std::time::Instant;

use serde_json::json;

use super::expand::{expand_entities, expand_relations};
use super::find::CandidateFinder;
use super::state::{StateVerdict, keep_current};
use super::task::RecallTask;
use crate::error::Result;
use crate::service::entities::entities;
use crate::service::recall::{
    ContextHints, MemoryCandidate, ScoreFloor, asks_for_newest, cut, remove_duplicates,
    sort_by_score,
};
use crate::service::request::{
    EntityExpansion, EventKind, ExpansionDocument, QueryParameters, RecallAnswer, RecallRequest,
    RecallSort, RecencyBias, StateMode,
};
use crate::service::verbs::elapsed::milliseconds;
use crate::service::verbs::session::{ServiceAnswer, ServiceSession};
use crate::service::verbs::vector_size::VectorSize;

/// What one recall found.
pub(super) struct RecallOutcome {
    pub(super) questions: Vec<String>,
    /// In the order of the answer.
    pub(super) found: Vec<MemoryCandidate>,
    pub(super) dedup_removed: usize,
    pub(super) favours_new: bool,
    pub(super) state: Option<StateVerdict>,
    pub(super) floor: ScoreFloor,
    pub(super) scope_fallback: Option<bool>,
    pub(super) expansion: Option<ExpansionDocument>,
    pub(super) entity_expansion: Option<EntityExpansion>,
    pub(super) has_vectors: bool,
    pub(super) has_injected: bool,
    /// How many memories have the wanted tags.
    pub(super) tagged: Option<usize>,
}

/// Answers `GET /recall`.
pub fn recall(session: &ServiceSession, query: &QueryParameters) -> ServiceAnswer<RecallAnswer> {
    let begun = Instant::now();
    let settings = &session.store.settings;
    let (most, bias) = (settings.recall_limit, settings.recall.bias);
    let request = match RecallRequest::read(query, most, bias, session.now) {
        Ok(request) => request,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let answer = session.read(|view| {
        let mut size = VectorSize::set_to(settings.vector_size).in_view(view)?;
        if let Some(embedding) = &request.embedding
            && let Err(refusal) = size.check("embedding", embedding)
        {
            return Ok(Err(refusal));
        }
        let hints = ContextHints::of(&request.context);
        let task = RecallTask { session, view, request: &request, hints };
        task.document(task.find()?).map(Ok)
    })?;
    let answer = answer.map(|it| RecallAnswer { query_time_ms: milliseconds(begun), ..it });
    if let Ok(RecallAnswer { count, query_time_ms, .. }) = &answer {
        let data = json!({ "count": count, "query_time_ms": query_time_ms });
        session.tell(EventKind::MemoryRecall, data);
    }
    Ok(answer)
}

impl RecallTask<'_> {
    fn find(&self) -> Result<RecallOutcome> {
        let request = self.request;
        let questions = self.questions();
        let finder = CandidateFinder::new(self)?;
        let mut found = finder.find(&questions)?;
        let (dedup_removed, state) = self.keep_distinct(&mut found)?;
        let favours_new = self.favour_new(&questions, &mut found);
        sort_by_score(&mut found);
        self.sort(&mut found);
        found.truncate(request.limit);
        // In an order of time only what the caller does not want is left out.
        let is_adaptive = request.adaptive_floor && request.sort == RecallSort::Score;
        let floor = cut(&mut found, request.min_score, is_adaptive);
        let scope_fallback = self.add_outside_scope(&finder, &questions, &mut found)?;
        let expand = |expansion| expand_relations(self, expansion, &mut found);
        let expansion = request.expand.as_ref().map(expand).transpose()?;
        let entity_expansion = match request.expand_entities {
            true => Some(expand_entities(self, &mut found)?),
            false => None,
        };
        let rows: Vec<i64> = found.iter().map(|candidate| candidate.memory.row).collect();
        self.session.note_accesses(&rows);
        Ok(RecallOutcome {
            questions,
            found,
            dedup_removed,
            favours_new,
            state,
            floor,
            scope_fallback,
            expansion,
            entity_expansion,
            has_vectors: finder.has_vectors,
            has_injected: finder.has_injected(),
            tagged: finder.tagged_count(),
        })
    }

    /// Returns the questions to look for; where it is asked for, also one of each name in them.
    fn questions(&self) -> Vec<String> {
        let mut questions = self.request.questions();
        if self.request.auto_decompose {
            let names = entities(&questions.join(" ")).into_iter().map(|entity| entity.name);
            let names: Vec<String> = names.filter(|name| !questions.contains(name)).collect();
            questions.extend(names);
        }
        questions
    }

    /// Leaves out what does not hold now, then what says the same as others; returns how many say the same.
    fn keep_distinct(
        &self,
        found: &mut Vec<MemoryCandidate>,
    ) -> Result<(usize, Option<StateVerdict>)> {
        let state = match self.request.state_mode {
            StateMode::Current => Some(keep_current(self, found)?),
            StateMode::History => None,
        };
        sort_by_score(found);
        Ok((remove_duplicates(found), state))
    }

    /// Adds to newer answers where the newest are asked for; tells whether they are.
    fn favour_new(&self, questions: &[String], found: &mut [MemoryCandidate]) -> bool {
        let wanted = match self.request.recency_bias {
            RecencyBias::On => true,
            RecencyBias::Off => false,
            RecencyBias::Auto => questions.iter().any(|question| asks_for_newest(question)),
        };
        let time = |candidate: &MemoryCandidate| candidate.memory.said.timestamp.microseconds();
        let times = found.iter().map(time);
        let Some((first, last)) = times.clone().min().zip(times.max()) else { return wanted };
        if wanted && last > first {
            for candidate in found.iter_mut() {
                let share = (time(candidate) - first) as f64 / (last - first) as f64;
                candidate.components.temporal = Some(share);
                candidate.score = candidate.components.score(&self.session.store.settings.recall);
            }
        }
        wanted
    }

    fn sort(&self, found: &mut [MemoryCandidate]) {
        let of = |candidate: &MemoryCandidate| {
            let said = &candidate.memory.said;
            (said.timestamp, said.updated_at, candidate.memory.row)
        };
        let made = |(made, _, row)| (made, row);
        let updated = |(_, updated, row)| (updated, row);
        match self.request.sort {
            RecallSort::Score => {}
            RecallSort::TimeAsc => found.sort_by_key(|it| made(of(it))),
            RecallSort::TimeDesc => found.sort_by_key(|it| std::cmp::Reverse(made(of(it)))),
            RecallSort::UpdatedAsc => found.sort_by_key(|it| updated(of(it))),
            RecallSort::UpdatedDesc => found.sort_by_key(|it| std::cmp::Reverse(updated(of(it)))),
        }
    }

    /// Adds answers without the tags where too few have them; tells whether it did.
    fn add_outside_scope(
        &self,
        finder: &CandidateFinder<'_>,
        questions: &[String],
        found: &mut Vec<MemoryCandidate>,
    ) -> Result<Option<bool>> {
        if !self.request.scope_fallback {
            return Ok(None);
        }
        let missing = self.request.limit.saturating_sub(found.len());
        if missing == 0 || self.request.tags.is_empty() {
            return Ok(Some(false));
        }
        let mut others = finder.without_tags()?.find(questions)?;
        self.keep_distinct(&mut others)?;
        // Only now: what replaces a memory may be among the answers already.
        others.retain(|other| found.iter().all(|known| known.memory.row != other.memory.row));
        sort_by_score(&mut others);
        others.truncate(missing);
        others.iter_mut().for_each(|other| other.outside_tag_scope = true);
        let is_used = !others.is_empty();
        found.extend(others);
        Ok(Some(is_used))
    }
}
