//! Tells what became of each of several proposals, in words or as one JSON document.

use serde::Serialize;
use serde_json::{Value, json};

use super::output::{BAD, CARE, DONE, GOOD, NO, Output};
use super::render;
use crate::contract::{Answer, Outcome, Refusal};
use crate::error::{EXIT_COULD_NOT, Error, Result};
use crate::project::verbs::{Committed, Left, OtherBranch, Rejected, Restored, TakenBack, Wanted};
use crate::secrets::{clean, shown_name};

pub(super) struct Report {
    answers: Vec<One>,
    code: u8,
    /// Whether each refusal names its proposal.
    names_each: bool,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Decision {
    Outcome(Outcome),
    Rejected(Rejected),
    TakenBack(TakenBack),
    Restored(Restored),
}

/// What became of one proposal, as JSON.
#[derive(Debug, Serialize)]
struct One {
    /// What the caller typed, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked_for: Option<String>,
    #[serde(flatten)]
    decision: Option<Decision>,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

#[derive(Debug, Serialize)]
struct Several<'a> {
    results: &'a [One],
    /// What `--all` did not decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<&'a [Left]>,
}

impl One {
    fn of(wanted: &Wanted, answer: Result<(Decision, Option<Committed>)>) -> Self {
        let told = |error: &Error| Some(error.document(clean)["error"].take());
        let (decision, commit, error) = match answer {
            Ok((decision, committed)) => {
                let (commit, error) = match committed {
                    None => (None, None),
                    Some(Committed::Made(made)) => (Some(json!(made)), None),
                    Some(Committed::Nothing(why)) => (Some(json!({ "nothing": why })), None),
                    Some(Committed::Refused(error) | Committed::Failed(error)) => {
                        (None, told(&error))
                    }
                };
                (Some(decision), commit, error)
            }
            Err(error) => (None, None, told(&error)),
        };
        let asked_for = match wanted {
            Wanted::Named(id) => Some(clean(id)),
            Wanted::Latest => None,
        };
        Self { asked_for, decision, commit, error }
    }
}

impl Report {
    pub(super) fn about(wanted: &[Wanted]) -> Self {
        Self { answers: Vec::new(), code: DONE, names_each: wanted.len() > 1 }
    }

    pub(super) fn about_all() -> Self {
        Self { answers: Vec::new(), code: DONE, names_each: true }
    }

    /// Adds the answer about one proposal. An error is an answer too: the other decisions stand.
    pub(super) fn add(
        &mut self,
        wanted: &Wanted,
        answer: Result<Answer<Decision>>,
        output: Output,
    ) {
        let refused = |refusal: Box<Refusal>| Decision::Outcome(Outcome::Rejected(*refusal));
        let answer = answer.map(|answer| (answer.unwrap_or_else(refused), None));
        self.add_any(wanted, answer, output);
    }

    pub(super) fn add_applied(
        &mut self,
        wanted: &Wanted,
        answer: Result<(Outcome, Option<Committed>)>,
        output: Output,
    ) {
        let answer = answer.map(|(outcome, committed)| (Decision::Outcome(outcome), committed));
        self.add_any(wanted, answer, output);
    }

    fn add_any(
        &mut self,
        wanted: &Wanted,
        answer: Result<(Decision, Option<Committed>)>,
        output: Output,
    ) {
        let is_refused = matches!(answer, Ok((Decision::Outcome(Outcome::Rejected(_)), _)));
        if !output.json {
            if let (true, Wanted::Named(id)) = (is_refused && self.names_each, wanted) {
                output.insist(&format!("{BAD}{}{BAD:#}", shown_name(id)));
            }
            print(&answer, output);
        }
        let code = match &answer {
            Ok((_, Some(Committed::Failed(_)))) | Err(_) => EXIT_COULD_NOT,
            Ok((_, Some(Committed::Refused(_)))) => NO,
            Ok((_, None | Some(Committed::Made(_) | Committed::Nothing(_)))) if is_refused => NO,
            Ok((_, None | Some(Committed::Made(_) | Committed::Nothing(_)))) => DONE,
        };
        self.code = self.code.max(code);
        self.answers.push(One::of(wanted, answer));
    }

    /// Returns the exit code of the worst answer.
    pub(super) fn finish(mut self, output: Output) -> u8 {
        if output.json {
            match self.answers.as_mut_slice() {
                [only] => {
                    only.asked_for = None;
                    output.print_json(only);
                }
                several => output.document(&Several { results: several, left: None }),
            }
        }
        self.code
    }

    /// Ends a report about all proposals, with those that were left alone.
    pub(super) fn finish_all(self, left: &[Left], output: Output) -> u8 {
        if output.json {
            output.document(&Several { results: &self.answers, left: Some(left) });
            return self.code;
        }
        for each in left {
            let Left { id, expired_at, superseded_by, other_branches, .. } = each;
            let why = [("expired at", expired_at), ("superseded by", superseded_by)];
            let why =
                why.iter().filter_map(|(how, what)| Some(format!("{how} {}", what.as_ref()?)));
            let look = [
                (each.request_changed, "not as it was staged: `show` it"),
                (each.request_unknown, "not known here: `show` it"),
                (each.was_decided, "decided here before: `show` it"),
            ];
            let look = look.iter().filter(|(is_so, _)| *is_so).map(|(_, said)| (*said).to_owned());
            let why = why.chain(look).chain(OtherBranch::say(other_branches));
            let why = why.collect::<Vec<_>>().join(", ");
            output.data(&format!("{CARE}left{CARE:#} {id}, {why}\n"));
        }
        let is_applied =
            |one: &&One| matches!(one.decision, Some(Decision::Outcome(Outcome::Applied(_))));
        let applied = self.answers.iter().filter(is_applied).count();
        let (refused, left) = (self.answers.len() - applied, left.len());
        output.talk(&format!("{applied} applied, {refused} refused, {left} left"));
        self.code
    }
}

fn print(answer: &Result<(Decision, Option<Committed>)>, output: Output) {
    let (decision, committed) = match answer {
        Ok(answer) => answer,
        Err(error) => {
            output.error(error);
            return;
        }
    };
    match decision {
        Decision::Outcome(outcome) => render::outcome(outcome, output),
        Decision::Rejected(rejected) => {
            let (id, kept) = (&rejected.id, &rejected.kept_in);
            let again = if rejected.remembered { "" } else { "; its text may be proposed again" };
            output.data(&format!("{CARE}rejected{CARE:#} {id}, kept in {kept}{again}\n"));
            output.warn_each(&rejected.warnings);
        }
        Decision::TakenBack(undone) => {
            output.data(&format!("{CARE}undone{CARE:#} {}\n", undone.id));
            let sections = undone.affected_sections.iter().map(render::affected);
            sections.for_each(|section| output.data(&format!("  {section}\n")));
            output.warn_each(&undone.warnings);
        }
        Decision::Restored(restored) => {
            let (id, until) = (&restored.id, restored.expires_at);
            output.data(&format!("{CARE}restored{CARE:#} {id}, waits until {until}\n"));
            output.warn_each(&restored.warnings);
        }
    }
    match committed {
        None => {}
        Some(Committed::Made(made)) => {
            let short = made.id.get(..12).unwrap_or(&made.id);
            output.data(&format!("{GOOD}committed{GOOD:#} {short}\n"));
            output.warn_each(&made.warnings);
        }
        Some(Committed::Nothing(why)) => output.data(&format!("nothing to commit: {why}\n")),
        Some(Committed::Refused(error) | Committed::Failed(error)) => {
            output.insist("the change is in the files, but in no commit:");
            let _ = output.error(error);
        }
    }
}
