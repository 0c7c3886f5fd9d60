//! What the logs of this machine say of proposals.
//!
//! A commit can bring an older log, signed as it is, or delete one. So the copies in git's folder are read too, and of all
//! that is said of a proposal the newest counts.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;
use serde_json::Value;

use super::adoption::ADOPTED;
use super::copies::Copies;
use super::layout::Layout;
use super::log;
use crate::contract::ProposalId;
use crate::disk::files;
use crate::disk::folder::Spot;
use crate::error::Result;

/// Bytes at the end of a log that are read at first.
const FIRST_READ: u64 = 64 * 1024;

/// What is known of each proposal that was asked for.
#[derive(Debug, Default)]
pub(super) struct Decisions(BTreeMap<String, Known>);

/// What is known of a proposal.
#[derive(Debug, Default)]
struct Known {
    /// What each log says last.
    last: Vec<LastLine>,
    /// The lines that another one follows, in any log.
    earlier: BTreeSet<Vec<u8>>,
}

/// What a log says last of a proposal.
#[derive(Debug, Default)]
struct LastLine {
    line: Vec<u8>,
    /// When it was written; never earlier than a line before it, as a clock may be put back.
    time: String,
    /// Whether it is a decision, and not that the proposal came in.
    is_decision: bool,
    /// The hash of `proposal.json` with which it came in.
    hash: Option<String>,
}

impl Decisions {
    /// Reads the log of a store, and the copies of the logs of all its work trees: what is signed for another store does not
    /// verify.
    pub(super) fn about(layout: &Layout, ids: &BTreeSet<String>) -> Result<Self> {
        let copies = Copies::if_there(layout)?;
        let copies = copies.map_or_else(|| Ok(Vec::new()), |copies| copies.all_logs())?;
        let mut decisions: BTreeMap<String, Known> = BTreeMap::new();
        for log in copies.into_iter().chain([layout.log()]) {
            for (id, found) in read_back(layout, ids, &log)? {
                let known = decisions.entry(id).or_default();
                known.last.extend(found.last);
                known.earlier.extend(found.earlier);
            }
        }
        Ok(Self(decisions))
    }

    /// Tells whether a proposal was decided, and did not come in again since.
    pub(super) fn has_decided(&self, id: &ProposalId) -> bool {
        let last = self.0.get(id.as_str()).and_then(Known::newest);
        last.is_some_and(|last| last.is_decision)
    }

    /// Returns the hash of `proposal.json` with which a proposal came in; nothing where this machine did not see it come.
    pub(super) fn hash(&self, id: &ProposalId) -> Option<&str> {
        let known = self.0.get(id.as_str())?;
        let newest = known.newest().and_then(|last| last.hash.as_deref());
        newest.or_else(|| known.last.iter().find_map(|last| last.hash.as_deref()))
    }
}

impl Known {
    /// Returns what counts: of the last lines that no log goes on from the newest one, and of one second a decision.
    fn newest(&self) -> Option<&LastLine> {
        let last = self.last.iter().filter(|last| !self.earlier.contains(&last.line));
        last.max_by_key(|last| (&last.time, last.is_decision))
    }

    fn take(&mut self, line: &[u8], entry: &Value) {
        // What another machine signed says nothing about what is pending here.
        if !entry[ADOPTED].is_null() {
            return;
        }
        let mut last = self.last.pop().unwrap_or_default();
        self.earlier.insert(std::mem::replace(&mut last.line, line.to_vec()));
        last.time = last.time.max(entry["time"].as_str().unwrap_or_default().to_owned());
        let decision = entry["decision"].as_str().unwrap_or_default();
        last.is_decision = !["staged", "restored"].contains(&decision);
        let hash = entry["request"].as_str().filter(|_| entry["request_changed"].is_null());
        if let (false, Some(hash)) = (last.is_decision, hash) {
            last.hash = Some(hash.to_owned());
        }
        self.last.push(last);
    }
}

/// Reads the last lines of a log about some proposals, from its end back until each is found: most logs are longer than
/// what is asked for is old.
fn read_back(
    layout: &Layout,
    ids: &BTreeSet<String>,
    log: &Spot,
) -> Result<BTreeMap<String, Known>> {
    let end = files::whole_length(log)?;
    let mut length = FIRST_READ;
    loop {
        let begin = end.saturating_sub(length);
        let found = find(layout, ids, &files::read_between(log, begin, end)?);
        let has_hash = |known: &Known| known.last.iter().any(|last| last.hash.is_some());
        let is_known = |id| found.get(id).is_some_and(has_hash);
        if begin == 0 || ids.iter().all(is_known) {
            return Ok(found);
        }
        length *= 4;
    }
}

fn find(layout: &Layout, ids: &BTreeSet<String>, log: &[u8]) -> BTreeMap<String, Known> {
    let mut found: BTreeMap<String, Known> = BTreeMap::new();
    for line in log.split(|byte| *byte == b'\n') {
        // Few lines are about what is asked: only those are verified. The first one may be cut, which verifies neither.
        let Some(id) = id_in(line).filter(|id| ids.contains(*id)) else { continue };
        if let Some(entry) = log::read_entry(layout, line) {
            found.entry(id.to_owned()).or_default().take(line, &entry);
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
