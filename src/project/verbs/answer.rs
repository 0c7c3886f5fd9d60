//! How an operation ends early, and how its answer is put together.

use super::project::Project;
use crate::contract::ContentHash;
use crate::error::{Error, Result};
use crate::project::request::{Answer, MemoryPath, Outcome, Reason, Refusal};
use crate::project::store::log::LoggedFile;
use crate::project::store::{EditedMeanwhile, Locked, Step, Trace};

/// Why an operation, or the command that calls it, stops early: the answer is no, or there is none.
pub(crate) enum Stop {
    Refused(Box<Refusal>),
    Failed(Error),
}

/// What an operation returns that may stop early.
pub(super) type Attempt<T> = std::result::Result<T, Stop>;

impl From<Box<Refusal>> for Stop {
    fn from(refusal: Box<Refusal>) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Writes steps under the lock; returns warnings.
pub(super) fn write(
    locked: &mut Locked<'_>,
    steps: Vec<Step>,
    trace: Trace,
) -> Attempt<Vec<String>> {
    match locked.prepare(steps, trace)? {
        Ok(prepared) => Ok(prepared.commit()?),
        Err(EditedMeanwhile { path }) => {
            let message = format!("`{path}` was edited at the same moment");
            let hint = "nothing was written; do it again";
            Err(Refusal::new(Reason::TargetDrift, message, hint).into())
        }
    }
}

/// Turns an early stop into an outcome.
pub(super) fn conclude(result: Attempt<Outcome>, project: &Project) -> Result<Outcome> {
    let answer = answered(project, || result)?;
    let mut outcome = answer.unwrap_or_else(|refusal| Outcome::Rejected(*refusal));
    outcome.warn(project.take_warnings());
    Ok(outcome)
}

/// Runs a verb and turns an early stop into a refusal. What it repeats of the input is masked.
pub(super) fn answered<T>(
    project: &Project,
    verb: impl FnOnce() -> Attempt<T>,
) -> Result<Answer<T>> {
    match verb() {
        Ok(answer) => {
            project.renew_copies();
            Ok(Ok(answer))
        }
        Err(Stop::Failed(error)) => Err(error.warn(project.take_warnings())),
        Err(Stop::Refused(refusal)) => {
            tracing::info!(code = %refusal.reason, "refused");
            let mut refusal = refusal.cleaned(|text| project.clean(text));
            refusal.warnings.extend(project.take_warnings());
            Ok(Err(refusal))
        }
    }
}

/// Names a file for the log, with the hashes of its old and new text.
pub(super) fn logged(path: &MemoryPath, before: Option<&str>, after: Option<&str>) -> LoggedFile {
    LoggedFile {
        path: path.to_string(),
        before: before.map(logged_hash),
        after: after.map(logged_hash),
    }
}

pub(super) fn logged_hash(text: &str) -> String {
    ContentHash::of(text.as_bytes()).to_string()
}
