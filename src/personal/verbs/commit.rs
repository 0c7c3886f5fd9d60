//! Writes the steps of a change as one record of the journal.

use super::stop::EarlyEnd;
use crate::disk::step::{Step, Trace};
use crate::disk::transaction::EditedMeanwhile;
use crate::personal::request::{EntryReason, EntryRefusal};
use crate::personal::store::LockedPerson;

/// Writes steps, unless a file was edited since they were planned; returns warnings. `name` is what they are about.
pub(super) fn commit(
    locked: &mut LockedPerson<'_>,
    steps: Vec<Step>,
    trace: Trace,
    name: &str,
) -> Result<Vec<String>, EarlyEnd> {
    match locked.prepare(steps, trace)? {
        Ok(prepared) => Ok(prepared.commit()?),
        Err(EditedMeanwhile { path }) => {
            let message = format!("`{path}` was edited at the same moment");
            let hint = "nothing was written; read it again, then do it again";
            let refusal = EntryRefusal::new(EntryReason::TargetDrift, message, hint);
            Err(refusal.about(name).into())
        }
    }
}
