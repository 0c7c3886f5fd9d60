//! Tells what became of each of several proposals, in words or as one JSON document.

use super::decided::{One, Several};
use super::output::{BAD, CARE, DONE, GOOD, NO, Output};
use super::render;
use crate::contract::{Outcome, Refusal};
use crate::error::{EXIT_COULD_NOT, Error};
use crate::project::verbs::{Committed, Left, OtherBranch, Rejected, Restored, TakenBack, Wanted};
use crate::secrets::shown_name;

/// What was decided so far.
pub(super) struct Report {
    answers: Vec<(Wanted, Result<Decision, Error>)>,
    code: u8,
    /// Whether a refusal says which proposal it is about: of several, nobody could tell otherwise.
    names_each: bool,
}

/// What became of one proposal.
#[derive(Debug)]
pub(super) enum Decision {
    /// The answer of the corridor.
    Outcome(Outcome),
    /// The same, with what became of the commit.
    Committed(Outcome, Committed),
    /// A person's no.
    Rejected(Rejected),
    /// A change that was taken back.
    TakenBack(TakenBack),
    /// A proposal that waits again.
    Restored(Restored),
}

impl From<Outcome> for Decision {
    fn from(outcome: Outcome) -> Self {
        Self::Outcome(outcome)
    }
}

impl From<(Outcome, Option<Committed>)> for Decision {
    fn from((outcome, committed): (Outcome, Option<Committed>)) -> Self {
        match committed {
            Some(committed) => Self::Committed(outcome, committed),
            None => Self::Outcome(outcome),
        }
    }
}

impl<T: Into<Decision>> From<std::result::Result<T, Box<Refusal>>> for Decision {
    fn from(answer: std::result::Result<T, Box<Refusal>>) -> Self {
        answer.map_or_else(|refusal| Self::Outcome(Outcome::Rejected(*refusal)), Into::into)
    }
}

impl From<Rejected> for Decision {
    fn from(rejected: Rejected) -> Self {
        Self::Rejected(rejected)
    }
}

impl From<TakenBack> for Decision {
    fn from(undone: TakenBack) -> Self {
        Self::TakenBack(undone)
    }
}

impl From<Restored> for Decision {
    fn from(restored: Restored) -> Self {
        Self::Restored(restored)
    }
}

impl Report {
    /// Begins a report about proposals that a person named.
    pub(super) fn about(wanted: &[Wanted]) -> Self {
        Self { answers: Vec::new(), code: DONE, names_each: wanted.len() > 1 }
    }

    /// Begins a report about everything that waits.
    pub(super) fn about_all() -> Self {
        Self { answers: Vec::new(), code: DONE, names_each: true }
    }

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
            if let (Ok(Decision::Outcome(Outcome::Rejected(_))), Wanted::Named(id), true) =
                (&answer, wanted, self.names_each)
            {
                output.insist(&format!("{BAD}{}{BAD:#}", shown_name(id)));
            }
            say(&answer, output);
        }
        let code = match &answer {
            Ok(
                Decision::Outcome(Outcome::Rejected(_))
                | Decision::Committed(_, Committed::Refused(_)),
            ) => NO,
            Ok(Decision::Committed(_, Committed::Failed(_))) => EXIT_COULD_NOT,
            Ok(
                Decision::Outcome(_)
                | Decision::Committed(..)
                | Decision::Rejected(_)
                | Decision::TakenBack(_)
                | Decision::Restored(_),
            ) => DONE,
            Err(_) => EXIT_COULD_NOT,
        };
        self.code = self.code.max(code);
        self.answers.push((wanted.clone(), answer));
    }

    /// Prints the document, if one is wanted, and returns the exit code: that of the worst answer.
    pub(super) fn finish(self, output: Output) -> u8 {
        if output.json {
            match self.answers.as_slice() {
                [(_, only)] => output.answer(&One::from(only)),
                several => output.document(&Several::of(several, None)),
            }
        }
        self.code
    }

    /// Does the same for everything that waited, with what was left alone.
    pub(super) fn finish_all(self, left: &[Left], output: Output) -> u8 {
        if output.json {
            output.document(&Several::of(&self.answers, Some(left)));
            return self.code;
        }
        for each in left {
            let Left { proposal_id, expired_at, superseded_by, other_branches, .. } = each;
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
            output.data(&format!("{CARE}left{CARE:#} {proposal_id}, {why}\n"));
        }
        let is_applied = |(_, answer): &&(Wanted, Result<Decision, Error>)| {
            matches!(
                answer,
                Ok(Decision::Outcome(Outcome::Applied(_))
                    | Decision::Committed(Outcome::Applied(_), _))
            )
        };
        let applied = self.answers.iter().filter(is_applied).count();
        let (refused, left) = (self.answers.len() - applied, left.len());
        output.talk(&format!("{applied} applied, {refused} refused, {left} left"));
        self.code
    }
}

fn say(answer: &Result<Decision, Error>, output: Output) {
    match answer {
        Ok(Decision::Outcome(outcome)) => render::outcome(outcome, output),
        Ok(Decision::Committed(outcome, committed)) => {
            render::outcome(outcome, output);
            say_committed(committed, output);
        }
        Ok(Decision::Rejected(rejected)) => {
            let (id, kept) = (&rejected.proposal_id, &rejected.kept_in);
            let again = if rejected.remembered { "" } else { "; its text may be proposed again" };
            output.data(&format!("{CARE}rejected{CARE:#} {id}, kept in {kept}{again}\n"));
            rejected.warnings.iter().for_each(|warning| output.warn(warning));
        }
        Ok(Decision::TakenBack(undone)) => {
            output.data(&format!("{CARE}undone{CARE:#} {}\n", undone.proposal_id));
            let sections = undone.affected_sections.iter().map(render::affected);
            sections.for_each(|section| output.data(&format!("  {section}\n")));
            undone.warnings.iter().for_each(|warning| output.warn(warning));
        }
        Ok(Decision::Restored(restored)) => {
            let (id, until) = (&restored.proposal_id, restored.expires_at);
            output.data(&format!("{CARE}restored{CARE:#} {id}, waits until {until}\n"));
            restored.warnings.iter().for_each(|warning| output.warn(warning));
        }
        Err(error) => drop(output.error(error)),
    }
}

fn say_committed(committed: &Committed, output: Output) {
    match committed {
        Committed::Made(made) => {
            let short = made.id.get(..12).unwrap_or(&made.id);
            output.data(&format!("{GOOD}committed{GOOD:#} {short}\n"));
            made.warnings.iter().for_each(|warning| output.warn(warning));
        }
        Committed::Nothing(why) => output.data(&format!("nothing to commit: {why}\n")),
        Committed::Refused(error) | Committed::Failed(error) => {
            output.insist("the change is in the files, but in no commit:");
            let _ = output.error(error);
        }
    }
}
