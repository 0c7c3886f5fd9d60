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
        let nearest = found.and_then(|word| nearest(word, Intent::NAMES.iter().copied()));
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
