//! Reads what `GET /recall` asks for.

use super::body::FieldErrors;
use super::memory_id::MemoryId;
use super::new_memory::parse_embedding;
use super::query::QueryParameters;
use super::refusal::ServiceRefusal;
use super::time_window::{TimeWindow, read_phrase};
use crate::contract::{Timestamp, words};
use crate::text::excerpt;

words! {
    /// The order of the answers.
    RecallSort {
        /// The best first.
        Score = "score",
        /// The newest first.
        TimeDesc = "time_desc",
        /// The oldest first.
        TimeAsc = "time_asc",
        /// The last changed first.
        UpdatedDesc = "updated_desc",
        /// The longest unchanged first.
        UpdatedAsc = "updated_asc",
    }
}

words! {
    /// Which states of the knowledge are answers.
    StateMode {
        /// What holds now.
        Current = "current",
        /// All that ever held.
        History = "history",
    }
}

words! {
    /// Whether newer memories come first.
    RecencyBias {
        /// Where the question asks for the newest.
        Auto = "auto",
        /// Always.
        On = "on",
        /// Never.
        Off = "off",
    }
}

/// What is recalled.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RecallRequest {
    pub(crate) query: String,
    pub(crate) queries: Vec<String>,
    pub(crate) limit: usize,
    pub(crate) per_query_limit: usize,
    pub(crate) embedding: Option<Vec<f32>>,
    pub(crate) tags: Vec<String>,
    pub(crate) tags_all: bool,
    pub(crate) tags_exact: bool,
    pub(crate) exclude_tags: Vec<String>,
    pub(crate) window: Option<TimeWindow>,
    pub(crate) sort: RecallSort,
    pub(crate) expand: Option<Expansion>,
    pub(crate) expand_entities: bool,
    pub(crate) auto_decompose: bool,
    pub(crate) state_mode: StateMode,
    pub(crate) state_debug: bool,
    pub(crate) recency_bias: RecencyBias,
    pub(crate) scope_fallback: bool,
    pub(crate) min_score: Option<f64>,
    pub(crate) adaptive_floor: bool,
    pub(crate) context: SaidContext,
    pub(crate) warnings: Vec<String>,
}

/// How far answers are followed along their relations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Expansion {
    pub(crate) relation_limit: usize,
    pub(crate) expansion_limit: usize,
    pub(crate) min_importance: f64,
    pub(crate) min_strength: f64,
    pub(crate) respect_tags: bool,
}

/// What a caller says about its context.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct SaidContext {
    pub(crate) context: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) active_path: Option<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) types: Vec<String>,
    pub(crate) ids: Vec<MemoryId>,
}

/// Characters of a question that are read: a longer one is a pasted text.
const QUESTION: usize = 20_000;

/// Questions of one request at most.
const QUESTIONS: usize = 20;

impl RecallRequest {
    /// Reads the parameters; `most` is the largest limit, `bias` holds where a request says nothing of newer memories.
    pub(crate) fn read(
        query: &QueryParameters,
        most: usize,
        bias: RecencyBias,
        now: Timestamp,
    ) -> Result<Self, Box<ServiceRefusal>> {
        let errors = FieldErrors::default();
        let mut warnings = Vec::new();
        let window = read_window(query, now, &errors, &mut warnings);
        let text = query.one(&["query"]).unwrap_or_default().to_owned();
        let queries: Vec<String> = query.repeated("queries").into_iter().take(QUESTIONS).collect();
        let is_asked = !text.is_empty() || !queries.is_empty();
        let sort = read_sort(query, &mut warnings);
        let by_default =
            if !is_asked && window.is_some() { RecallSort::TimeDesc } else { RecallSort::Score };
        let limit = query.whole("limit", 5, 1..=most);
        let request = Self {
            query: text.chars().take(QUESTION).collect(),
            queries,
            limit,
            per_query_limit: query.whole("per_query_limit", limit, 1..=most),
            embedding: read_embedding(query, &errors),
            tags: query.all("tags"),
            tags_all: query.one(&["tag_mode"]).is_some_and(|mode| mode.eq_ignore_ascii_case("all")),
            tags_exact: query
                .one(&["tag_match"])
                .is_some_and(|it| it.eq_ignore_ascii_case("exact")),
            exclude_tags: query.all("exclude_tags"),
            window,
            sort: sort.unwrap_or(by_default),
            expand: Expansion::read(query),
            expand_entities: query.flag(&["expand_entities", "entity_expansion"]).unwrap_or(false),
            auto_decompose: query.flag(&["auto_decompose"]).unwrap_or(false),
            state_mode: read_state(query, &errors),
            state_debug: query.flag(&["state_debug"]).unwrap_or(false),
            recency_bias: read_bias(query).unwrap_or(bias),
            scope_fallback: query.flag(&["scope_fallback"]).unwrap_or(false),
            min_score: query.share("min_score"),
            adaptive_floor: query.flag(&["adaptive_floor"]).unwrap_or(true),
            context: SaidContext::read(query),
            warnings,
        };
        errors.settle(request)
    }

    /// Returns the questions to look for; one that is empty where nothing is asked.
    pub(crate) fn questions(&self) -> Vec<String> {
        if self.queries.is_empty() { vec![self.query.clone()] } else { self.queries.clone() }
    }
}

impl Expansion {
    fn read(query: &QueryParameters) -> Option<Self> {
        let names = ["expand_relations", "expand_associations", "expand"];
        query.flag(&names).filter(|wanted| *wanted).map(|_| Self {
            relation_limit: query.whole("relation_limit", 5, 1..=200),
            expansion_limit: query.whole("expansion_limit", 25, 1..=500),
            min_importance: query.share("expand_min_importance").unwrap_or(0.0),
            min_strength: query.share("expand_min_strength").unwrap_or(0.0),
            respect_tags: query.flag(&["expand_respect_tags"]).unwrap_or(false),
        })
    }
}

impl SaidContext {
    fn read(query: &QueryParameters) -> Self {
        let text = |names: &[&str]| query.one(names).map(str::to_owned);
        Self {
            context: text(&["context"]),
            language: text(&["language", "lang"]),
            active_path: text(&["active_path", "file_path", "focus_path"]),
            tags: query.all("context_tags"),
            types: query.all("context_types"),
            ids: query.all("priority_ids").iter().filter_map(|id| MemoryId::parse(id)).collect(),
        }
    }
}

/// A phrase that is no time is passed over, as clients expect; a start or end that is none is an error.
fn read_window(
    query: &QueryParameters,
    now: Timestamp,
    errors: &FieldErrors,
    warnings: &mut Vec<String>,
) -> Option<TimeWindow> {
    let phrase = query.one(&["time_query", "time"]);
    let phrase = phrase.and_then(|phrase| {
        let read = read_phrase(phrase, now);
        if read.is_none() {
            let allowed =
                "`yesterday`, `last 7 days`, `last week`, `this month`, `2026-11` or `2026-11-20`";
            let found = excerpt(phrase);
            warnings
                .push(format!("`time_query` was ignored: `{found}` is no time, such as {allowed}"));
        }
        read
    });
    let time = |name: &str| {
        let text = query.one(&[name])?;
        let read = Timestamp::parse(text);
        if read.is_none() {
            let message = format!("Invalid {name} time: Invalid ISO timestamp");
            let detail = format!("found `{}`, allowed is ISO 8601", excerpt(text));
            errors.add(name, message, detail);
        }
        read
    };
    let (start, end) = (time("start"), time("end"));
    let window = phrase.unwrap_or_default();
    let window = TimeWindow { start: start.or(window.start), end: end.or(window.end) };
    (window != TimeWindow::default()).then_some(window)
}

fn read_embedding(query: &QueryParameters, errors: &FieldErrors) -> Option<Vec<f32>> {
    let text = query.one(&["embedding"])?;
    let read = parse_embedding(text);
    if read.is_none() {
        let detail = "allowed are numbers with commas between them";
        errors.add("embedding", "'embedding' must be a list of numbers", detail);
    }
    read
}

fn read_sort(query: &QueryParameters, warnings: &mut Vec<String>) -> Option<RecallSort> {
    let word = query.one(&["sort", "order_by"])?;
    let read = RecallSort::parse(&word.to_lowercase());
    if read.is_none() {
        let known = RecallSort::NAMES.join("`, `");
        warnings.push(format!("`sort` was ignored: `{}`, known are `{known}`", excerpt(word)));
    }
    read
}

/// Reads which memories are wanted; the older `current_only` wins where both are sent.
fn read_state(query: &QueryParameters, errors: &FieldErrors) -> StateMode {
    let word = query.one(&["state_mode"]).unwrap_or(StateMode::Current.name());
    let Some(mode) = StateMode::parse(&word.to_lowercase()) else {
        let message = "'state_mode' must be 'current' or 'history'";
        errors.add("state_mode", message, format!("found `{}`", excerpt(word)));
        return StateMode::Current;
    };
    match query.flag(&["current_only"]) {
        Some(true) => StateMode::Current,
        Some(false) => StateMode::History,
        None => mode,
    }
}

fn read_bias(query: &QueryParameters) -> Option<RecencyBias> {
    RecencyBias::parse(&query.one(&["recency_bias"])?.to_lowercase())
}
