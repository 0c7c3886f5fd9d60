//! The log of decisions: one line each in `state/log.jsonl`, chained by hash and signed with the key of this machine.
//!
//! `state/log.end` holds the link of the last line. Every append renews it in the same step of the
//! journal, so that it needs no sync of its own and a kill cannot set the two apart.

use serde::Serialize;
use serde_json::Value;

use super::Step;
use super::journal::Journal;
use super::key::{CODE, Key, Purpose};
use super::layout::{self, Layout};
use crate::chain::{self, Later, Link, Verdict};
use crate::contract::{AffectedSection, ContentHash, Moment, ProposalId};
use crate::disk::files;
use crate::error::Result;

/// One decision.
#[derive(Debug, Clone, Serialize)]
pub struct Entry<'a> {
    /// When it was taken.
    pub time: Moment,
    /// The proposal.
    pub id: Option<&'a ProposalId>,
    /// `applied`, `staged`, `rejected`, `refused`, `undone`, `restored`, `swept`, `allowed`, `moved`: to another
    /// worktree, where it was applied, or `cleared`: out of a queue in which it lay although it was decided.
    pub decision: &'static str,
    /// Who proposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<&'a str>,
    /// Who decided, where a person did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approver: Option<&'a str>,
    /// What the change was for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intent: Option<&'static str>,
    /// Why, in the words of who proposed or who decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
    /// SHA-256 of `proposal.json`, as it was staged or as it was decided on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<&'a ContentHash>,
    /// Whether these are other bytes than those that were staged.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub request_changed: bool,
    /// The operations that landed, numbered from 0, where a person took only some.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<usize>,
    /// Whether it landed over a section that had changed since it was proposed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
    /// Whether a person changed the words.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub amended: bool,
    /// The files, each with its SHA-256 before and after.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<LoggedFile>,
    /// The sections.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub sections: &'a [AffectedSection],
}

impl Entry<'_> {
    /// Begins a line about a decision of which nothing else is known yet.
    pub fn new(time: Moment, decision: &'static str) -> Self {
        Self {
            time,
            id: None,
            decision,
            owner: None,
            approver: None,
            intent: None,
            reason: None,
            request: None,
            request_changed: false,
            operations: Vec::new(),
            forced: false,
            amended: false,
            files: Vec::new(),
            sections: &[],
        }
    }
}

/// A file of a decision.
#[derive(Debug, Clone, Serialize)]
pub struct LoggedFile {
    /// The path.
    pub path: String,
    /// SHA-256 before; absent if there was no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// SHA-256 after; absent if the file went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// Where the next decision goes; looked up once for a change, under the lock.
#[derive(Debug, Clone)]
pub struct Tail {
    /// Bytes up to the end of the last whole line.
    pub offset: u64,
    last: Link,
    key: Key,
}

/// A decision with its place in the chain.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    entry: &'a Entry<'a>,
    number: u64,
    prev: &'a ContentHash,
}

impl Tail {
    /// Looks where the log ends, which takes no longer for a long one.
    pub fn read(layout: &Layout) -> Result<Self> {
        let (offset, all) = files::lengths(&layout.log())?;
        if all == offset
            && let Some(last) = read_end(layout)?
        {
            return Ok(Self { offset, last, key: layout.key().clone() });
        }
        close_last(layout)?;
        let offset = length(layout)?;
        let last = match read_end(layout)? {
            // What was cut off or changed since stays noticed: the next line continues from this one.
            Some(last) => last,
            None if offset == 0 => Link::start(),
            None => {
                let log = files::read(&layout.log())?.unwrap_or_default();
                chain::end_without_link(&log, &is_ours(layout))
            }
        };
        Ok(Self { offset, last, key: layout.key().clone() })
    }

    /// Returns how many decisions were taken before.
    pub fn decisions(&self) -> u64 {
        self.last.number
    }

    /// Returns the step that adds a decision.
    pub fn append(&self, entry: &Entry<'_>) -> Step {
        let Link { number, hash } = &self.last;
        let line = Line { entry, number: number.saturating_add(1), prev: hash };
        let json = serde_json::to_string(&line).expect("an entry is plain data");
        let line = self.key.sign_line(Purpose::Log, &json);
        Step::Append { path: layout::log_path(), offset: self.offset, line }
    }
}

/// Counts the bytes behind the end of the last whole line.
pub fn torn(layout: &Layout) -> Result<u64> {
    files::torn_length(&layout.log())
}

/// Returns the step that cuts them off.
pub fn cut() -> Step {
    Step::Cut { path: layout::log_path() }
}

/// Tells whether nothing but its end is missing of the last line, as an editor may leave it: cut off, it would be gone.
pub fn lacks_end(layout: &Layout) -> Result<bool> {
    last_without_end(layout).map(|line| line.is_some())
}

/// A last line of which nothing but its end is missing.
enum Unended {
    /// The one that was kept as the last.
    Kept,
    /// Another one that names the line before it, with its number.
    Unknown(u64),
}

fn last_without_end(layout: &Layout) -> Result<Option<Unended>> {
    let (whole, all) = files::lengths(&layout.log())?;
    if all == whole {
        return Ok(None);
    }
    let line = files::read_line_at(&layout.log(), whole)?;
    if read_end(layout)?.is_some_and(|end| end.hash == ContentHash::of(&line)) {
        return Ok(Some(Unended::Kept));
    }
    let log = files::read(&layout.log())?.unwrap_or_default();
    let number = Link::of(&String::from_utf8_lossy(&line)).map(|link| link.number);
    Ok(number.filter(|_| chain::lacks_end(&log)).map(Unended::Unknown))
}

/// Ends the last line if nothing else is missing. A power cut must not take the end again, with which a later command
/// would take the line away.
fn close_last(layout: &Layout) -> Result<()> {
    let (log, end) = (layout.log(), layout.log_end());
    match last_without_end(layout)? {
        None => return Ok(()),
        Some(Unended::Unknown(number))
            if read_end(layout)?.is_some_and(|it| it.number < number) =>
        {
            // Anybody may have written it: what comes next leaves one number out, so that this stays noticed.
            let ended = [files::read(&log)?.unwrap_or_default(), b"\n".to_vec()].concat();
            put_end(layout, &chain::end_without_link(&ended, &is_ours(layout)))?;
            files::sync(&end)?;
        }
        // In the place of the one that was kept it is that one, changed: the next line says so.
        Some(Unended::Kept | Unended::Unknown(_)) => {}
    }
    files::write_at(&log, files::length(&log), b"\n")?;
    files::sync(&log)
}

/// Cuts off the bytes behind the last whole line; may be done any number of times.
pub(super) fn cut_torn(layout: &Layout) -> Result<()> {
    close_last(layout)?;
    match torn(layout)? {
        0 => Ok(()),
        _ => files::cut_at(&layout.log(), length(layout)?),
    }
}

/// Remembers a line as the last one, unless a later one is known; may be done any number of times.
pub(super) fn renew_end(layout: &Layout, line: &str) -> Result<()> {
    Link::of(line).map_or(Ok(()), |link| put_end(layout, &link))
}

fn put_end(layout: &Layout, link: &Link) -> Result<()> {
    let is_later =
        |end: &[u8]| parse_end(layout, end).is_some_and(|known| known.number >= link.number);
    files::renew(&layout.log_end(), is_later, &end_line(layout, link))
}

/// Looks whether every decision is there as it was written.
pub fn verify(layout: &Layout) -> Result<Verdict> {
    // First the end: a line that another process adds in between is then one more, and none too few.
    let last = read_end(layout)?;
    let log = files::read(&layout.log())?.unwrap_or_default();
    // Who adds one records it before, and marks the record as done only when the end is renewed.
    let is_settled =
        Journal::is_settled(&layout.journal(), layout.work_tree_key()).is_ok_and(|settled| settled);
    let later = match is_settled && read_end(layout)? == last {
        true => Later::Foreign,
        false => Later::Awaited,
    };
    Ok(chain::verify(&log, last.as_ref(), later, &is_ours(layout)))
}

/// Reads which line is the last; nothing if that is not known.
fn read_end(layout: &Layout) -> Result<Option<Link>> {
    let bytes = files::read_short(&layout.log_end())?.unwrap_or_default();
    Ok(parse_end(layout, &bytes))
}

fn parse_end(layout: &Layout, bytes: &[u8]) -> Option<Link> {
    let text = std::str::from_utf8(bytes).ok()?;
    Link::parse(text, sign_end(layout))
}

fn sign_end(layout: &Layout) -> impl Fn(&str) -> String {
    |link| layout.key().sign(Purpose::LogEnd, link.as_bytes())
}

/// Writes the link of the last line, as `state/log.end` keeps it.
pub(super) fn end_line(layout: &Layout, last: &Link) -> String {
    last.to_line(sign_end(layout))
}

/// Tells whether something stands where the link of the last line is kept that was not signed on this machine.
pub(super) fn has_foreign_end(layout: &Layout) -> Result<bool> {
    let end = files::read_short(&layout.log_end())?.unwrap_or_default();
    // A power cut may leave zeros.
    Ok(end.iter().any(|byte| *byte != 0) && parse_end(layout, &end).is_none())
}

/// Tells of a line, without its end, whether it was written on this machine.
fn is_ours(layout: &Layout) -> impl Fn(&[u8]) -> bool {
    |line| layout.key().signed_line(Purpose::Log, line)
}

/// Reads the decisions, oldest first; a line that a crash has torn, or that was not signed on this machine, is left out.
pub fn read(layout: &Layout) -> Result<Vec<Value>> {
    Ok(entries(layout, &files::read(&layout.log())?.unwrap_or_default()))
}

/// Reads the decisions in the bytes of a log of this machine, oldest first.
fn entries(layout: &Layout, log: &[u8]) -> Vec<Value> {
    let lines = log.split(|byte| *byte == b'\n');
    lines.filter_map(|line| read_entry(layout, line)).collect()
}

/// Reads the youngest decisions, youngest first; of a long log no more lines than that are understood.
pub fn read_youngest(layout: &Layout, limit: usize) -> Result<Vec<Value>> {
    let bytes = files::read(&layout.log())?.unwrap_or_default();
    let lines = bytes.rsplit(|byte| *byte == b'\n');
    Ok(lines.filter_map(|line| read_entry(layout, line)).take(limit).collect())
}

/// Reads a line of the log, without its end; nothing where this machine did not sign it.
pub(super) fn read_entry(layout: &Layout, line: &[u8]) -> Option<Value> {
    let signed = Some(line).filter(|line| is_ours(layout)(line))?;
    let mut entry: Value = serde_json::from_slice(signed).ok()?;
    entry.as_object_mut()?.remove(CODE);
    Some(entry)
}

/// Returns the length of the log in bytes, up to the end of its last whole line.
fn length(layout: &Layout) -> Result<u64> {
    files::whole_length(&layout.log())
}
