//! `log`: the changes of a person's memory, newest first, and whether the log is whole.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::session::{EntryAnswer, PersonalSession};
use super::stop::answered;
use crate::chain::{self, ChainVerdict, Later};

/// The changes, newest first.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct PersonalLog {
    /// Time, decision, name and hashes of each change; never a text.
    pub(crate) changes: Vec<Value>,
    /// Other information for the caller.
    pub(crate) warnings: Vec<String>,
}

/// Reads the newest changes.
pub(crate) fn log(session: &PersonalSession, limit: usize) -> EntryAnswer<PersonalLog> {
    answered(|| {
        let Some((folder, _)) = session.find(session.user()?)? else {
            return Ok(PersonalLog { changes: Vec::new(), warnings: Vec::new() });
        };
        let warnings = folder.settle(session.lock_wait)?;
        Ok(PersonalLog { changes: folder.signed_log().read_youngest(limit)?, warnings })
    })
}

/// Checks that every change is there and unchanged.
pub(crate) fn verify_log(session: &PersonalSession) -> EntryAnswer<ChainVerdict> {
    answered(|| {
        let Some((folder, _)) = session.find(session.user()?)? else {
            return Ok(chain::verify(&[], None, Later::Awaited, &|_| false));
        };
        folder.settle(session.lock_wait)?;
        Ok(folder.signed_log().verify()?)
    })
}
