//! Finds candidates for a question, and scores them.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use super::task::RecallTask;
use crate::error::Result;
use crate::service::recall::{
    MatchType, MemoryCandidate, exact_metadata, metadata_score, metadata_terms, sort_by_score,
    tag_share, tokens,
};
use crate::service::relevance::relevance;
use crate::service::request::{Memory, RecallSort};
use crate::service::sqlite::{MemoryOrder, TagFilter};

/// Candidates of a question at least, of which the best are answers.
const CANDIDATES: usize = 50;

/// Memories that are added because of the context where no other answer fits it.
const INJECTED: usize = 3;

/// Finds candidates for questions.
pub(super) struct CandidateFinder<'r> {
    recall: &'r RecallTask<'r>,
    /// The memories that have the wanted tags; none where no tags are wanted.
    tagged: Option<HashSet<i64>>,
    /// Those of them in the wanted stretch of time.
    among: Option<HashSet<i64>>,
    pub(super) has_vectors: bool,
    injected: Cell<bool>,
}

impl<'r> CandidateFinder<'r> {
    pub(super) fn new(recall: &'r RecallTask<'r>) -> Result<Self> {
        let request = recall.request;
        let tagged =
            recall.tag_filter().map(|filter| recall.view.tagged_rows(&filter)).transpose()?;
        let among = narrowed(recall, tagged.as_ref())?;
        let has_vectors = request.embedding.is_some() && recall.view.count_vectors()? > 0;
        Ok(Self { recall, tagged, among, has_vectors, injected: Cell::new(false) })
    }

    /// Returns one that asks for no tags.
    pub(super) fn without_tags(&self) -> Result<Self> {
        let (recall, has_vectors) = (self.recall, self.has_vectors);
        let among = narrowed(recall, None)?;
        Ok(Self { recall, tagged: None, among, has_vectors, injected: Cell::new(false) })
    }

    pub(super) fn tagged_count(&self) -> Option<usize> {
        self.tagged.as_ref().map(HashSet::len)
    }

    /// Tells whether memories were added because of the context.
    pub(super) fn has_injected(&self) -> bool {
        self.injected.get()
    }

    /// Finds candidates for all questions; one that several find is there once, as the best of them found it.
    pub(super) fn find(&self, questions: &[String]) -> Result<Vec<MemoryCandidate>> {
        let mut best: HashMap<i64, MemoryCandidate> = HashMap::new();
        for question in questions {
            let mut found = self.find_one(question)?;
            if questions.len() > 1 {
                sort_by_score(&mut found);
                found.truncate(self.recall.request.per_query_limit);
            }
            for candidate in found {
                let known = best.get(&candidate.memory.row);
                if known.is_none_or(|known| known.score < candidate.score) {
                    best.insert(candidate.memory.row, candidate);
                }
            }
        }
        let mut found: Vec<MemoryCandidate> = best.into_values().collect();
        self.inject(&mut found)?;
        Ok(found)
    }

    fn find_one(&self, question: &str) -> Result<Vec<MemoryCandidate>> {
        let matches = self.matches(question)?;
        let rows: Vec<i64> = matches.keys().copied().collect();
        let memories = self.recall.view.memories(&rows)?;
        let wanted = memories.into_iter().filter(|memory| self.recall.is_wanted(memory));
        let score = |memory: Memory| {
            let found = matches.get(&memory.row).copied().unwrap_or_default();
            self.scored(memory, &found, question)
        };
        Ok(wanted.map(score).collect())
    }

    /// Finds memories by words and by vector; where nothing is asked, those that come first.
    fn matches(&self, question: &str) -> Result<HashMap<i64, Match>> {
        let RecallTask { view, request, .. } = self.recall;
        let wanted = request.limit.saturating_mul(4).max(CANDIDATES);
        let mut matches: HashMap<i64, Match> = HashMap::new();
        if question.is_empty() && request.embedding.is_none() {
            let order = match request.sort {
                RecallSort::Score => MemoryOrder::Importance,
                RecallSort::TimeDesc => MemoryOrder::Newest,
                RecallSort::TimeAsc => MemoryOrder::Oldest,
                RecallSort::UpdatedDesc => MemoryOrder::LastUpdated,
                RecallSort::UpdatedAsc => MemoryOrder::FirstUpdated,
            };
            for row in view.first_rows_among(self.among.as_ref(), order, wanted)? {
                matches.insert(row, Match::default());
            }
        }
        for hit in view.word_hits(question, self.among.as_ref(), wanted)? {
            matches.entry(hit.row).or_default().keyword = Some(hit.score);
        }
        if let Some(embedding) = request.embedding.as_ref().filter(|_| self.has_vectors) {
            let is_among = |row| self.among.as_ref().is_none_or(|among| among.contains(&row));
            for (row, cosine) in view.nearest(embedding, wanted, is_among)? {
                matches.entry(row).or_default().vector = Some(cosine);
            }
        }
        for id in &self.recall.hints.ids {
            let row = view.live_row(*id)?;
            matches.extend(
                row.filter(|row| !matches.contains_key(row))
                    .map(|row| (row, Match { is_priority: true, ..Match::default() })),
            );
        }
        Ok(matches)
    }

    fn scored(&self, memory: Memory, found: &Match, question: &str) -> MemoryCandidate {
        let (now, hints) = (self.recall.session.now, &self.recall.hints);
        let settings = &self.recall.session.store.settings;
        let tokens = tokens(question);
        let (match_type, match_score) = found.told(memory.said.importance);
        let mut candidate = MemoryCandidate::new(memory, match_type, match_score, question);
        let relevance = relevance(&candidate.memory, now, settings.rates);
        let said = &candidate.memory.said;
        let terms = metadata_terms(&said.metadata);
        let parts = &mut candidate.components;
        parts.vector = found.vector.unwrap_or_default().max(0.0);
        parts.keyword = match match_type {
            MatchType::Trending => match_score.min(1.0),
            _ => found.keyword.unwrap_or_default().min(1.0),
        };
        parts.metadata = metadata_score(question, &tokens, &said.metadata);
        parts.exact = f64::from(u8::from(exact_metadata(question, &terms)));
        parts.tag = tag_share(&tokens, &candidate.memory, settings.recall.tag_words);
        (parts.importance, parts.confidence) = (said.importance, said.confidence);
        parts.recency = self.recall.recency(said.timestamp);
        parts.relevance = relevance;
        parts.weigh_evidence(&settings.recall);
        candidate.components.context = hints.bonus(&candidate);
        candidate.score = candidate.components.score(&settings.recall);
        candidate
    }

    /// Adds memories that fit the context, where no candidate does.
    fn inject(&self, found: &mut Vec<MemoryCandidate>) -> Result<()> {
        let hints = &self.recall.hints;
        let fits = found.iter().any(|candidate| candidate.components.context > 0.0);
        if hints.is_empty() || fits || hints.tags.is_empty() {
            return Ok(());
        }
        let tags = hints.tags.iter().cloned().collect();
        let rows = self.recall.view.tagged_rows(&TagFilter { tags, all: false, exact: false })?;
        let rows =
            self.recall.view.first_rows_among(Some(&rows), MemoryOrder::Importance, INJECTED)?;
        for memory in self.recall.view.memories(&rows)? {
            let is_known = found.iter().any(|known| known.memory.row == memory.row);
            if !is_known && self.recall.is_wanted(&memory) {
                found.push(self.scored(memory, &Match { is_tagged: true, ..Match::default() }, ""));
                self.injected.set(true);
            }
        }
        Ok(())
    }
}

/// Returns the memories that tags, time and what is not wanted leave; none where all are left. What is no answer must not be
/// among the candidates: there are only so many.
fn narrowed(
    recall: &RecallTask<'_>,
    tagged: Option<&HashSet<i64>>,
) -> Result<Option<HashSet<i64>>> {
    let window = recall.request.window;
    let in_time = window.map(|it| recall.view.rows_between(it.start, it.end)).transpose()?;
    let excluded = &recall.session.store.settings.recall.excluded_types;
    let of_type = match excluded.is_empty() {
        true => None,
        false => Some(recall.view.rows_of_other_types(excluded)?),
    };
    let sets = [tagged.cloned(), in_time, of_type, without_excluded_tags(recall)?];
    let sets = sets.into_iter().flatten();
    Ok(sets.reduce(|one, other| one.intersection(&other).copied().collect()))
}

fn without_excluded_tags(recall: &RecallTask<'_>) -> Result<Option<HashSet<i64>>> {
    let tags = recall.request.exclude_tags.clone();
    if tags.is_empty() {
        return Ok(None);
    }
    let excluded = recall.view.tagged_rows(&TagFilter { tags, all: false, exact: false })?;
    let rows = recall.view.all_rows()?.into_iter();
    Ok(Some(rows.filter(|row| !excluded.contains(row)).collect()))
}

/// How a memory was found.
#[derive(Debug, Clone, Copy, Default)]
struct Match {
    keyword: Option<f64>,
    vector: Option<f64>,
    is_priority: bool,
    is_tagged: bool,
}

impl Match {
    /// Returns the strongest reason, and how well it matches.
    fn told(&self, importance: f64) -> (MatchType, f64) {
        match (self.vector, self.keyword) {
            (Some(cosine), keyword) if cosine >= keyword.unwrap_or_default() => {
                (MatchType::Vector, cosine)
            }
            (_, Some(score)) => (MatchType::Keyword, score),
            (Some(cosine), None) => (MatchType::Vector, cosine),
            (None, None) if self.is_priority => (MatchType::PriorityId, 0.0),
            (None, None) if self.is_tagged => (MatchType::Tag, 0.0),
            (None, None) => (MatchType::Trending, importance),
        }
    }
}
