//! What became of proposals, as JSON: the keys stand in the order in which the corridor answers.

use serde::Serialize;
use serde_json::{Value, json};

use super::report::Decision;
use crate::contract::Outcome;
use crate::error::Error;
use crate::project::verbs::{Committed, Left, Rejected, Restored, TakenBack, Wanted};
use crate::secrets::clean;

/// What became of one proposal.
#[derive(Debug, Serialize)]
pub(super) struct One<'a> {
    /// Which it is, as it was asked for, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked_for: Option<String>,
    #[serde(flatten)]
    answer: Option<Answer<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

/// What became of several proposals.
#[derive(Debug, Serialize)]
pub(super) struct Several<'a> {
    results: Vec<One<'a>>,
    /// What was not decided, where everything that waited was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<&'a [Left]>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Answer<'a> {
    Outcome(&'a Outcome),
    Rejected(&'a Rejected),
    TakenBack(&'a TakenBack),
    Restored(&'a Restored),
}

impl<'a> From<&'a Result<Decision, Error>> for One<'a> {
    fn from(answer: &'a Result<Decision, Error>) -> Self {
        let of = |answer| Self { asked_for: None, answer, commit: None, error: None };
        let told = |error: &Error| Some(error.document(clean)["error"].take());
        match answer {
            Ok(Decision::Outcome(outcome)) => of(Some(Answer::Outcome(outcome))),
            Ok(Decision::Committed(outcome, committed)) => {
                let one = of(Some(Answer::Outcome(outcome)));
                match committed {
                    Committed::Made(made) => Self { commit: Some(json!(made)), ..one },
                    Committed::Nothing(why) => {
                        Self { commit: Some(json!({ "nothing": why })), ..one }
                    }
                    // The change has landed, so its answer stands beside the error.
                    Committed::Refused(error) | Committed::Failed(error) => {
                        Self { error: told(error), ..one }
                    }
                }
            }
            Ok(Decision::Rejected(rejected)) => of(Some(Answer::Rejected(rejected))),
            Ok(Decision::TakenBack(undone)) => of(Some(Answer::TakenBack(undone))),
            Ok(Decision::Restored(restored)) => of(Some(Answer::Restored(restored))),
            Err(error) => Self { error: told(error), ..of(None) },
        }
    }
}

impl<'a> Several<'a> {
    /// Describes them in the order in which they were decided.
    pub(super) fn of(
        answers: &'a [(Wanted, Result<Decision, Error>)],
        left: Option<&'a [Left]>,
    ) -> Self {
        let named = |(wanted, answer): &'a (Wanted, Result<Decision, Error>)| match wanted {
            Wanted::Named(id) => One { asked_for: Some(clean(id)), ..One::from(answer) },
            Wanted::Latest => One::from(answer),
        };
        Self { results: answers.iter().map(named).collect(), left }
    }
}
