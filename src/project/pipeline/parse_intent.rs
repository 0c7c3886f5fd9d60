//! Reads what a change is for.

use serde_json::Value;

use crate::contract::kind;
use crate::project::request::{Answer, Intent, OperationKind, Reason, Refusal};
use crate::text::{excerpt, nearest};

/// Reads the intent; what is none is answered with the one that was probably meant.
pub(super) fn read_intent(value: Option<&Value>) -> Answer<Intent> {
    let found = value.and_then(Value::as_str);
    found.and_then(Intent::parse).ok_or_else(|| {
        let all = format!("use one of `{}`", Intent::NAMES.join("`, `"));
        let nearest = found.and_then(|word| {
            nearest(word, Intent::NAMES.iter().copied()).or_else(|| of_same_matter(word))
        });
        let (message, hint) = match (found, value) {
            (Some(word), _) if OperationKind::parse(word).is_some() => {
                let message = format!("`{word}` is an operation, and no intent");
                let form = r#"send `{"intent": "…", "operations": [{"operation": "#;
                (message, format!("{form}\"{word}\", …}}]}}`; as the intent {all}"))
            }
            (Some(word), _) => {
                let message = format!("there is no intent `{}`", excerpt(word));
                let again = nearest.map(|it| format!("did you mean `\"intent\": \"{it}\"`? "));
                (message, again.unwrap_or_default() + &all)
            }
            (None, Some(value)) => {
                (format!("`intent`: expected a string, found {}", kind(value)), all)
            }
            (None, None) => ("`intent` is required".to_owned(), all),
        };
        Refusal::new(Reason::InvalidIntent, message, hint).at("/intent")
    })
}

/// Words that say what is done, and not about what.
const VERBS: [&str; 4] = ["update", "add", "record", "refresh"];

/// Letters of a word of which the other may be a longer form: `decisions`, `log`.
const STEM: usize = 4;

/// Returns the one intent that is about what a word names: `decision`, `log_session`, `new-pitfall`.
fn of_same_matter(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let said: Vec<&str> = word.split(|letter: char| !letter.is_alphanumeric()).collect();
    let is_same = |one: &str, other: &str| {
        one == other
            || (one.len().min(other.len()) >= STEM
                && (one.starts_with(other) || other.starts_with(one)))
    };
    let is_about = |name: &&&'static str| {
        let mut matters = name.split('_').filter(|part| !VERBS.contains(part));
        matters.any(|matter| said.iter().any(|part| is_same(matter, part)))
    };
    let mut found = Intent::NAMES.iter().filter(is_about);
    found.next().filter(|_| found.next().is_none()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_intent_is_found_by_its_matter() {
        for (word, expected) in [
            ("decision", Some("record_decision")),
            ("Decisions", Some("record_decision")),
            ("pitfall", Some("add_pitfall")),
            ("log_session", Some("session_log")),
            ("new-convention", Some("update_conventions")),
            ("archive", Some("archive_stale")),
            ("record_pitfall", Some("add_pitfall")),
            ("pitfall_log", None),
            ("update", None),
            ("", None),
        ] {
            assert_eq!(of_same_matter(word), expected, "{word}");
        }
    }
}
