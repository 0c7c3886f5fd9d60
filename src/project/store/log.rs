//! The log of decisions: one line each in `state/log.jsonl`, chained by hash and signed with the key of this machine.
//!
//! `state/log.end` holds the link of the last line. Every append renews it in the same step of the journal, so it needs
//! no sync of its own and a kill cannot separate the two.

use memchr::memmem;
use serde::Serialize;
use serde_json::Value;

use super::layout::{self, Layout};
use crate::chain::{self, ChainLink, ChainVerdict, Later};
use crate::contract::{ContentHash, Moment};
use crate::disk::files;
use crate::disk::journal::Journal;
use crate::disk::key::{CODE_FIELD, Key, Purpose};
use crate::disk::step::Step;
use crate::error::Result;
use crate::project::request::{AffectedSection, ProposalId};

/// Marks a decision that another machine signed. It vouches for no pending proposal: this machine did not see it
/// arrive.
pub(super) const ADOPTED: &str = "adopted";

/// One decision.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Entry<'a> {
    pub(crate) time: Moment,
    pub(crate) id: Option<&'a ProposalId>,
    /// `applied`, `staged`, `rejected`, `refused`, `undone`, `restored`, `swept`, `allowed`, `moved` (applied in
    /// another worktree) or `cleared` (removed from a queue after its decision).
    pub(crate) decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) owner: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) approver: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) intent: Option<&'static str>,
    /// In the words of the proposer or the approver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<&'a str>,
    /// SHA-256 of `proposal.json`, as staged or as decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) request: Option<&'a ContentHash>,
    /// Whether these bytes differ from those that were staged.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) request_changed: bool,
    /// The applied operations, numbered from 0, if a person chose only some.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) operations: Vec<usize>,
    /// Whether it was applied over a section that had changed since.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) forced: bool,
    /// Whether a person changed the text.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) amended: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) files: Vec<LoggedFile>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(crate) sections: &'a [AffectedSection],
}

impl Entry<'_> {
    pub(crate) fn new(time: Moment, decision: &'static str) -> Self {
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

#[derive(Debug, Clone, Serialize)]
pub(crate) struct LoggedFile {
    pub(crate) path: String,
    /// SHA-256; `None` if there was no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) before: Option<String>,
    /// SHA-256; `None` if the file was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<String>,
}

/// The append position of the next decision, read once for a change, under the lock.
#[derive(Debug, Clone)]
pub(crate) struct LogTail {
    /// Bytes up to the end of the last whole line.
    pub(crate) offset: u64,
    last: ChainLink,
    key: Key,
}

/// A decision with its place in the chain.
#[derive(Serialize)]
struct LogLine<'a> {
    #[serde(flatten)]
    entry: &'a Entry<'a>,
    number: u64,
    prev: &'a ContentHash,
}

impl LogTail {
    /// Reads only the end of the log, so a long one takes no longer.
    pub(crate) fn read(layout: &Layout) -> Result<Self> {
        let (offset, all) = files::lengths(&layout.log())?;
        if all == offset
            && let Some(last) = read_end(layout)?
        {
            return Ok(Self { offset, last, key: layout.key().clone() });
        }
        close_last(layout)?;
        let offset = files::whole_length(&layout.log())?;
        let last = match read_end(layout)? {
            // The next line continues from this one, so that a cut or changed end stays visible.
            Some(last) => last,
            None if offset == 0 => ChainLink::start(),
            None => {
                let log = files::read(&layout.log())?.unwrap_or_default();
                chain::end_without_link(&log, &is_ours(layout))
            }
        };
        Ok(Self { offset, last, key: layout.key().clone() })
    }

    pub(crate) fn decisions(&self) -> u64 {
        self.last.number
    }

    pub(crate) fn append(&self, entry: &Entry<'_>) -> Step {
        let ChainLink { number, hash } = &self.last;
        let line = LogLine { entry, number: number.saturating_add(1), prev: hash };
        let json = serde_json::to_string(&line).expect("an entry is plain data");
        let line = self.key.sign_line(Purpose::LOG, &json);
        Step::Append { path: layout::log_path(), offset: self.offset, line }
    }
}

/// Returns the number of bytes after the last whole line.
pub(crate) fn torn(layout: &Layout) -> Result<u64> {
    files::torn_length(&layout.log())
}

/// Returns the step that cuts them.
pub(crate) fn cut() -> Step {
    Step::Cut { path: layout::log_path() }
}

/// Tells whether the last line lacks only its end, as an editor may leave it: cutting would lose the line.
pub(crate) fn lacks_end(layout: &Layout) -> Result<bool> {
    last_without_end(layout).map(|line| line.is_some())
}

/// A last line that lacks only its end.
enum Unended {
    /// The line that `state/log.end` names.
    Kept,
    /// Another line that names the one before it, with its number.
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
    let number = ChainLink::of(&String::from_utf8_lossy(&line)).map(|link| link.number);
    Ok(number.filter(|_| chain::lacks_end(&log)).map(Unended::Unknown))
}

/// Ends the last line if it lacks only its end. The end is synced: after a power cut a later command would remove the
/// line.
fn close_last(layout: &Layout) -> Result<()> {
    let (log, end) = (layout.log(), layout.log_end());
    match last_without_end(layout)? {
        None => return Ok(()),
        Some(Unended::Unknown(number))
            if read_end(layout)?.is_some_and(|it| it.number < number) =>
        {
            // Any process may have written it: the next line skips one number, so that this stays visible.
            let ended = [files::read(&log)?.unwrap_or_default(), b"\n".to_vec()].concat();
            put_end(layout, &chain::end_without_link(&ended, &is_ours(layout)))?;
            files::sync(&end)?;
        }
        // In the place of the known last line it is that line, changed: the next line reveals it.
        Some(Unended::Kept | Unended::Unknown(_)) => {}
    }
    files::write_at(&log, files::length(&log), b"\n")?;
    files::sync(&log)
}

/// Cuts the bytes after the last whole line; may be repeated.
pub(super) fn cut_torn(layout: &Layout) -> Result<()> {
    close_last(layout)?;
    match torn(layout)? {
        0 => Ok(()),
        _ => files::cut_at(&layout.log(), files::whole_length(&layout.log())?),
    }
}

/// Notes a line as the last one, unless a later one is known; may be repeated.
pub(super) fn renew_end(layout: &Layout, line: &str) -> Result<()> {
    ChainLink::of(line).map_or(Ok(()), |link| put_end(layout, &link))
}

fn put_end(layout: &Layout, link: &ChainLink) -> Result<()> {
    let is_later =
        |end: &[u8]| parse_end(layout, end).is_some_and(|known| known.number >= link.number);
    files::renew(&layout.log_end(), is_later, &end_line(layout, link))
}

/// Checks that every decision is there and unchanged.
pub(crate) fn verify(layout: &Layout) -> Result<ChainVerdict> {
    // The end first: a line that another process appends now is one more, not one less.
    let last = read_end(layout)?;
    let log = files::read(&layout.log())?.unwrap_or_default();
    // A writer records the line before, and marks the record as done after the end is renewed.
    let is_settled = Journal::is_settled(layout).is_ok_and(|settled| settled);
    let later = match is_settled && read_end(layout)? == last {
        true => Later::Foreign,
        false => Later::Awaited,
    };
    Ok(chain::verify(&log, last.as_ref(), later, &is_ours(layout)))
}

/// Tells whether a line says that it follows another one.
pub(super) fn is_chained(above: &[u8], line: &[u8]) -> bool {
    text_behind(line, r#""prev":""#) == Some(ContentHash::of(above).as_str())
}

/// Returns the text of a field, by the name with all that stands before the text, in a line that is not verified yet.
pub(super) fn text_behind<'l>(line: &'l [u8], name: &str) -> Option<&'l str> {
    let begin = memmem::find(line, name.as_bytes())? + name.len();
    let end = begin + memchr::memchr(b'"', &line[begin..])?;
    std::str::from_utf8(&line[begin..end]).ok()
}

/// Reads the link of the last line, if known.
fn read_end(layout: &Layout) -> Result<Option<ChainLink>> {
    let bytes = files::read_short(&layout.log_end())?.unwrap_or_default();
    Ok(parse_end(layout, &bytes))
}

fn parse_end(layout: &Layout, bytes: &[u8]) -> Option<ChainLink> {
    let text = std::str::from_utf8(bytes).ok()?;
    ChainLink::parse(text, sign_end(layout))
}

fn sign_end(layout: &Layout) -> impl Fn(&str) -> String {
    |link| layout.key().sign(Purpose::LOG_END, link.as_bytes())
}

/// Returns the content of `state/log.end`.
pub(super) fn end_line(layout: &Layout, last: &ChainLink) -> String {
    last.to_line(sign_end(layout))
}

/// Tells whether `state/log.end` was not signed on this machine.
pub(super) fn has_foreign_end(layout: &Layout) -> Result<bool> {
    let end = files::read_short(&layout.log_end())?.unwrap_or_default();
    // A power cut may leave zeros.
    Ok(end.iter().any(|byte| *byte != 0) && parse_end(layout, &end).is_none())
}

/// Tells whether a line, without its end, was signed on this machine.
fn is_ours(layout: &Layout) -> impl Fn(&[u8]) -> bool {
    |line| layout.key().signed_line(Purpose::LOG, line)
}

/// Reads the decisions, oldest first; torn and foreign lines are skipped.
pub(crate) fn read(layout: &Layout) -> Result<Vec<Value>> {
    let log = files::read(&layout.log())?.unwrap_or_default();
    let lines = log.split(|byte| *byte == b'\n');
    Ok(lines.filter_map(|line| read_entry(layout, line)).collect())
}

/// Reads the newest decisions, newest first; only that many lines are parsed.
pub(crate) fn read_youngest(layout: &Layout, limit: usize) -> Result<Vec<Value>> {
    let bytes = files::read(&layout.log())?.unwrap_or_default();
    let lines = bytes.rsplit(|byte| *byte == b'\n');
    Ok(lines.filter_map(|line| read_entry(layout, line)).take(limit).collect())
}

/// Reads a line without its end; `None` if this machine did not sign it.
pub(super) fn read_entry(layout: &Layout, line: &[u8]) -> Option<Value> {
    let signed = Some(line).filter(|line| is_ours(layout)(line))?;
    let mut entry: Value = serde_json::from_slice(signed).ok()?;
    entry.as_object_mut()?.remove(CODE_FIELD);
    Some(entry)
}
