//! Remembers outside of the store how far the journal has come, so that an old record from a commit is recognized.
//!
//! It is not synced. A power cut may lose the last numbers: then an old record may be carried out again, but a new one
//! is never refused.

use std::cmp::Ordering;
use std::path::PathBuf;

use super::lines::Lines;
use crate::disk::boot::boot_id;
use crate::disk::key::Purpose;
use crate::disk::outside;
use crate::disk::store_folder::StoreFolder;

/// Stands for a boot id that is not known.
const UNKNOWN: &str = "-";

/// The last record numbers of a journal.
#[derive(Debug, Default)]
pub(super) struct JournalProgress {
    /// `None` if there is no such folder.
    path: Option<PathBuf>,
    /// The last record whose files are durable.
    durable: u64,
    /// The last record that was carried out.
    carried_out: u64,
    /// The time in its mark; `None` if that is not known.
    at: Option<i64>,
    /// When this machine last wrote the journal, as its file says; `None` if that is not known.
    written: Option<i64>,
    /// Whether that was in this boot, which has everything that was written.
    is_of_this_run: bool,
}

impl JournalProgress {
    pub(super) fn of(store: &StoreFolder) -> Self {
        let key = store.journal_key();
        let code = key.sign(Purpose::JOURNAL, b"progress");
        let folder = store.own_folder().filter(|_| key.is_known());
        let path = folder.map(|folder| folder.join(format!("journal-{}", &code[..16])));
        let text = path.as_deref().and_then(|path| outside::read_text(path).ok().flatten());
        let text = text.unwrap_or_default();
        let mut words = text.split_whitespace();
        let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or_default();
        let (durable, carried_out) = (number(), number());
        let is_of_this_run = words.next().is_some_and(|boot| boot != UNKNOWN && boot == boot_id());
        let mut time = || words.next().and_then(|time| time.parse().ok());
        let (at, written) = (time(), time());
        Self { path, durable, carried_out, at, written, is_of_this_run }
    }

    pub(super) fn last(&self) -> u64 {
        self.durable.max(self.carried_out)
    }

    /// Tells whether a journal may be another file than the one that this machine wrote last: a commit may have damaged
    /// a line in the middle of it.
    pub(super) fn is_of_another(&self, last: u64, written: i64) -> bool {
        last < self.last() || self.written.is_some_and(|known| known != written)
    }

    /// Tells whether the lines would repeat a change.
    ///
    /// After a reboot a record may have to be repeated, as long as its files are not durable. But each record is synced
    /// before it is carried out, and follows the one before it: where one is missing, a commit brought the others.
    pub(super) fn is_ahead_of(&self, lines: &Lines) -> bool {
        let done = if self.is_of_this_run { self.last() } else { self.durable };
        let is_done = lines.open.iter().any(|each| each.record.number <= done);
        let lacks_one = lines.has_gap || lines.last < self.carried_out;
        is_done || (lines.last > 0 && lacks_one)
    }

    /// Returns when a record was carried out, if it was: a commit may bring a journal without its marks. Marks before
    /// the last are durable; if one is missing, the journal is another, and nothing of the record is repeated.
    pub(super) fn carried_out_at(&self, number: u64) -> Option<i64> {
        match number.cmp(&self.carried_out) {
            Ordering::Less => Some(i64::MIN),
            Ordering::Equal => self.at,
            Ordering::Greater => None,
        }
    }

    pub(super) fn note(&mut self, number: u64, at: Option<i64>, written: Option<i64>) {
        self.carried_out = self.carried_out.max(number);
        (self.at, self.written) = (at, written);
        self.is_of_this_run = true;
        self.write();
    }

    pub(super) fn note_durable(&mut self, number: u64, written: Option<i64>) {
        self.durable = self.durable.max(number);
        self.note(number, self.at, written);
    }

    /// If this fails, an old record is not recognized.
    fn write(&self) {
        let Some(path) = &self.path else { return };
        let (durable, carried_out) = (self.durable, self.carried_out);
        let boot = if boot_id().is_empty() { UNKNOWN } else { boot_id() };
        let text = |time: Option<i64>| time.map_or(UNKNOWN.to_owned(), |time| time.to_string());
        let (at, written) = (text(self.at), text(self.written));
        let line = format!("{durable:>20} {carried_out:>20} {boot:>36} {at:>20} {written:>20}\n");
        let _ = outside::overwrite(path, line.as_bytes());
    }
}
