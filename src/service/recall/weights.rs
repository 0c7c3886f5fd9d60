//! What each part of a score counts. Names and defaults are those of the observed server.

/// What each part of a score counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ScoreWeights {
    pub(crate) vector: f64,
    pub(crate) keyword: f64,
    pub(crate) metadata: f64,
    pub(crate) relation: f64,
    pub(crate) tag: f64,
    pub(crate) importance: f64,
    pub(crate) confidence: f64,
    pub(crate) recency: f64,
    pub(crate) exact: f64,
    pub(crate) relevance: f64,
    /// Where the newest is asked for.
    pub(crate) temporal: f64,
}

impl Default for ScoreWeights {
    fn default() -> Self {
        Self {
            vector: 0.35,
            keyword: 0.35,
            metadata: 0.35,
            relation: 0.25,
            tag: 0.20,
            importance: 0.10,
            confidence: 0.05,
            recency: 0.10,
            exact: 0.20,
            relevance: 0.0,
            temporal: 0.10,
        }
    }
}

impl ScoreWeights {
    /// Takes the weights that are set by name, as `SEARCH_WEIGHT_VECTOR` is; what is no number from 0 to 10 is ignored.
    pub(crate) fn named(setting: impl Fn(&str) -> Option<String>) -> Self {
        let mut weights = Self::default();
        let read = |name: &str, weight: &mut f64| {
            let set = setting(&format!("SEARCH_WEIGHT_{name}"));
            let number = set.and_then(|text| text.trim().parse().ok());
            *weight = number.filter(|number| (0.0..=10.0).contains(number)).unwrap_or(*weight);
        };
        read("VECTOR", &mut weights.vector);
        read("KEYWORD", &mut weights.keyword);
        read("METADATA", &mut weights.metadata);
        read("RELATION", &mut weights.relation);
        read("TAG", &mut weights.tag);
        read("IMPORTANCE", &mut weights.importance);
        read("CONFIDENCE", &mut weights.confidence);
        read("RECENCY", &mut weights.recency);
        read("EXACT", &mut weights.exact);
        read("RELEVANCE", &mut weights.relevance);
        read("TEMPORAL", &mut weights.temporal);
        weights
    }
}
