//! How recall is set. Names and defaults are those of the observed server.

use super::weights::ScoreWeights;
use crate::service::request::RecencyBias;

/// How recall is set.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RecallSettings {
    pub(crate) weights: ScoreWeights,
    pub(crate) recency: RecencyCurve,
    /// Words of a question by which its share of tags is divided at most; none for all of them.
    pub(crate) tag_words: Option<usize>,
    /// The evidence below which importance, confidence, recency, tags and relevance count less; 0 for none.
    pub(crate) gate: f64,
    /// Types that are no answers.
    pub(crate) excluded_types: Vec<String>,
    /// Whether newer memories come first, where a request does not say it.
    pub(crate) bias: RecencyBias,
}

/// How recency fades with the days.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RecencyCurve {
    /// Evenly, to nothing after so many days.
    Linear(f64),
    /// To a half after so many days, and so on.
    HalfLife(f64),
}

/// Days of a curve where nothing is set.
const DAYS: f64 = 180.0;

impl RecallSettings {
    /// Takes what is set by name; what cannot be read counts as absent.
    pub(crate) fn named(setting: impl Fn(&str) -> Option<String>) -> Self {
        let word = |name: &str| setting(name).map(|text| text.trim().to_lowercase());
        let number =
            |name: &str| word(name)?.parse().ok().filter(|number: &f64| number.is_finite());
        let days = number("SEARCH_RECENCY_WINDOW_DAYS").filter(|days| *days > 0.0).unwrap_or(DAYS);
        let is_exponential = word("SEARCH_RECENCY_CURVE").as_deref() == Some("exp");
        let tag_words = word("SEARCH_TAG_SCORE_TOKEN_CAP").and_then(|text| text.parse().ok());
        let excluded = setting("RECALL_EXCLUDED_TYPES").unwrap_or_default();
        let excluded = excluded.split(',').map(str::trim).filter(|kind| !kind.is_empty());
        let bias = word("RECALL_RECENCY_BIAS").and_then(|word| RecencyBias::parse(&word));
        Self {
            weights: ScoreWeights::named(&setting),
            recency: match is_exponential {
                true => RecencyCurve::HalfLife(days),
                false => RecencyCurve::Linear(days),
            },
            tag_words: tag_words.filter(|words| *words > 0),
            gate: number("RECALL_RELEVANCE_GATE").unwrap_or(0.0).clamp(0.0, 1.0),
            excluded_types: excluded.map(str::to_owned).collect(),
            bias: bias.unwrap_or(RecencyBias::Off),
        }
    }
}

impl RecencyCurve {
    /// Returns how recent something is at an age in days: 1 if it is new.
    pub(crate) fn at(self, age: f64) -> f64 {
        match self {
            Self::Linear(days) => (1.0 - age / days).max(0.0),
            Self::HalfLife(days) => (-age / days).exp2(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(set: &[(&str, &str)]) -> RecallSettings {
        let value = |name: &str| set.iter().find(|(known, _)| *known == name);
        RecallSettings::named(|name| value(name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn what_is_not_set_or_cannot_be_read_has_no_effect() {
        let plain = with(&[]);
        assert_eq!(plain.recency, RecencyCurve::Linear(180.0));
        assert_eq!((plain.tag_words, plain.gate, plain.bias), (None, 0.0, RecencyBias::Off));
        assert!(plain.excluded_types.is_empty());
        let odd = with(&[
            ("SEARCH_RECENCY_WINDOW_DAYS", "-1"),
            ("SEARCH_RECENCY_CURVE", "cubic"),
            ("SEARCH_TAG_SCORE_TOKEN_CAP", "0"),
            ("RECALL_RELEVANCE_GATE", "NaN"),
            ("RECALL_EXCLUDED_TYPES", " , "),
            ("RECALL_RECENCY_BIAS", "perhaps"),
        ]);
        assert_eq!(odd, plain);
    }

    #[test]
    fn recency_fades_evenly_or_by_halves() {
        let linear = with(&[("SEARCH_RECENCY_WINDOW_DAYS", "10")]).recency;
        assert_eq!([0.0, 5.0, 20.0].map(|age| linear.at(age)), [1.0, 0.5, 0.0]);
        let set = [("SEARCH_RECENCY_WINDOW_DAYS", "10"), ("SEARCH_RECENCY_CURVE", "EXP")];
        let halves = with(&set).recency;
        assert_eq!([0.0, 10.0, 20.0].map(|age| halves.at(age)), [1.0, 0.5, 0.25]);
    }
}
