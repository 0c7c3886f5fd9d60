//! The log of a store: one line a decision in `state/log.jsonl`, chained by hash and signed with the key of this machine.
//!
//! `state/log.end` holds the link of the last line. Every append renews it in the same step of the journal, so it needs
//! no sync of its own and a kill cannot separate the two.

use memchr::memmem;
use serde::Serialize;
use serde_json::Value;

use super::files;
use super::journal::Journal;
use super::key::{CODE_FIELD, Key, Purpose};
use super::step::Step;
use super::store_folder::{LOG, StoreFolder};
use crate::chain::{self, ChainLink, ChainVerdict, Later};
use crate::contract::ContentHash;
use crate::error::Result;

impl Purpose {
    pub(crate) const LOG: Self = Self(b"log\0");
    /// The link of the last line of the log.
    const LOG_END: Self = Self(b"log end\0");
}

/// The log of a store, with the key that signs its lines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SignedLog<'s> {
    store: &'s StoreFolder,
    key: &'s Key,
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
struct LogLine<'a, E> {
    #[serde(flatten)]
    entry: &'a E,
    number: u64,
    prev: &'a ContentHash,
}

impl LogTail {
    /// Returns the number of decisions so far.
    pub(crate) fn decisions(&self) -> u64 {
        self.last.number
    }

    pub(crate) fn append(&self, entry: &impl Serialize) -> Step {
        let ChainLink { number, hash } = &self.last;
        let line = LogLine { entry, number: number.saturating_add(1), prev: hash };
        let json = serde_json::to_string(&line).expect("an entry is plain data");
        let line = self.key.sign_line(Purpose::LOG, &json);
        Step::Append { path: LOG.to_owned(), offset: self.offset, line }
    }
}

/// A last line that lacks only its end.
enum Unended {
    /// The line that `state/log.end` names.
    Kept,
    /// Another line that names the one before it, with its number.
    Unknown(u64),
}

impl<'s> SignedLog<'s> {
    pub(crate) fn new(store: &'s StoreFolder, key: &'s Key) -> Self {
        Self { store, key }
    }

    /// Finds the append position. Reads only the end of the log, so a long one takes no longer.
    pub(crate) fn tail(self) -> Result<LogTail> {
        let (path, key) = (self.store.log(), self.key.clone());
        let (offset, all) = files::lengths(&path)?;
        if all == offset
            && let Some(last) = self.read_end()?
        {
            return Ok(LogTail { offset, last, key });
        }
        self.close_last()?;
        let offset = files::whole_length(&path)?;
        let last = match self.read_end()? {
            // The next line continues from this one, so that a cut or changed end stays visible.
            Some(last) => last,
            None if offset == 0 => ChainLink::start(),
            None => chain::end_without_link(&self.bytes()?, &|line| self.is_ours(line)),
        };
        Ok(LogTail { offset, last, key })
    }

    /// Returns the number of bytes after the last whole line.
    pub(crate) fn torn(self) -> Result<u64> {
        files::torn_length(&self.store.log())
    }

    /// Returns the step that cuts them.
    pub(crate) fn cut() -> Step {
        Step::Cut { path: LOG.to_owned() }
    }

    /// Tells whether the last line lacks only its end, as an editor may leave it: cutting would lose the line.
    pub(crate) fn lacks_end(self) -> Result<bool> {
        self.last_without_end().map(|line| line.is_some())
    }

    fn last_without_end(self) -> Result<Option<Unended>> {
        let (whole, all) = files::lengths(&self.store.log())?;
        if all == whole {
            return Ok(None);
        }
        let line = files::read_line_at(&self.store.log(), whole)?;
        if self.read_end()?.is_some_and(|end| end.hash == ContentHash::of(&line)) {
            return Ok(Some(Unended::Kept));
        }
        let number = ChainLink::of(&String::from_utf8_lossy(&line)).map(|link| link.number);
        let log = self.bytes()?;
        Ok(number.filter(|_| chain::lacks_end(&log)).map(Unended::Unknown))
    }

    /// Ends the last line if it lacks only its end. The end is synced: after a power cut a later command would remove
    /// the line.
    fn close_last(self) -> Result<()> {
        let (log, end) = (self.store.log(), self.store.log_end());
        match self.last_without_end()? {
            None => return Ok(()),
            Some(Unended::Unknown(number))
                if self.read_end()?.is_some_and(|it| it.number < number) =>
            {
                // Any process may have written it: the next line skips one number, so that this stays visible.
                let ended = [self.bytes()?, b"\n".to_vec()].concat();
                self.put_end(&chain::end_without_link(&ended, &|line| self.is_ours(line)))?;
                files::sync(&end)?;
            }
            // In the place of the known last line it is that line, changed: the next line reveals it.
            Some(Unended::Kept | Unended::Unknown(_)) => {}
        }
        files::write_at(&log, files::length(&log), b"\n")?;
        files::sync(&log)
    }

    /// Cuts the bytes after the last whole line; may be repeated.
    pub(crate) fn cut_torn(self) -> Result<()> {
        self.close_last()?;
        match self.torn()? {
            0 => Ok(()),
            _ => files::cut_at(&self.store.log(), files::whole_length(&self.store.log())?),
        }
    }

    /// Notes a line as the last one, unless a later one is known; may be repeated. A line of another list has no place in
    /// the chain, and is not noted.
    pub(crate) fn renew_end(self, line: &str) -> Result<()> {
        ChainLink::of(line).map_or(Ok(()), |link| self.put_end(&link))
    }

    fn put_end(self, link: &ChainLink) -> Result<()> {
        let is_later =
            |end: &[u8]| self.parse_end(end).is_some_and(|known| known.number >= link.number);
        files::renew(&self.store.log_end(), is_later, &self.end_line(link))
    }

    /// Checks that every decision is there and unchanged.
    pub(crate) fn verify(self) -> Result<ChainVerdict> {
        // The end first: a line that another process appends now is one more, not one less.
        let last = self.read_end()?;
        let log = self.bytes()?;
        // A writer records the line before, and marks the record as done after the end is renewed.
        let is_settled = Journal::is_settled(self.store).is_ok_and(|settled| settled);
        let later = match is_settled && self.read_end()? == last {
            true => Later::Foreign,
            false => Later::Awaited,
        };
        Ok(chain::verify(&log, last.as_ref(), later, &|line| self.is_ours(line)))
    }

    /// Reads the link of the last line, if known.
    fn read_end(self) -> Result<Option<ChainLink>> {
        let bytes = files::read_short(&self.store.log_end())?.unwrap_or_default();
        Ok(self.parse_end(&bytes))
    }

    fn parse_end(self, bytes: &[u8]) -> Option<ChainLink> {
        let text = std::str::from_utf8(bytes).ok()?;
        ChainLink::parse(text, |link| self.sign_end(link))
    }

    fn sign_end(self, link: &str) -> String {
        self.key.sign(Purpose::LOG_END, link.as_bytes())
    }

    /// Returns the content of `state/log.end`.
    pub(crate) fn end_line(self, last: &ChainLink) -> String {
        last.to_line(|link| self.sign_end(link))
    }

    /// Tells whether `state/log.end` was not signed on this machine.
    pub(crate) fn has_foreign_end(self) -> Result<bool> {
        let end = files::read_short(&self.store.log_end())?.unwrap_or_default();
        // A power cut may leave zeros.
        Ok(end.iter().any(|byte| *byte != 0) && self.parse_end(&end).is_none())
    }

    fn bytes(self) -> Result<Vec<u8>> {
        Ok(files::read(&self.store.log())?.unwrap_or_default())
    }

    /// Tells whether a line, without its end, was signed on this machine.
    fn is_ours(self, line: &[u8]) -> bool {
        self.key.signed_line(Purpose::LOG, line)
    }

    /// Reads the decisions, oldest first; torn and foreign lines are skipped.
    pub(crate) fn read(self) -> Result<Vec<Value>> {
        let log = self.bytes()?;
        let lines = log.split(|byte| *byte == b'\n');
        Ok(lines.filter_map(|line| self.read_entry(line)).collect())
    }

    /// Reads the newest decisions, newest first; only that many lines are parsed.
    pub(crate) fn read_youngest(self, limit: usize) -> Result<Vec<Value>> {
        let log = self.bytes()?;
        let lines = log.rsplit(|byte| *byte == b'\n');
        Ok(lines.filter_map(|line| self.read_entry(line)).take(limit).collect())
    }

    /// Returns the bytes of all whole lines: a mark for [`Self::read_since`].
    pub(crate) fn length(self) -> Result<u64> {
        files::whole_length(&self.store.log())
    }

    /// Reads the decisions behind a mark, newest first; none where the log is shorter by now.
    pub(crate) fn read_since(self, mark: u64) -> Result<Vec<Value>> {
        let (path, end) = (self.store.log(), self.length()?);
        if mark >= end {
            return Ok(Vec::new());
        }
        let log = files::read_between(&path, mark, end)?;
        Ok(log.rsplit(|byte| *byte == b'\n').filter_map(|line| self.read_entry(line)).collect())
    }

    /// Reads a line without its end; `None` if this machine did not sign it.
    pub(crate) fn read_entry(self, line: &[u8]) -> Option<Value> {
        let signed = Some(line).filter(|line| self.is_ours(line))?;
        let mut entry: Value = serde_json::from_slice(signed).ok()?;
        entry.as_object_mut()?.remove(CODE_FIELD);
        Some(entry)
    }
}

/// Tells whether a line says that it follows another one.
pub(crate) fn is_chained(above: &[u8], line: &[u8]) -> bool {
    text_behind(line, r#""prev":""#) == Some(ContentHash::of(above).as_str())
}

/// Returns the text of a field, by the name with all that stands before the text, in a line that is not verified yet.
pub(crate) fn text_behind<'l>(line: &'l [u8], name: &str) -> Option<&'l str> {
    let begin = memmem::find(line, name.as_bytes())? + name.len();
    let end = begin + memchr::memchr(b'"', &line[begin..])?;
    std::str::from_utf8(&line[begin..end]).ok()
}
