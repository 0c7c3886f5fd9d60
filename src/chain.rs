//! Chains the lines of the log by hash, and finds what was changed in them.
//!
//! Each line carries its `number` and, as `prev`, the hash of the line before; the [`ChainLink`] of the last
//! one is kept apart, so that lines cut off at the end are missed too. Lines that were written before
//! there was a chain stand unchained at its beginning. This finds accidents and edits, but not
//! an attacker who rewrites the whole chain with its last link.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::contract::{ContentHash, words};

/// A position in the chain: a line by its number, from 1, and its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainLink {
    /// The number of the line; 0 before the first one.
    pub number: u64,
    /// SHA-256 of the line without its end; zeros before the first one.
    pub hash: ContentHash,
}

/// What a look at a chain says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ChainVerdict {
    /// Lines that are decisions.
    pub decisions: usize,
    /// Those among them that were written before there was a chain.
    pub unchained: usize,
    /// Whether nothing was found.
    pub unbroken: bool,
    /// What was found, by line.
    pub findings: Vec<Break>,
}

/// A place where the chain does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Break {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub kind: BreakKind,
    /// What is wrong, in words.
    pub message: String,
}

words! {
    /// What is wrong with a chain.
    BreakKind {
        /// The line says something else than it did.
        Changed = "changed",
        /// Lines before this one are gone.
        Missing = "missing",
        /// Lines behind this one are gone.
        Cut = "cut",
        /// The line has no end.
        Torn = "torn",
        /// The line was not written by us, or not here.
        Foreign = "foreign",
    }
}

/// How to treat a line behind the recorded last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Later {
    /// A process may be writing it: the link is renewed a moment after the line.
    Awaited,
    /// No process is writing it.
    Foreign,
}

#[derive(Deserialize)]
struct LinePlace {
    number: u64,
    prev: ContentHash,
}

impl ChainLink {
    /// Returns the link before the first line.
    pub fn start() -> Self {
        let zeros = ContentHash::parse(&"0".repeat(64)).expect("zeros are hex digits");
        Self { number: 0, hash: zeros }
    }

    /// Returns the position of a line, if it says its number.
    pub fn of(line: &str) -> Option<Self> {
        let line = line.trim_end_matches('\n');
        let place: LinePlace = serde_json::from_str(line).ok()?;
        Some(Self { number: place.number, hash: ContentHash::of(line.as_bytes()) })
    }

    /// Reads a link as [`ChainLink::to_line`] writes it, with the same `sign`.
    pub fn parse(text: &str, sign: impl Fn(&str) -> String) -> Option<Self> {
        let (link, code) = text.strip_suffix('\n')?.rsplit_once(' ')?;
        let (number, hash) = link.split_once(' ').filter(|_| code == sign(link))?;
        let hash = ContentHash::parse(hash).filter(|_| hash.len() == 64)?;
        Some(Self { number: number.parse().ok()?, hash })
    }

    /// Writes a link; all links have the same length, so that one can overwrite another.
    ///
    /// The last word is what `sign` makes of the others. It tells a link of another machine, and the rest of two
    /// links after a power cut.
    pub fn to_line(&self, sign: impl Fn(&str) -> String) -> String {
        let link = format!("{:020} {}", self.number, self.hash);
        let code = sign(&link);
        format!("{link} {code}\n")
    }
}

/// Compares each line with the next, and the last one with the recorded link. `later` says how to treat lines
/// behind that one, `is_ours` which lines were written on this machine.
pub fn verify(
    log: &[u8],
    last: Option<&ChainLink>,
    later: Later,
    is_ours: &dyn Fn(&[u8]) -> bool,
) -> ChainVerdict {
    read_lines(log, last, later, is_ours).finish()
}

/// Returns what the next line follows where the link of the last one is gone. Lines may be gone with it, so one
/// number is left out, and the gap stays visible. Without a chain there was no link.
pub fn end_without_link(log: &[u8], is_ours: &dyn Fn(&[u8]) -> bool) -> ChainLink {
    let ChainReader { end, chained, .. } = read_lines(log, None, Later::Awaited, is_ours);
    match chained {
        true => ChainLink { number: end.number.saturating_add(1), ..ChainLink::start() },
        false => end,
    }
}

/// Tells whether the last line has no line end and is complete otherwise: it names the line before it.
pub fn lacks_end(log: &[u8]) -> bool {
    let mut lines = log.rsplit(|byte| *byte == b'\n');
    let (last, before) = (lines.next().unwrap_or_default(), lines.next());
    let place = |line: &[u8]| serde_json::from_slice::<LinePlace>(line).ok();
    let hash = before.map_or_else(|| ChainLink::start().hash, ContentHash::of);
    let follows = |number: u64| match before.and_then(place) {
        Some(before) => before.number.checked_add(1) == Some(number),
        // Its number tells how many older lines there were.
        None => number <= log.split(|byte| *byte == b'\n').count() as u64,
    };
    place(last).is_some_and(|last| last.prev == hash && follows(last.number))
}

fn read_lines<'a>(
    log: &[u8],
    last: Option<&'a ChainLink>,
    later: Later,
    is_ours: &'a dyn Fn(&[u8]) -> bool,
) -> ChainReader<'a> {
    let mut reader = ChainReader::towards(last, later, is_ours);
    for (index, line) in log.split_inclusive(|byte| *byte == b'\n').enumerate() {
        match line.strip_suffix(b"\n") {
            Some(line) => reader.step(index + 1, line),
            None => {
                reader.add(index + 1, BreakKind::Torn, "it was not written to its end".to_owned());
                // Nothing else is missing of it.
                if last.is_some_and(|last| last.hash == ContentHash::of(line)) {
                    reader.step(index + 1, line);
                }
            }
        }
    }
    reader
}

struct ChainReader<'a> {
    verdict: ChainVerdict,
    /// The link that was kept of the last line.
    last: Option<&'a ChainLink>,
    later: Later,
    is_ours: &'a dyn Fn(&[u8]) -> bool,
    /// The last line that is part of the chain.
    end: ChainLink,
    at: usize,
    /// Whether a line with a number was met.
    chained: bool,
    unplaced: Vec<usize>,
}

impl<'a> ChainReader<'a> {
    fn towards(
        last: Option<&'a ChainLink>,
        later: Later,
        is_ours: &'a dyn Fn(&[u8]) -> bool,
    ) -> Self {
        let verdict =
            ChainVerdict { decisions: 0, unchained: 0, unbroken: true, findings: Vec::new() };
        let (end, unplaced) = (ChainLink::start(), Vec::new());
        Self { verdict, last, later, is_ours, end, at: 0, chained: false, unplaced }
    }

    fn step(&mut self, at: usize, line: &[u8]) {
        if !(self.is_ours)(line) {
            return self.unplaced.push(at);
        }
        let hash = ContentHash::of(line);
        let Ok(place) = serde_json::from_slice::<LinePlace>(line) else {
            return self.step_unchained(at, line, hash);
        };
        let next = self.end.number.saturating_add(1);
        let follows = place.prev == self.end.hash;
        let number = match place.number {
            number if number == next => {
                self.report_unplaced();
                if !follows {
                    self.add_changed_before(at);
                }
                number
            }
            // The number tells how many older lines there were.
            number if number > next && (!follows || !self.chained) => {
                match number - next == 1 && place.prev == ChainLink::start().hash && self.chained {
                    true => self.admit_gap(at),
                    false => self.close_gap(number - next, at, BreakKind::Missing),
                }
                number
            }
            number if follows => {
                self.report_unplaced();
                let message = format!("it says that it is decision {number}, and is {next}");
                self.add(at, BreakKind::Changed, message);
                next
            }
            _ => return self.unplaced.push(at),
        };
        self.chained = true;
        self.verdict.decisions += 1;
        self.reach(at, ChainLink { number, hash });
    }

    /// Tells of a line that does not name the one before it by its hash.
    fn add_changed_before(&mut self, at: usize) {
        let (line, message) = match self.at {
            0 => (at, "it names a line before it, and there was none".to_owned()),
            before => (before, format!("its hash is not the one that line {at} names")),
        };
        self.add(line, BreakKind::Changed, message);
    }

    /// Reads a line without a number: before the chain it counts as a decision, behind its start it does not.
    fn step_unchained(&mut self, at: usize, line: &[u8], hash: ContentHash) {
        if self.chained {
            return self.unplaced.push(at);
        }
        match serde_json::from_slice::<Map<String, Value>>(line) {
            Ok(_) => {
                self.verdict.decisions += 1;
                self.verdict.unchained += 1;
            }
            Err(_) => self.add(at, BreakKind::Foreign, "it is no decision".to_owned()),
        }
        self.reach(at, ChainLink { number: self.end.number.saturating_add(1), hash });
    }

    /// Moves on to a line, and compares it with the recorded last link where the numbers are equal.
    fn reach(&mut self, at: usize, link: ChainLink) {
        match self.last {
            Some(last) if last.number == link.number && last.hash != link.hash => {
                let message = "its hash is not the one that was kept of the last line";
                self.add(at, BreakKind::Changed, message.to_owned());
            }
            Some(last) if last.number < link.number && self.later == Later::Foreign => {
                let message = "it stands behind the line that was kept as the last";
                self.add(at, BreakKind::Foreign, message.to_owned());
            }
            None | Some(_) => {}
        }
        (self.end, self.at) = (link, at);
    }

    fn finish(mut self) -> ChainVerdict {
        let number = self.end.number;
        match self.last {
            None if self.chained => {
                let message = "the file that says which line is the last is gone, so it is not known whether others stood behind this one";
                self.add(self.at, BreakKind::Cut, message.to_owned());
            }
            Some(last) if last.number > number => {
                self.close_gap(last.number - number, self.at, BreakKind::Cut);
            }
            None | Some(_) => {}
        }
        self.report_unplaced();
        let findings = &mut self.verdict.findings;
        findings.sort_by_key(|each| (each.line, each.kind));
        findings.dedup_by_key(|each| (each.line, each.kind));
        self.verdict.unbroken = findings.is_empty();
        self.verdict
    }

    /// Reports lines that are missing; unplaced lines in the gap are taken for changed ones.
    fn close_gap(&mut self, mut lines: u64, at: usize, kind: BreakKind) {
        for line in std::mem::take(&mut self.unplaced) {
            match lines {
                0 => self.add(line, BreakKind::Foreign, UNPLACED.to_owned()),
                _ => {
                    lines -= 1;
                    let message = "it is not what was written here";
                    self.add(line, BreakKind::Changed, message.to_owned());
                }
            }
        }
        let side = if kind == BreakKind::Cut { "behind" } else { "before" };
        match lines {
            0 => {}
            1 => self.add(at, kind, format!("1 decision {side} it is gone")),
            _ => self.add(at, kind, format!("{lines} decisions {side} it are gone")),
        }
    }

    /// Reports a line that was written when the last link was not known: see [`end_without_link`].
    fn admit_gap(&mut self, at: usize) {
        self.report_unplaced();
        let message = "when it was written, the file that says which line is the last was gone, so it is not known whether others stood before it";
        self.add(at, BreakKind::Missing, message.to_owned());
    }

    fn report_unplaced(&mut self) {
        for line in std::mem::take(&mut self.unplaced) {
            self.add(line, BreakKind::Foreign, UNPLACED.to_owned());
        }
    }

    fn add(&mut self, line: usize, kind: BreakKind, message: String) {
        self.verdict.findings.push(Break { line, kind, message });
    }
}

/// The message for a line that no other line refers to.
const UNPLACED: &str = "the lines around it do not know it";

#[cfg(test)]
mod tests;
