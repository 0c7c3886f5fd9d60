//! How an operation ends early, and how its answer is put together.

use super::Workspace;
use crate::contract::{ContentHash, MemoryPath, Outcome, Reason, Refusal};
use crate::error::{Error, Result};
use crate::project::store::log::LoggedFile;
use crate::project::store::{EditedMeanwhile, Locked, Step, Trace};

/// Why an operation stops early: the answer is no, or there is none.
pub(crate) enum Stop {
    /// The answer is no.
    Refused(Box<Refusal>),
    /// There is no answer.
    Failed(Error),
}

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

/// Carries out steps under the lock; returns what had to be said about it.
pub(super) fn write(
    locked: &mut Locked<'_>,
    steps: Vec<Step>,
    trace: Trace,
) -> std::result::Result<Vec<String>, Stop> {
    match locked.prepare(steps, trace)? {
        Ok(prepared) => Ok(prepared.commit()?),
        Err(EditedMeanwhile { path }) => {
            let message = format!("`{path}` was edited at the same moment");
            let hint = "nothing was written; do it again";
            Err(Refusal::new(Reason::TargetDrift, message, hint).into())
        }
    }
}

/// Turns an early stop into an outcome; what it echoes of the input is masked.
pub(super) fn conclude(
    result: std::result::Result<Outcome, Stop>,
    workspace: &Workspace,
) -> Result<Outcome> {
    let mut outcome = match result {
        Ok(outcome) => outcome,
        Err(Stop::Refused(refusal)) => {
            Outcome::Rejected(*refusal.cleaned(|text| workspace.clean(text)))
        }
        Err(Stop::Failed(error)) => return Err(error.warn(workspace.take_recovered())),
    };
    outcome.warn(workspace.take_recovered());
    workspace.renew_copies();
    Ok(outcome)
}

/// Turns an early stop into a refusal; what it echoes of the input is masked.
pub(super) fn answered<T>(
    result: std::result::Result<T, Stop>,
    workspace: &Workspace,
) -> Result<std::result::Result<T, Box<Refusal>>> {
    match result {
        Ok(answer) => {
            workspace.renew_copies();
            Ok(Ok(answer))
        }
        Err(Stop::Failed(error)) => Err(error.warn(workspace.take_recovered())),
        Err(Stop::Refused(refusal)) => {
            let mut refusal = refusal.cleaned(|text| workspace.clean(text));
            refusal.warnings.extend(workspace.take_recovered());
            Ok(Err(refusal))
        }
    }
}

/// Names a file for the log, with what it said before and after; none where there is no file.
pub(super) fn logged(path: &MemoryPath, before: Option<&str>, after: Option<&str>) -> LoggedFile {
    LoggedFile {
        path: path.to_string(),
        before: before.map(logged_hash),
        after: after.map(logged_hash),
    }
}

/// Returns the hash of some text as the log writes it.
pub(super) fn logged_hash(text: &str) -> String {
    ContentHash::of(text.as_bytes()).to_string()
}
