//! Tells what became of each of several proposals, in words or as one JSON document.

use serde::Serialize;
use serde_json::{Value, json};

use super::output::{BAD, CARE, DONE, NO, Output};
use super::{clean, render};
use crate::contract::Outcome;
use crate::error::{EXIT_COULD_NOT, Error};
use crate::ops::{Rejected, Wanted};
use crate::text::visible;

/// What was decided so far.
#[derive(Default)]
pub(super) struct Report {
    answers: Vec<(Wanted, Value)>,
    code: u8,
}

/// What became of one proposal.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Decision {
    /// The answer of the corridor.
    Outcome(Outcome),
    /// A person's no.
    Rejected(Rejected),
}

impl From<Outcome> for Decision {
    fn from(outcome: Outcome) -> Self {
        Self::Outcome(outcome)
    }
}

impl Report {
    /// Takes the answer about one proposal. An error is one of the answers: what was decided about the
    /// others has happened.
    pub(super) fn add(
        &mut self,
        wanted: &Wanted,
        answer: Result<impl Into<Decision>, Error>,
        output: Output,
    ) {
        let answer = answer.map(Into::into);
        if !output.json {
            self.say(wanted, &answer, output);
        }
        let code = match &answer {
            Ok(Decision::Outcome(Outcome::Rejected(_))) => NO,
            Ok(Decision::Outcome(_) | Decision::Rejected(_)) => DONE,
            Err(_) => EXIT_COULD_NOT,
        };
        self.code = self.code.max(code);
        let answer = match answer {
            Ok(decision) => json!(decision),
            Err(error) => output.error_document(&error, clean),
        };
        self.answers.push((wanted.clone(), answer));
    }

    /// Prints the document, if one is wanted, and returns the exit code: that of the worst answer.
    pub(super) fn finish(self, output: Output) -> u8 {
        if output.json {
            match self.answers.as_slice() {
                [(_, only)] => output.document(only),
                several => {
                    let results: Vec<Value> = several.iter().map(named).collect();
                    output.document(&json!({ "results": results }));
                }
            }
        }
        self.code
    }

    fn say(&self, wanted: &Wanted, answer: &Result<Decision, Error>, output: Output) {
        match answer {
            Ok(Decision::Outcome(outcome)) => {
                if let (Outcome::Rejected(_), Wanted::Named(id)) = (outcome, wanted) {
                    output.insist(&format!("{BAD}{}{BAD:#}", visible(&clean(id))));
                }
                render::outcome(outcome, output);
            }
            Ok(Decision::Rejected(rejected)) => {
                let (id, kept) = (&rejected.proposal_id, &rejected.kept_in);
                output.data(&format!("{CARE}rejected{CARE:#} {id}, kept in {kept}\n"));
                rejected.warnings.iter().for_each(|warning| output.warn(warning));
            }
            Err(error) => drop(output.error(error, clean)),
        }
    }
}

/// Puts into one of several answers which proposal it is about, as it was asked for.
fn named((wanted, answer): &(Wanted, Value)) -> Value {
    let mut answer = answer.clone();
    if let (Some(fields), Wanted::Named(id)) = (answer.as_object_mut(), wanted) {
        fields.insert("asked_for".to_owned(), clean(id).into());
    }
    answer
}
