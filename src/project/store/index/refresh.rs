//! Finds the files that changed since they were indexed, and indexes these again.

use std::collections::{BTreeSet, HashMap};

use rusqlite::Transaction;

use super::drafts::{File, KnownSections, draft};
use super::failure::is_busy;
use super::gate::Gate;
use super::listing::{Contents, Listing, Stamp, is_memory, list, read};
use super::records::{self, Record, Writer};
use super::sections;
use super::{Index, Source};
use crate::error::Result;
use crate::markdown::Outline;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refreshed {
    pub files_changed: usize,
    pub files_removed: usize,
    /// Changed files that are not indexed yet, as another process keeps writing to the index.
    pub files_postponed: usize,
    pub warnings: Vec<String>,
}

/// A change within this time of the last look may have left no trace in the times of the file, as
/// these tick slowly (2 s on FAT). Git calls such a file racily clean.
const SLOWEST_TICK: i64 = 2_000_000_000;

/// How much text is committed at once: with each commit the database sorts what is new into what it has. Other processes
/// may write in between, so that none waits for a whole store.
const BYTES_OF_A_COMMIT: i64 = 4 * 1024 * 1024;

pub(super) fn refresh(index: &Index, source: &Source<'_>) -> Result<Refreshed> {
    let listing = list(source.root)?;
    let known = records::load_all(&index.connection).map_err(|cause| index.failed(cause))?;
    let (suspects, warnings) = suspects(listing, known);
    let refreshed = Refreshed { warnings, ..Refreshed::default() };
    catch_up(index, source, (&suspects, refreshed))
}

pub(super) fn refresh_files(
    index: &Index,
    source: &Source<'_>,
    paths: &[String],
) -> Result<Refreshed> {
    let memories: BTreeSet<&String> = paths.iter().filter(|path| is_memory(path)).collect();
    let memories: Vec<String> = memories.into_iter().cloned().collect();
    catch_up(index, source, (&memories, Refreshed::default()))
}

fn catch_up(
    index: &Index,
    source: &Source<'_>,
    (suspects, mut refreshed): (&[String], Refreshed),
) -> Result<Refreshed> {
    if suspects.is_empty() {
        return Ok(refreshed);
    }
    // Taken before any file is read: a change in the same tick is suspected again next time.
    let now = index.gate.as_ref().map(Gate::unseal).transpose()?.unwrap_or_default();
    index.narrow(source, suspects)?;
    match (Run { index, source, now }).index_all(suspects, &mut refreshed) {
        Err(cause) if !is_busy(&cause) => Err(index.failed(cause)),
        Ok(()) | Err(_) => Ok(refreshed),
    }
}

/// Returns the files that may hold another text than the index knows, and what to tell of others.
fn suspects(listing: Listing, mut known: HashMap<String, Record>) -> (Vec<String>, Vec<String>) {
    let (mut suspects, mut warnings) = (Vec::new(), listing.warnings);
    for (file, stamp) in listing.files {
        match known.remove(&file).filter(|record| is_surely_same(record, stamp)) {
            Some(Record { problem, .. }) => {
                warnings.extend(problem.map(|problem| warning(&file, &problem)));
            }
            None => suspects.push(file),
        }
    }
    suspects.extend(known.into_keys());
    suspects.sort_unstable();
    (suspects, warnings)
}

fn is_surely_same(record: &Record, stamp: Stamp) -> bool {
    record.stamp == stamp && stamp.latest() < record.seen.saturating_sub(SLOWEST_TICK)
}

fn warning(file: &str, problem: &str) -> String {
    format!("`{file}` is not indexed: {problem}")
}

struct Run<'a> {
    index: &'a Index,
    source: &'a Source<'a>,
    now: i64,
}

enum Change {
    /// A new text; with the number of the file, if it has one.
    Store(Option<i64>, Contents, KnownSections),
    Touch(i64, Stamp),
    Remove(i64),
}

/// What counts once it is committed.
#[derive(Default)]
struct Uncommitted<'i> {
    transaction: Option<Transaction<'i>>,
    bytes: i64,
    changed: usize,
    removed: usize,
    compared: usize,
}

impl Uncommitted<'_> {
    fn commit(&mut self, refreshed: &mut Refreshed) -> rusqlite::Result<()> {
        let Self { transaction, changed, removed, compared, .. } = std::mem::take(self);
        transaction.map_or(Ok(()), Transaction::commit)?;
        refreshed.files_changed += changed;
        refreshed.files_removed += removed;
        refreshed.files_postponed -= compared;
        Ok(())
    }
}

impl Run<'_> {
    /// Indexes files; what cannot be written, as another process keeps writing, is left to the next call.
    fn index_all(&self, files: &[String], refreshed: &mut Refreshed) -> rusqlite::Result<()> {
        refreshed.files_postponed = files.len();
        let mut uncommitted = Uncommitted::default();
        for file in files {
            let mut change = self.compare(file, &mut refreshed.warnings)?;
            if change.is_some() && uncommitted.transaction.is_none() {
                uncommitted.transaction = Some(self.index.begin()?);
                // Another process may have written these very sections before the database was locked.
                change = self.compare(file, &mut Vec::new())?;
            }
            uncommitted.compared += 1;
            if let Some(change) = change {
                match &change {
                    Change::Store(_, contents, _) => {
                        uncommitted.changed += 1;
                        uncommitted.bytes += contents.stamp.size;
                    }
                    Change::Remove(_) => uncommitted.removed += 1,
                    Change::Touch(..) => {}
                }
                self.write(file, change)?;
            }
            if uncommitted.bytes >= BYTES_OF_A_COMMIT {
                uncommitted.commit(refreshed)?;
            }
        }
        uncommitted.commit(refreshed)
    }

    fn compare(&self, file: &str, warnings: &mut Vec<String>) -> rusqlite::Result<Option<Change>> {
        let record = records::load(&self.index.connection, file)?;
        let Some(contents) = read(self.source.root, file) else {
            if record.is_none() {
                warnings.push(warning(file, "it cannot be read"));
            }
            return Ok(record.map(|record| Change::Remove(record.id)));
        };
        if let Err(problem) = &contents.text {
            warnings.push(warning(file, problem));
        }
        match record {
            Some(record) if record.hash == contents.hash => {
                let is_settled = contents.stamp.latest() < self.now.saturating_sub(SLOWEST_TICK);
                let is_news = record.stamp != contents.stamp || is_settled;
                Ok(is_news.then_some(Change::Touch(record.id, contents.stamp)))
            }
            Some(record) => {
                let known = sections::known(&self.index.connection, record.id)?;
                Ok(Some(Change::Store(Some(record.id), contents, known)))
            }
            None => Ok(Some(Change::Store(None, contents, KnownSections::new()))),
        }
    }

    fn write(&self, file: &str, change: Change) -> rusqlite::Result<()> {
        let connection = &self.index.connection;
        let writer = Writer { connection, source: self.source, seen: self.now };
        match change {
            Change::Touch(id, stamp) => writer.touch(id, stamp),
            Change::Remove(id) => writer.remove(id),
            Change::Store(id, contents, known) => {
                let outline = Outline::read(contents.text.as_deref().unwrap_or_default());
                let is_log = self.source.catalog.owner_of(file).is_some_and(|each| each.log);
                let file_of = File { path: file, outline: &outline, is_log };
                let drafts = draft(self.source.scanner, &file_of, known);
                if drafts.is_regretted {
                    self.index.is_outdated.set(true);
                }
                match id {
                    Some(id) => writer.renew(id, &contents, &drafts),
                    None => writer.add(file, &contents, &drafts),
                }
            }
        }
    }
}
