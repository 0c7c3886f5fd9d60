//! `log`: the decisions, youngest first, and whether all of them are there.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Workspace;
use crate::chain::Verdict;
use crate::error::{ErrorKind, Result};
use crate::store::log as store_log;

/// Returns the youngest decisions, at most so many.
pub fn log(workspace: &Workspace, limit: usize) -> Result<Vec<Value>> {
    store_log::read_youngest(workspace.store.layout(), limit)
}

/// Looks whether every decision is in the log as it was written.
pub fn verify_log(workspace: &Workspace) -> Result<Verdict> {
    let layout = workspace.store.layout();
    let verdict = store_log::verify(layout)?;
    if verdict.unbroken {
        return Ok(verdict);
    }
    match workspace.lock("log --verify", None) {
        // Another process may have been in the middle of a line.
        Ok(_locked) => store_log::verify(layout),
        Err(error) if error.kind() == ErrorKind::LockHeld => Err(error),
        // Where nobody may write, nobody was.
        Err(_) => Ok(verdict),
    }
}

/// What was decided last about a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LastDecision {
    /// How many decisions were taken before, on whatever.
    pub(super) number: usize,
    /// `applied`, `rejected` and so on.
    pub(super) decision: String,
    /// When.
    pub(super) time: String,
}

/// Returns what was decided last about each proposal that the log knows.
pub(super) fn last_decisions(workspace: &Workspace) -> Result<BTreeMap<String, LastDecision>> {
    let entries = store_log::read(workspace.store.layout())?;
    let decisions = entries.iter().enumerate().filter_map(|(number, entry)| {
        let text = |name: &str| entry[name].as_str().map(str::to_owned);
        let (decision, time) = (text("decision")?, text("time").unwrap_or_default());
        Some((text("id")?, LastDecision { number, decision, time }))
    });
    Ok(decisions.collect())
}

/// Returns every line of the log about one proposal, oldest first; the id may be shortened as long as
/// it fits one proposal only.
pub fn read_decision(workspace: &Workspace, wanted: &str) -> Result<Vec<Value>> {
    let entries = store_log::read(workspace.store.layout())?;
    let id_of = |entry: &Value| entry["id"].as_str().unwrap_or_default().to_owned();
    let mut ids: Vec<String> =
        entries.iter().map(id_of).filter(|id| !wanted.is_empty() && id.contains(wanted)).collect();
    ids.sort();
    ids.dedup();
    // An id may be a part of another one.
    if ids.iter().any(|id| id == wanted) {
        ids = vec![wanted.to_owned()];
    }
    match ids.as_slice() {
        [only] => Ok(entries.into_iter().filter(|entry| id_of(entry) == *only).collect()),
        _ => Ok(Vec::new()),
    }
}
