//! What of a question stands in the metadata of a memory. Keys and formula are those of the observed server.

use serde_json::{Map, Value};

/// The keys whose values say what a memory is about.
const KEYS: [&str; 12] = [
    "source",
    "source_agent",
    "source_agents",
    "repo",
    "project",
    "tool",
    "surface",
    "applies_to",
    "trigger",
    "provider",
    "model",
    "entities",
];

/// Returns the texts under these keys, in small letters.
pub(crate) fn metadata_terms(metadata: &Map<String, Value>) -> Vec<String> {
    let mut found = Vec::new();
    for key in KEYS {
        metadata.get(key).into_iter().for_each(|value| collect(value, &mut found));
    }
    found
}

fn collect(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.trim().to_lowercase()),
        Value::Array(list) => list.iter().for_each(|each| collect(each, found)),
        Value::Object(object) => {
            let others = object.iter().filter(|(key, _)| key.as_str() != "people");
            others.for_each(|(_, each)| collect(each, found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Tells whether a question is one of the texts.
pub(crate) fn exact_metadata(question: &str, terms: &[String]) -> bool {
    let question = question.trim().to_lowercase();
    !question.is_empty() && terms.contains(&question)
}

/// Returns how much of a question stands in the metadata, 0 to 1.
pub(crate) fn metadata_score(
    question: &str,
    tokens: &[String],
    metadata: &Map<String, Value>,
) -> f64 {
    let terms = metadata_terms(metadata);
    let best = terms.iter().map(|term| shares(tokens, term)).max_by(|a, b| a.0.total_cmp(&b.0));
    let Some((of_value, of_question)) = best.filter(|(of_value, _)| *of_value > 0.0) else {
        return 0.0;
    };
    let exact = f64::from(u8::from(exact_metadata(question, &terms)));
    let is_named = KEYS.iter().any(|key| tokens.iter().any(|token| token == key));
    let named = f64::from(u8::from(is_named));
    (0.15 + 0.45 * of_value + 0.2 * of_question + 0.15 * exact + 0.2 * named).min(1.0)
}

/// Returns which share of the words of a text the question has, and the other way round.
fn shares(tokens: &[String], term: &str) -> (f64, f64) {
    let words: Vec<&str> =
        term.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let is_shared = |token: &&String| token.as_str() == term || words.contains(&token.as_str());
    let shared = tokens.iter().filter(is_shared).count() as f64;
    if shared == 0.0 {
        return (0.0, 0.0);
    }
    let value =
        if tokens.iter().any(|token| token == term) { 1.0 } else { shared / words.len() as f64 };
    (value.min(1.0), shared / tokens.len() as f64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::service::recall::tokens;

    #[test]
    fn a_text_that_is_the_question_counts_most() {
        let metadata = json!({"repo": "acme/tool", "people": ["ada"], "other": "tool"});
        let metadata = metadata.as_object().expect("an object");
        let score = |question: &str| metadata_score(question, &tokens(question), metadata);
        assert_eq!(score("nothing"), 0.0);
        assert!(score("acme/tool") > score("acme"));
        assert!(score("acme") > 0.0);
        assert_eq!(score("ada"), 0.0);
    }
}
