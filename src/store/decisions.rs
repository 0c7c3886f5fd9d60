//! What the logs of this machine say of proposals.
//!
//! A commit can bring an older log, signed as it is, or delete one. So the copies in git's folder are read too, and of all
//! that is said of a proposal the newest counts.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;
use serde_json::Value;

use super::adoption::ADOPTED;
use super::copies::Copies;
use super::folder::Spot;
use super::layout::Layout;
use super::{files, log};
use crate::contract::ProposalId;
use crate::error::Result;

/// Bytes at the end of a log that are read at first.
const FIRST_READ: u64 = 64 * 1024;

/// The last that is known of each proposal that was asked for.
#[derive(Debug, Default)]
pub(super) struct Decisions(BTreeMap<String, LastLine>);

/// What one log says last of a proposal.
#[derive(Debug, Default)]
struct LastLine {
    time: String,
    /// Whether it is a decision, and not that the proposal came in.
    is_decision: bool,
    /// The hash of `proposal.json` with which it came in.
    hash: Option<String>,
}

impl Decisions {
    /// Reads the log of a store, and what the copies of it have beside that.
    pub(super) fn in_store(layout: &Layout, ids: &BTreeSet<String>) -> Result<Self> {
        let copies = Copies::if_there(layout)?;
        let beside = copies.map_or_else(|| Ok(Vec::new()), |copies| copies.logs_beside())?;
        Self::read(layout, ids, beside)
    }

    /// Reads the log of a store, and the copies of the logs of all stores of the repository.
    pub(super) fn anywhere(copies: &Copies<'_>, ids: &BTreeSet<String>) -> Result<Self> {
        Self::read(copies.layout(), ids, copies.all_logs()?)
    }

    fn read(layout: &Layout, ids: &BTreeSet<String>, copies: Vec<Spot>) -> Result<Self> {
        let mut decisions = Self::default();
        for log in copies.into_iter().chain([layout.log()]) {
            for (id, last) in last_lines(layout, ids, &log)? {
                decisions.add(id, last);
            }
        }
        Ok(decisions)
    }

    /// Adds what one log says of a proposal. Between logs the time decides, and of one time the decision.
    fn add(&mut self, id: String, last: LastLine) {
        let known = self.0.entry(id).or_default();
        if (&last.time, last.is_decision) >= (&known.time, known.is_decision) {
            let hash = last.hash.or(known.hash.take());
            *known = LastLine { hash, ..last };
        }
    }

    /// Tells whether a proposal was decided, and did not come in again since.
    pub(super) fn has_decided(&self, id: &ProposalId) -> bool {
        self.0.get(id.as_str()).is_some_and(|last| last.is_decision)
    }

    /// Returns the hash of `proposal.json` with which a proposal came in; nothing where this machine did not see it come.
    pub(super) fn hash(&self, id: &ProposalId) -> Option<&str> {
        self.0.get(id.as_str())?.hash.as_deref()
    }
}

impl LastLine {
    fn take(&mut self, entry: &Value) {
        // What another machine signed says nothing about what is pending here.
        if !entry[ADOPTED].is_null() {
            return;
        }
        entry["time"].as_str().unwrap_or_default().clone_into(&mut self.time);
        self.is_decision =
            !["staged", "restored"].contains(&entry["decision"].as_str().unwrap_or_default());
        let hash = entry["request"].as_str().filter(|_| entry["request_changed"].is_null());
        if let (false, Some(hash)) = (self.is_decision, hash) {
            self.hash = Some(hash.to_owned());
        }
    }
}

/// Reads the last lines of a log about some proposals, from its end back until each is found: most logs are longer than
/// what is asked for is old.
fn last_lines(
    layout: &Layout,
    ids: &BTreeSet<String>,
    log: &Spot,
) -> Result<BTreeMap<String, LastLine>> {
    let end = files::whole_length(log)?;
    let mut length = FIRST_READ;
    loop {
        let begin = end.saturating_sub(length);
        let found = find(layout, ids, &files::read_between(log, begin, end)?);
        let is_known = |id| found.get(id).is_some_and(|last: &LastLine| last.hash.is_some());
        if begin == 0 || ids.iter().all(is_known) {
            return Ok(found);
        }
        length *= 4;
    }
}

fn find(layout: &Layout, ids: &BTreeSet<String>, log: &[u8]) -> BTreeMap<String, LastLine> {
    let mut found: BTreeMap<String, LastLine> = BTreeMap::new();
    for line in log.split(|byte| *byte == b'\n') {
        // Few lines are about what is asked: only those are verified. The first one may be cut, which verifies neither.
        let Some(id) = id_in(line).filter(|id| ids.contains(*id)) else { continue };
        if let Some(entry) = log::read_entry(layout, line) {
            found.entry(id.to_owned()).or_default().take(&entry);
        }
    }
    found
}

/// Returns the id that a line of the log names, before the line is verified.
fn id_in(line: &[u8]) -> Option<&str> {
    const KEY: &[u8] = b"\"id\":\"";
    let begin = memmem::find(line, KEY)? + KEY.len();
    let end = begin + memchr::memchr(b'"', &line[begin..])?;
    std::str::from_utf8(&line[begin..end]).ok()
}
