//! Tells what became of each of several proposals, in words or as one JSON document.

use serde::Serialize;

use super::output::{BAD, CARE, DONE, GOOD, NO, Output};
use super::render;
use crate::contract::{ErrorBody, Failure};
use crate::error::{EXIT_COULD_NOT, Result};
use crate::project::request::{Answer, Applied, Outcome};
use crate::project::verbs::{
    Committed, Left, MadeCommit, OtherBranch, Rejected, Restored, TakenBack, Wanted,
};
use crate::secrets::{clean, shown_name};

pub(super) struct Report {
    answers: Vec<One>,
    code: u8,
    /// Whether each refusal names its proposal.
    names_each: bool,
}

/// What was decided about a proposal.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(tag = "status", rename_all = "snake_case")]
pub(super) enum Decision {
    Applied(Applied),
    Rejected(Rejected),
    Undone(TakenBack),
    Restored(Restored),
}

/// A decision or a refusal, with the commit where one was wanted.
type Reported = (Answer<Decision>, Option<Committed>);

/// What became of one proposal, as JSON.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub(super) struct One {
    /// What the caller typed, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked_for: Option<String>,
    #[serde(flatten)]
    decision: Option<Decision>,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<CommitState>,
    /// Why nothing was decided, or no commit was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorBody>,
    #[serde(rename = "warnings", skip_serializing_if = "Vec::is_empty")]
    warnings_of_error: Vec<String>,
}

#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
enum CommitState {
    Made(MadeCommit),
    /// Why no commit was needed.
    Nothing {
        nothing: String,
    },
}

#[derive(Debug, Serialize, schemars::JsonSchema)]
pub(super) struct Several<'a> {
    results: &'a [One],
    /// What `--all` did not decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<&'a [Left]>,
}

impl One {
    fn of(wanted: &Wanted, answer: Result<Reported>) -> Self {
        let asked_for = match wanted {
            Wanted::Named(id) => Some(clean(id)),
            Wanted::Latest => None,
        };
        let failed = |Failure { error, warnings }| Self {
            asked_for: asked_for.clone(),
            decision: None,
            commit: None,
            error: Some(error),
            warnings_of_error: warnings,
        };
        let (decision, committed) = match answer {
            Ok((Ok(decision), committed)) => (decision, committed),
            Ok((Err(refusal), _)) => return failed(Failure::from(*refusal)),
            Err(error) => return failed(error.document(clean)),
        };
        let (commit, error) = match committed {
            None => (None, None),
            Some(Committed::Made(made)) => (Some(CommitState::Made(made)), None),
            Some(Committed::Nothing(nothing)) => (Some(CommitState::Nothing { nothing }), None),
            Some(Committed::Refused(error) | Committed::Failed(error)) => {
                (None, Some(error.document(clean).error))
            }
        };
        let decision = Some(decision);
        Self { asked_for, decision, commit, error, warnings_of_error: Vec::new() }
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
        self.add_any(wanted, answer.map(|answer| (answer, None)), output);
    }

    pub(super) fn add_applied(
        &mut self,
        wanted: &Wanted,
        answer: Result<(Outcome, Option<Committed>)>,
        output: Output,
    ) {
        let decided = |outcome| match outcome {
            Outcome::Applied(applied) => Ok(Decision::Applied(applied)),
            Outcome::Rejected(refusal) => Err(Box::new(refusal)),
            Outcome::Staged(_) => unreachable!("an approved proposal is never staged"),
        };
        let answer = answer.map(|(outcome, committed)| (decided(outcome), committed));
        self.add_any(wanted, answer, output);
    }

    fn add_any(&mut self, wanted: &Wanted, answer: Result<Reported>, output: Output) {
        let is_refused = matches!(answer, Ok((Err(_), _)));
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
                    output.document(only);
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
        let applied = self.answers.iter().filter(|one| one.decision.is_some()).count();
        let (refused, left) = (self.answers.len() - applied, left.len());
        output.talk(&format!("{applied} applied, {refused} refused, {left} not tried"));
        self.code
    }
}

fn print(answer: &Result<Reported>, output: Output) {
    let (decision, committed) = match answer {
        Ok((Ok(decision), committed)) => (decision, committed),
        Ok((Err(refusal), _)) => return output.refusal(refusal),
        Err(error) => {
            output.error(error);
            return;
        }
    };
    match decision {
        Decision::Applied(applied) => render::applied(applied, output),
        Decision::Rejected(rejected) => {
            let (id, kept) = (&rejected.id, &rejected.kept_in);
            let again = if rejected.remembered { "" } else { "; its text may be proposed again" };
            output.data(&format!("{CARE}rejected{CARE:#} {id}, kept in {kept}{again}\n"));
            output.warn_each(&rejected.warnings);
        }
        Decision::Undone(undone) => {
            output.data(&format!("{CARE}undone{CARE:#} {}\n", undone.id));
            let sections = undone.affected_sections.iter().map(render::affected);
            sections.for_each(|section| output.data(&format!("  {section}\n")));
            output.warn_each(&undone.warnings);
        }
        Decision::Restored(restored) => {
            let (id, until) = (&restored.id, restored.expires_at);
            let how_long = match restored.expired {
                true => format!("expired at {until}"),
                false => format!("pending until {until}"),
            };
            output.data(&format!("{CARE}restored{CARE:#} {id}, {how_long}\n"));
            output.warn_each(&restored.warnings);
        }
    }
    committed.iter().for_each(|committed| print_commit(committed, output));
}

fn print_commit(committed: &Committed, output: Output) {
    match committed {
        Committed::Made(made) => {
            let short = made.id.get(..12).unwrap_or(&made.id);
            output.data(&format!("{GOOD}committed{GOOD:#} {short}\n"));
            output.warn_each(&made.warnings);
        }
        Committed::Nothing(why) => output.data(&format!("nothing to commit: {why}\n")),
        Committed::Refused(error) | Committed::Failed(error) => {
            output.insist("the change is in the files, but in no commit:");
            let _ = output.error(error);
        }
    }
}
