//! Reads what the logs of this machine say of proposals.
//!
//! A commit can bring an older signed log, or delete one. So the copies in git's folder are read too, and the newest
//! line about a proposal counts.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::copies::folder::Copies;
use super::foreign::is_no_file;
use super::layout::Layout;
use super::log::ADOPTED;
use crate::disk::files;
use crate::disk::folder::StorePath;
use crate::disk::log::{is_chained, text_behind};
use crate::error::Result;
use crate::project::request::ProposalId;

/// What stands before the id in a line.
const ID: &str = r#""id":""#;

/// Bytes at the end of a log to read first.
const FIRST_READ: u64 = 64 * 1024;

/// What is known of each proposal, by its id.
#[derive(Debug, Default)]
pub(super) struct Decisions(BTreeMap<String, Known>);

#[derive(Debug, Default)]
struct Known {
    /// The last line of each log.
    last: Vec<LastLine>,
    /// Lines that another line follows, in the chain of any log.
    earlier: BTreeSet<Vec<u8>>,
    arrival: Option<Arrival>,
}

/// The first line of a log about a proposal that became pending.
#[derive(Debug, Clone, Copy)]
struct Arrival {
    /// Where the line begins.
    at: u64,
    /// Whether no line about it can come before this one.
    is_first: bool,
}

/// The last line of a log about a proposal.
#[derive(Debug, Default)]
struct LastLine {
    line: Vec<u8>,
    /// The number of the unbroken part of the log.
    part: usize,
    /// Never earlier than the line before, as a clock may be set back.
    time: String,
    said: Said,
    /// The hash of `proposal.json` on its arrival.
    hash: Option<String>,
    /// The same in the last decision.
    decided_hash: Option<String>,
}

/// What a line says became of a proposal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Said {
    /// It arrived for the first time.
    #[default]
    Staged,
    /// It arrived again.
    Restored,
    /// It was decided.
    Decided,
}

impl Said {
    fn of(decision: &str) -> Self {
        match decision {
            "staged" => Self::Staged,
            "restored" => Self::Restored,
            _ => Self::Decided,
        }
    }
}

impl Decisions {
    /// Reads the log of the store and the copies of the logs of all its work trees. Lines of another store do not
    /// verify.
    pub(super) fn about(layout: &Layout, ids: &BTreeSet<String>) -> Result<Self> {
        if ids.is_empty() {
            return Ok(Self::default());
        }
        let copies = Copies::if_there(layout)?;
        let copies = copies.map_or_else(|| Ok(Vec::new()), |copies| copies.all_logs())?;
        let mut decisions: BTreeMap<String, Known> = BTreeMap::new();
        // A link in the place of the log is absent for readers.
        let own = Some(layout.log()).filter(|log| !is_no_file(log));
        let copies = copies.into_iter().map(|log| (log, false));
        for (log, is_own) in copies.chain(own.map(|log| (log, true))) {
            for (id, found) in read_back(layout, ids, &log)? {
                let known = decisions.entry(id).or_default();
                known.arrival = known.arrival.or(found.arrival.filter(|_| is_own));
                known.last.extend(found.last);
                known.earlier.extend(found.earlier);
            }
        }
        Ok(Self(decisions))
    }

    /// Tells whether a proposal was decided, and did not arrive again.
    pub(super) fn has_decided(&self, id: &ProposalId) -> bool {
        let last = self.0.get(id.as_str()).and_then(Known::newest);
        last.is_some_and(|last| last.said == Said::Decided)
    }

    /// Returns where the log of this store says that a proposal became pending, to order proposals by what came first;
    /// `None` if that was elsewhere.
    pub(super) fn arrival(&self, id: &ProposalId) -> Option<u64> {
        Some(self.0.get(id.as_str())?.arrival?.at)
    }

    /// Returns the hash of `proposal.json` in the last decision.
    pub(super) fn decided_hash(&self, id: &ProposalId) -> Option<&str> {
        self.0.get(id.as_str()).and_then(Known::newest)?.decided_hash.as_deref()
    }

    /// Returns the hash of `proposal.json` on its arrival; `None` if this machine did not see that.
    pub(super) fn hash(&self, id: &ProposalId) -> Option<&str> {
        let known = self.0.get(id.as_str())?;
        let newest = known.newest().and_then(|last| last.hash.as_deref());
        newest.or_else(|| known.last.iter().find_map(|last| last.hash.as_deref()))
    }
}

impl Known {
    /// Returns the newest line: a line that another one follows does not count, a first arrival is older than all else,
    /// and within one second a decision wins.
    fn newest(&self) -> Option<&LastLine> {
        let last = self.last.iter().filter(|last| !self.earlier.contains(&last.line));
        last.max_by_key(|last| (last.said != Said::Staged, &last.time, last.said == Said::Decided))
    }

    fn add(&mut self, at: u64, line: &[u8], entry: &Value, part: usize) {
        // A line of another machine says nothing about pending proposals here.
        if !entry[ADOPTED].is_null() {
            return;
        }
        let mut last = match self.last.pop() {
            Some(mut last) if last.part == part => {
                self.earlier.insert(std::mem::take(&mut last.line));
                last
            }
            other => {
                self.last.extend(other);
                LastLine { part, ..LastLine::default() }
            }
        };
        last.line = line.to_vec();
        last.time = last.time.max(entry["time"].as_str().unwrap_or_default().to_owned());
        last.said = Said::of(entry["decision"].as_str().unwrap_or_default());
        let hash = entry["request"].as_str().map(str::to_owned);
        if last.said != Said::Decided {
            let is_first = last.said == Said::Staged;
            self.arrival.get_or_insert(Arrival { at, is_first });
        }
        match last.said {
            Said::Decided => last.decided_hash = hash.or(last.decided_hash),
            Said::Staged | Said::Restored if entry["request_changed"].is_null() => {
                last.hash = hash.or(last.hash);
            }
            Said::Staged | Said::Restored => {}
        }
        self.last.push(last);
    }
}

/// Reads a log backwards until each proposal is found: logs are long, and most proposals new.
fn read_back(
    layout: &Layout,
    ids: &BTreeSet<String>,
    log: &StorePath,
) -> Result<BTreeMap<String, Known>> {
    let end = files::whole_length(log)?;
    let mut length = FIRST_READ;
    loop {
        let begin = end.saturating_sub(length);
        let found = find(layout, ids, begin, &files::read_between(log, begin, end)?);
        let has_hash = |known: &Known| known.last.iter().any(|last| last.hash.is_some());
        let is_whole =
            |known: &Known| known.arrival.is_some_and(|it| it.is_first) && has_hash(known);
        let is_known = |id| found.get(id).is_some_and(is_whole);
        if begin == 0 || ids.iter().all(is_known) {
            return Ok(found);
        }
        length *= 4;
    }
}

/// Reads what a piece of a log says; `begin` is where the piece begins.
fn find(
    layout: &Layout,
    ids: &BTreeSet<String>,
    begin: u64,
    log: &[u8],
) -> BTreeMap<String, Known> {
    let mut found: BTreeMap<String, Known> = BTreeMap::new();
    let lines = log.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let lines: Vec<&[u8]> = lines.collect();
    let offset = |line: &[u8]| begin + (line.as_ptr().addr() - log.as_ptr().addr()) as u64;
    let (mut above, mut part) = (None, 0);
    for (at, line) in lines.iter().enumerate() {
        // Verifying is slow, so only lines with a wanted id are. A cut first line does not verify.
        let Some(id) = text_behind(line, ID).filter(|id| ids.contains(*id)) else { continue };
        // A commit can bring lines in another order, or twice: a line follows another one only if all between are chained.
        let way = above.map(|above: usize| &lines[above..=at]);
        let follows = way.is_some_and(|way| way.windows(2).all(|two| is_chained(two[0], two[1])));
        part += usize::from(!follows);
        above = Some(at);
        if let Some(entry) = layout.signed_log().read_entry(line) {
            found.entry(id.to_owned()).or_default().add(offset(line), line, &entry, part);
        }
    }
    found
}
