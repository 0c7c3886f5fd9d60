//! How a verb ends early: the answer is no, or there is none.

use super::session::EntryAnswer;
use crate::error::Error;
use crate::personal::request::EntryRefusal;
use crate::secrets::clean;

/// Why a verb stops early.
#[derive(Debug)]
pub(super) enum EarlyEnd {
    Refused(Box<EntryRefusal>),
    Failed(Error),
}

impl From<Box<EntryRefusal>> for EarlyEnd {
    fn from(refusal: Box<EntryRefusal>) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Error> for EarlyEnd {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Turns an early end into a refusal. What it repeats of the input is masked.
pub(super) fn answered<T>(verb: impl FnOnce() -> Result<T, EarlyEnd>) -> EntryAnswer<T> {
    match verb() {
        Ok(answer) => Ok(Ok(answer)),
        Err(EarlyEnd::Refused(refusal)) => Ok(Err(refusal.cleaned(clean))),
        Err(EarlyEnd::Failed(error)) => Err(error),
    }
}
